// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"

namespace dk {

// Linear programs min c'x over the simplex {x >= 0, sum x = 1}, and forms of them with less extreme
// solutions. In all of them c are the costs.

/// The projection onto the simplex: the x that minimises |x - v|^2.
std::vector<double> project_onto_simplex(std::span<const double> v);

/// The solution of min c'x: the vertex of the least cost, the first of equal ones.
std::vector<double> cheapest_vertex(std::span<const double> costs);

/// The solution of min c'x with no x_i above 1 / count: 1 / count for each of the `count` cheapest, the first
/// of equal ones.
std::vector<double> cheapest_equally(std::span<const double> costs, Index count);

/// The solution of min c'x + weight / 2 |x|^2.
std::vector<double> quadratic_simplex(std::span<const double> costs, double weight);

/// The largest weight with which quadratic_simplex has at most `count` non-zeros. For all of them it is one
/// that leaves none out.
double quadratic_weight(std::span<const double> costs, Index count);

}  // namespace dk
