// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "data/dataset.hpp"
#include "machine/margin/cost_path.hpp"
#include "matrix/matrix.hpp"
#include "model/decision/decision_rule.hpp"

namespace dk {

/// The rows of one of the two-class problems, and its classes.
struct Split {
    Index positive;
    Index negative;  // -1 where it is all the others
    std::vector<Index> rows;
    FunctionPath* path = nullptr;    // that of BinaryProblem
    std::vector<double> start = {};  // that of BinaryProblem
};

/// Lists the rows of each class.
std::vector<std::vector<Index>> rows_of_classes(const Labels& labels);

/// Divides a problem of several classes, or labels, as the rule says; two classes are one problem.
std::vector<Split> splits_of(const Dataset& data, DecisionRule rule);

/// Lets each split begin at the function that an earlier model has for it, where there is one for each.
void start_at_earlier_model(const Matrix& coefficients, std::vector<Split>& splits);

}  // namespace dk
