// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/types.hpp"

namespace dk {

// These measures of a confusion matrix, classes x classes with a row for each true class, are not high where
// a model always predicts a frequent class.

/// Gives the mean over the classes that occur of the share of their rows that are predicted to be of them.
double balanced_accuracy(std::span<const Index> confusion, Index classes);

/// Gives Cohen's kappa: by how much of what is possible the accuracy is above that of as many predictions of
/// each class by chance. It is NaN where chance predicts everything rightly.
double chance_corrected_accuracy(std::span<const Index> confusion, Index classes);

/// Gives the correlation of predicted and true classes: Matthews' coefficient, and of more than two classes
/// Gorodkin's. It is 0 where all rows are of one class, or are predicted to be.
double class_correlation(std::span<const Index> confusion, Index classes);

}  // namespace dk
