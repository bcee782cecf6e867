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
    binary,       // The one function is positive for the second class.
    one_vs_one,   // Each pair of classes (a, b), a < b, has a function, which is positive for a.
    one_vs_rest,  // Each class has a function, and the largest signed distance wins.
    largest,      // Each class has a function, and the largest value wins.
    labels,       // Each label has a function, which is positive for rows that have it.
    regression    // There are no classes: the value of the one function is the prediction.
};

std::string_view name_of(DecisionRule rule);

/// How many functions the rule has for so many classes. A regression has at least one.
Index decision_count(DecisionRule rule, Index classes);

/// The class for which a function is positive, and the one for which it is negative: -1 where that is all
/// others.
struct FunctionSides {
    Index positive;
    Index negative;
};
std::vector<FunctionSides> function_sides(DecisionRule rule, Index classes);

/// Computes a score for each class; the largest wins, and the first of equal ones. Scores are the rule's
/// distances or values. Of pairs they are votes, and distances decide between classes of equal votes. `norms`
/// are the lengths |w| of the functions' normals.
void class_scores(DecisionRule rule, Index classes, std::span<const double> decisions,
                  std::span<const double> norms, std::span<double> scores);

/// Computes scores by which rows are ranked for each class. Those of pairs are votes and, by a part below one
/// half, the sums of the class's decisions, also where it leads alone and class_scores() has its votes only.
/// The largest is that of the elected class.
void ranking_scores(DecisionRule rule, Index classes, std::span<const double> decisions,
                    std::span<const double> norms, std::span<double> scores);

/// Finds the position of the largest value, the first of equal ones.
Index first_largest(std::span<const double> values);

/// A sigmoid P(positive | f) = 1 / (1 + exp(slope f + offset)) for each decision function f.
struct Calibration {
    std::vector<double> slopes = {};
    std::vector<double> offsets = {};
    bool empty() const { return slopes.empty(); }
};

/// Computes the class probabilities of one row. Those of labels are each label's own. Those of pairs are
/// coupled by the second method of T.-F. Wu, C.-J. Lin, R. C. Weng, Probability estimates for multi-class
/// classification by pairwise coupling, JMLR 5, 2004.
void class_probabilities(DecisionRule rule, Index classes, std::span<const double> decisions,
                         const Calibration& calibration, std::span<double> probabilities);

}  // namespace dk
