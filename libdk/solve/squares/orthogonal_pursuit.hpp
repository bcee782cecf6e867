// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "matrix/matrix.hpp"

namespace dk {

/// Some variables and their values. All others are zero.
struct SparseCode {
    std::vector<Index> support = {};  // in the order of their choice
    std::vector<double> values = {};
};

/// Minimises x'Hx - 2 s'x, the squared distance of a vector to a combination of columns with the products H
/// of each other and s with the vector, over at most `most` non-zeros of any sign. It is orthogonal matching
/// pursuit: each turn takes the column which, by itself, brings what is left nearest, then finds all values
/// anew. Columns that depend on those taken are left out.
SparseCode orthogonal_pursuit(const ConstMatrixRef& h, const ConstVectorRef& s, Index most);

/// Approximates w = sum_i g_i phi_i, where the g_i sum to 1 and K has the products of the phi_i, by at most
/// `most` of the phi_i with values of any sign that sum to 1. Each turn takes the point with which the best
/// values leave the least error. It stops where nothing lowers the error any more. `products` is K g, and
/// `square` is |w|^2.
SparseCode affine_pursuit(const ConstMatrixRef& k, const ConstVectorRef& products, double square, Index most);

/// The squared distance g'Kg - 2 code'Kg + code'K code of a code to the combination g that it stands for.
double approximation_error(const ConstMatrixRef& k, const ConstVectorRef& g, const SparseCode& code);

}  // namespace dk
