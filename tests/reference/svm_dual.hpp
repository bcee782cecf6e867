// SPDX-License-Identifier: Apache-2.0
//
// The dual problem of a two-class support vector machine in long double, written from its definition:
//
//     minimise  0.5 a' Q a - sum(a),   0 <= a_i <= c_i,   sum(y_i a_i) = 0,   Q_ij = y_i y_j (K_ij + d_ij
//     ridge_i)
//
// The 1-norm machine has ridge 0 and bounds c_i = C_i; the 2-norm machine has ridge_i = 1 / C_i and no upper
// bounds.
#pragma once

#include <limits>
#include <vector>

#include "problem.hpp"

namespace dk_reference {

struct Dual {
    Matrix kernel;
    std::vector<int> signs;           // y: -1 or 1
    std::vector<long double> bounds;  // c, infinite for none
    std::vector<long double> ridge;
};

Dual hinge_dual(const Problem& problem);
Dual squared_hinge_dual(const Problem& problem);
Dual hard_dual(const Problem& problem);  // neither bounds nor ridge

long double objective(const Dual& dual, const std::vector<long double>& alpha);

// The largest violation of the optimality conditions, m - M in the literature on SMO: the largest -y G over
// the indices that may go up less the smallest over those that may go down, G the gradient. `slack` times the
// bound (or the largest alpha) is how near an alpha counts as being at its bound.
long double optimality_gap(const Dual& dual, const std::vector<long double>& alpha, long double slack);

// The exact solution of a small problem without upper bounds: projected gradient finds the support, a linear
// system gives its values. Throws when the result does not satisfy the optimality conditions.
std::vector<long double> solve_unbounded(const Dual& dual);

// The offset b of f(x) = sum(y a k(x, .)) + b: the mean over the support of y_i (1 - ridge_i a_i) - w.x_i.
long double offset_over_support(const Dual& dual, const std::vector<long double>& alpha);

// f at training row i.
long double decision(const Dual& dual, const std::vector<long double>& alpha, long double offset,
                     std::size_t i);

}  // namespace dk_reference
