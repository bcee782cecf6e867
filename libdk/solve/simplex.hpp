// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"

namespace dk {

// Linear programs over the simplex {x >= 0, sum x = 1}, and what makes their solutions less extreme.

/// The point of the simplex nearest to v.
std::vector<double> project_onto_simplex(std::span<const double> v);

/// min c'x: the vertex of the least cost, the first of equal ones.
std::vector<double> cheapest_vertex(std::span<const double> costs);

/// min c'x with no x above 1 / count: that for each of the `count` cheapest, the first of equal ones.
std::vector<double> cheapest_equally(std::span<const double> costs, Index count);

/// min c'x + weight / 2 |x|^2.
std::vector<double> quadratic_simplex(std::span<const double> costs, double weight);

/// The largest weight with which quadratic_simplex leaves at most `count` non-zeros; of all, one that leaves
/// none out.
double quadratic_weight(std::span<const double> costs, Index count);

}  // namespace dk
