// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "model/model.hpp"

namespace dk {

/// What a ridge machine's model tells of the equations (K + I / C) A + 1 b' = Y that it solved for all of its
/// training rows.
struct RidgeEquations {
    double cost = 1;      // C as it was trained with, which may have been chosen
    bool offset = false;  // whether there is b, for which 1'A = 0
};

/// Reads the equations of a model of kernel ridge regression or a kernel extreme learning machine. There are
/// none where the model keeps landmarks alone, where rows have weights, or where coefficients are the least
/// ones of their functions.
std::optional<RidgeEquations> ridge_equations(const Model& model);

}  // namespace dk
