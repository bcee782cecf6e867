// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/**
 * How well people can read each prototype, 0 to 1 (Hosseini and Hammer, CIKM 2019); NaN where a prototype has no such
 * measure.
 *
 * @param purity the largest share of one class in the magnitudes of its coefficients
 * @param compactness near 1 where the rows that make it are near each other in feature space
 */
public record PrototypeMeasures(double[] purity, double[] compactness) {}
