// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/** What a machine learns. */
public enum Task {
    /** The classes of labelled rows. */
    CLASSIFICATION,
    /** Numbers from targets. */
    REGRESSION,
    /** What rows alone are like. */
    NOVELTY,
    /** Any of these, as the data have it: the task of the machine auto, and of no model. */
    ANY,
    /** The clusters that rows alone form. */
    CLUSTERING,
    /** The labels of rows that may have several: of models of classifiers alone, see {@link Dataset#labelSets}. */
    MULTILABEL
}
