// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace dk {

/// P(positive | f) = 1 / (1 + exp(slope f + offset)) for a decision value f.
struct Sigmoid {
    double slope = 0;
    double offset = 0;
};

/// Computes the probability without overflow.
double probability_of_positive(const Sigmoid& sigmoid, double decision);

/// A row of one side of a decision function, by which a sigmoid is fitted.
struct CalibrationRow {
    double decision;
    bool positive;
    double weight = 1;
};

/// Fits a sigmoid to decisions by maximum likelihood with Platt's targets, and takes Newton's steps, halved
/// where needed (J. Platt, Probabilistic outputs for support vector machines, 1999; H.-T. Lin, C.-J. Lin, R.
/// C. Weng, A note on Platt's probabilistic outputs, Machine Learning 68, 2007). Rows count by their weights.
Sigmoid fit_sigmoid(std::span<const CalibrationRow> rows);

/// Tells whether the probability hardly rises with the decision, or falls, so that it would not keep the
/// order of decisions: of rows that the folds predicted worse than chance the likeliest sigmoid turns all
/// predictions around.
bool loses_order(const Sigmoid& sigmoid, std::span<const CalibrationRow> rows);

/// Gives the likeliest sigmoid among those that just keep the order of decisions.
Sigmoid flattest_sigmoid(std::span<const CalibrationRow> rows);

/// Moves the decision with probability one half between the two sides where the function has all rows on
/// their sides, so that probabilities do not contradict it there. Tells whether it had to.
bool keep_sides(Sigmoid& sigmoid, std::span<const CalibrationRow> rows);

}  // namespace dk
