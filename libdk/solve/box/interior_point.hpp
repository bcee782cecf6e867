// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/control.hpp"
#include "solve/box/box_program.hpp"

namespace dk {

/// Finds variables near the optimum of a program whose matrix has few features for its many rows. They are
/// feasible, and at their bounds where they belong there, so that decomposition that starts from them has
/// little left to do. Nothing where the matrix has no features, has too many, or rounding defeats the method.
///
/// It takes some tens of steps of O(rows x features^2), whatever the bounds are; a coordinate method needs
/// more and more passes over the data as the bounds grow.
std::optional<std::vector<double>> interior_start(const BoxProgram& program, Control& control);

/// Whether features are few enough beside the rows for that method.
bool interior_point_suits(const FeatureRows& features);

/// How many products of two values one of its steps takes for sparse features: those of F'WF.
std::int64_t sparse_square_products(const FeatureRows& features);

}  // namespace dk
