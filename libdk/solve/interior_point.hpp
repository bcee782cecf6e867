// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/control.hpp"
#include "solve/box_program.hpp"

namespace dk {

/// Variables near the optimum of a program whose matrix has few features for its many rows, feasible, and at
/// their bounds where they belong there: decomposition that starts from them has little left to do. Nothing
/// where the matrix has no features, has too many, or rounding defeats the method.
///
/// Mehrotra's predictor-corrector method (SIAM J. Optim. 2, 1992) with the matrix as F F' (Ferris and Munson,
/// SIAM J. Optim. 13, 2002): some tens of steps of O(rows x features^2), whatever the bounds are, where a
/// coordinate method would need ever more passes over the data as they grow.
std::optional<std::vector<double>> interior_start(const BoxProgram& program, Control& control);

/// Whether features are few enough beside the rows for that method.
bool interior_point_suits(const FeatureRows& features);

/// How many products of two values one of its steps takes where features are sparse: that of F' W F.
std::int64_t sparse_square_products(const FeatureRows& features);

}  // namespace dk
