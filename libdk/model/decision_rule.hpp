// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// How decision values elect a class.
enum class DecisionRule {
    binary,       // one function: positive for the second class
    one_vs_one,   // a function a pair (a, b), a < b: positive for a
    one_vs_rest,  // a function a class, the largest signed distance wins
    largest,      // a function a class, the largest value wins
    regression    // no class: one function, the prediction itself
};

std::string_view name_of(DecisionRule rule);

Index decision_count(DecisionRule rule, Index classes);

/// The class that a function is positive for, and the other, -1 where that is all the others.
struct FunctionSides {
    Index positive;
    Index negative;
};
std::vector<FunctionSides> function_sides(DecisionRule rule, Index classes);

/// A score a class of which the largest wins, ties to the first: signed distances, or votes with
/// distances breaking ties. `norms` are the lengths |w| of the functions' normals.
void class_scores(DecisionRule rule, Index classes, std::span<const double> decisions,
                  std::span<const double> norms, std::span<double> scores);

/// The position of the largest value, the first of equal ones.
Index first_largest(std::span<const double> values);

/// Sigmoids P(positive | f) = 1 / (1 + exp(slope f + offset)), one a decision function.
struct Calibration {
    std::vector<double> slopes = {};
    std::vector<double> offsets = {};
    bool empty() const { return slopes.empty(); }
};

struct Sigmoid {
    double slope;
    double offset;
};

/// Fits a sigmoid to decisions by maximum likelihood with Platt's targets, by Newton's method with
/// backtracking (Platt 1999; Lin, Lin, Weng 2007).
Sigmoid fit_sigmoid(std::span<const double> decisions, const std::vector<bool>& positive);

/// Class probabilities of one row. Pairs are coupled as in Wu, Lin, Weng (2004), their second method.
void class_probabilities(DecisionRule rule, Index classes, std::span<const double> decisions,
                         const Calibration& calibration, std::span<double> probabilities);

}  // namespace dk
