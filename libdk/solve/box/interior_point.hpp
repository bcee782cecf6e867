// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/control.hpp"
#include "solve/box/box_program.hpp"

namespace dk {

/// Finds variables near the optimum of a program whose matrix has few features for its many rows. They are
/// feasible, and those that belong on a bound are on it, so that a decomposition that starts from them has
/// little left to do. Gives nothing where the matrix has no features or too many, or where rounding defeats
/// the method.
///
/// It takes some tens of steps of O(rows x features^2), however wide the box is, whereas a coordinate method
/// needs more and more passes over the data as the box widens.
std::optional<std::vector<double>> interior_start(const BoxProgram& program, Control& control);

/// Tells whether features are few enough beside the rows for that method.
bool interior_point_suits(const FeatureRows& features);

/// Gives how many products of two values the matrix F'WF takes for sparse features, which is most of the work
/// of a step.
std::int64_t sparse_square_products(const FeatureRows& features);

}  // namespace dk
