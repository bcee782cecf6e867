// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"

namespace dk {

// These functions solve linear programs min c'x over the simplex {x >= 0, sum x = 1}, and forms of them with
// less extreme solutions. The costs are c in all of them.

/// Projects v onto the simplex: gives the x of the simplex that minimises |x - v|^2.
std::vector<double> project_onto_simplex(std::span<const double> v);

/// Solves min c'x: gives the vertex of the least cost, the first of equal ones.
std::vector<double> cheapest_vertex(std::span<const double> costs);

/// Solves min c'x with no x_i above 1 / count: gives 1 / count to each of the `count` cheapest, the first of
/// equal ones.
std::vector<double> cheapest_equally(std::span<const double> costs, Index count);

/// Solves min c'x + weight / 2 |x|^2.
std::vector<double> quadratic_simplex(std::span<const double> costs, double weight);

/// Gives the largest weight with which quadratic_simplex has at most `count` non-zeros. Where `count` is all
/// of them, it gives a weight that leaves none out.
double quadratic_weight(std::span<const double> costs, Index count);

}  // namespace dk
