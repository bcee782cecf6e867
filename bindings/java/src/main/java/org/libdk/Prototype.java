// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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

    /** The prototypes of a model, in their order. */
    static List<Prototype> all(NativeModel model) {
        int count = Math.toIntExact(model.prototype_count());
        int rows = Math.toIntExact(model.training_rows());
        int neighbours = Math.toIntExact(model.prototype_neighbours());
        boolean pairs = model.prototypes_are_pairs();
        String[] classNames = classNames(model);
        double[] coefficients = new double[Math.multiplyExact(count, rows)];
        model.prototype_coefficients(coefficients);
        long[] nearest = new long[count * neighbours];
        double[] distances = new double[count * neighbours];
        model.prototype_nearest(nearest, distances);
        List<Prototype> out = new ArrayList<>(count);
        for (int p = 0; p < count; p++)
            out.add(new Prototype(pairs ? p / 2 : -1, !pairs || p % 2 == 0, classNames[p],
                    Arrays.copyOfRange(coefficients, p * rows, (p + 1) * rows),
                    Arrays.copyOfRange(nearest, p * neighbours, (p + 1) * neighbours),
                    Arrays.copyOfRange(distances, p * neighbours, (p + 1) * neighbours)));
        return out;
    }

    /** The class of each prototype of a model; null for all the others. */
    static String[] classNames(NativeModel model) {
        long[] classes = new long[Math.toIntExact(model.prototype_count())];
        model.prototype_classes(classes);
        String[] names = new String[classes.length];
        for (int p = 0; p < names.length; p++)
            if (classes[p] >= 0 && classes[p] < model.class_count()) names[p] = model.class_name(classes[p]);
        return names;
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
