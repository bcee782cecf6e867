// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// Factors a symmetric positive definite row-major n x n matrix in place into L L', L in the lower
/// triangle. Blocked, parallel over tiles in fixed order, so the same bits for any thread count.
/// False when a pivot is not positive; the matrix is then spoilt.
bool cholesky_factor(double* matrix, Index n, Control& control);

/// Solves L L' x = b in place for one right-hand side.
void cholesky_solve(const double* factor, Index n, double* b, Control& control);

/// The same for many: b is n x columns, row-major. Blocked, parallel over tiles in fixed order.
void cholesky_solve_all(const double* factor, Index n, double* b, Index columns, Control& control);

/// L z = b and L' z = b in place, for many: the halves of that.
void solve_lower(const double* factor, Index n, double* b, Index columns, Control& control);
void solve_lower_transposed(const double* factor, Index n, double* b, Index columns, Control& control);

/// The diagonal of (L L')^-1.
std::vector<double> cholesky_inverse_diagonal(const double* factor, Index n, Control& control);

/// out = A A' for row-major A (n x depth): lower triangle and mirror, by tiles.
void outer_product(const double* a, Index n, Index depth, double* out, Control& control);

}  // namespace dk
