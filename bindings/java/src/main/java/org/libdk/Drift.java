// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/**
 * How far new rows lie from known ones in a model's feature space (Gretton et al. 2012).
 *
 * @param distance between the means of both
 * @param usual the median of the distance where both are mixed at random
 * @param p how likely the distance is at least as large where both come from one source
 */
public record Drift(double distance, double usual, double p) {}
