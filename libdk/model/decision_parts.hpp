// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/types.hpp"

namespace dk {

/// What a prototype, or one of the training rows behind it, adds to a decision function.
struct DecisionTerm {
    Index function;
    Index prototype;
    Index training_row;  // -1 where the prototype is no sum over training rows
    double contribution;
};

/// The decisions on one row as sums: decision f is offsets[f] and the contributions to function f.
struct DecisionParts {
    std::vector<DecisionTerm> terms = {};
    std::vector<double> offsets = {};
};

}  // namespace dk
