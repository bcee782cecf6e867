// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/metrics/metrics.hpp"

namespace dk {

// These measures are of rows that may have several labels (G. Tsoumakas, I. Katakis, I. Vlahavas, Mining
// multi-label data, in Data Mining and Knowledge Discovery Handbook, 2010, section 6).

/// Gives the share of the rows whose labels are all predicted, and no others.
double subset_accuracy(const LabelPredictions& rows);

/// Gives the share of the pairs of a row and a label that are predicted wrongly.
double hamming_loss(const LabelPredictions& rows);

/// Gives the mean over the rows of the labels that are true and predicted over those that are one of both; 1
/// for a row with neither.
double jaccard_index(const LabelPredictions& rows);

/// Computes the three for each label, and their means over the labels that some row has or is predicted to
/// have. They are NaN where there is no such label.
PrecisionRecall precision_recall(const LabelPredictions& rows);

/// Computes F1 of all pairs of a row and a label together; NaN where no label is true or predicted.
double micro_f1(const LabelPredictions& rows);

/// Computes the mean over the labels of the area under the ROC curve; NaN where no label has rows with and
/// without it.
double mean_area_under_curve(const LabelPredictions& rows);

/// Computes the mean over the rows, and there over the true labels, of the share of true ones among the
/// labels that score as much or more; 1 for rows without labels and rows with all.
double label_ranking_precision(const LabelPredictions& rows);

/// Gives the mean over rows and labels of -log of the probability of what is true. A probability below 2^-52
/// counts as 2^-52.
double logarithmic_loss(const LabelPredictions& rows);

/// Gives the mean over rows and labels of the squared error of the label's probability.
double brier_loss(const LabelPredictions& rows);

}  // namespace dk
