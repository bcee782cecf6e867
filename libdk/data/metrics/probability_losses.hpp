// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/types.hpp"

namespace dk {

// These say how good probabilities of classes are, rows x classes. Each is least, in the mean over many rows,
// for the probabilities with which the rows have their classes (proper scores).

/// Gives the mean of -log p over the rows, where p is the probability of the row's class. A p below 2^-52
/// counts as 2^-52, so that one row does not make the mean infinite.
double logarithmic_loss(std::span<const Index> truth, std::span<const double> probabilities, Index classes);

/// Gives the mean over the rows of sum_c (p_c - y_c)^2, where y_c is 1 for the row's class and 0 for others.
/// Of two classes it is half of that, the square of the error in the probability of the second.
double brier_loss(std::span<const Index> truth, std::span<const double> probabilities, Index classes);

}  // namespace dk
