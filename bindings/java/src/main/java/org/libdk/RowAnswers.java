// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/**
 * What a model says of rows by one pass over its kernel, see {@link Model#predictRows}.
 *
 * @param predictions as {@link Model#predict(Dataset)} gives them
 * @param decisions rows x decision functions
 * @param probabilities rows x classes; null where the model was trained without {@code probability=yes}
 */
public record RowAnswers(double[] predictions, double[][] decisions, double[][] probabilities) {}
