// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"

namespace dk {

/// The question that a prediction answers: this class rather than that one. The answer is a weighted sum of
/// decision functions, which is positive where the first class wins. Of a regression it is the value itself.
struct Question {
    Index elected = -1;                // -1 for a regression
    Index instead = -1;                // the class with the next best score
    std::vector<double> weights = {};  // of the decision functions

    double answer(std::span<const double> decisions) const;
};

/// Asks why a row with these decisions is of its class and not of the next best one. Two classes of pairs ask
/// the function of the pair; functions that are compared by their distances are divided by |w|.
Question question_of(const Model& model, std::span<const double> decisions, Control& control);

/// Asks why a regression predicts what the parts of its decisions on a row add up to: of several functions
/// the one whose value is the middle one.
Question question_of_value(const DecisionParts& parts);

/// Asks why one class and not another one.
Question question_between(const Model& model, Index elected, Index instead);

}  // namespace dk
