// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/**
 * One of the two prototypes of a decision function f, in the generalised prototype framework (Graf, Bousquet, Raetsch,
 * Schoelkopf 2008): f(x) = (|x - p-|^2 - |x - p+|^2 + S) / (2 t), with distances in feature space.
 */
public final class Prototype {
    private final int function;
    private final boolean positive;
    private final String className;
    private final double[] coefficients;
    private final long[] nearestRows;
    private final double[] nearestDistances;

    Prototype(int function, boolean positive, String className, double[] coefficients, long[] nearestRows,
            double[] nearestDistances) {
        this.function = function;
        this.positive = positive;
        this.className = className;
        this.coefficients = coefficients;
        this.nearestRows = nearestRows;
        this.nearestDistances = nearestDistances;
    }

    /**
     * The decision function it belongs to.
     *
     * @return from 0; -1 where the model learned prototypes of its own, which belong to none
     */
    public int function() {
        return function;
    }

    /**
     * Whether it is p+, for which the function is positive.
     *
     * @return false for p-
     */
    public boolean isPositive() {
        return positive;
    }

    /**
     * The class it stands for.
     *
     * @return null for "all the others", and where there are no classes
     */
    public String className() {
        return className;
    }

    /**
     * It as a convex combination of training rows.
     *
     * @return one coefficient a training row, none negative
     */
    public double[] coefficients() {
        return coefficients.clone();
    }

    /**
     * The training rows nearest to it in feature space.
     *
     * @return positions from 0, nearest first
     */
    public long[] nearestRows() {
        return nearestRows.clone();
    }

    /**
     * The distances of {@link #nearestRows}.
     *
     * @return ascending
     */
    public double[] nearestDistances() {
        return nearestDistances.clone();
    }
}
