// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"
#include "matrix/product.hpp"
#include "matrix/triangular.hpp"

namespace dk {

/// Factors a symmetric positive definite matrix A = L L' in place. L takes the lower triangle, and the upper
/// one keeps what it had. The bits do not depend on the number of threads. The function returns false when a
/// pivot is not positive, and the matrix is then spoilt.
bool cholesky_factor(MatrixRef matrix, Control& control);

/// Solves L L' x = b in place for one right-hand side b.
void cholesky_solve(const ConstMatrixRef& factor, VectorRef b, Control& control);

/// Solves L L' X = B in place, where each column of B is a right-hand side.
void cholesky_solve_all(const ConstMatrixRef& factor, MatrixRef b, Control& control);

/// Computes the diagonal of (L L')^-1.
Vector cholesky_inverse_diagonal(const ConstMatrixRef& factor, Control& control);

}  // namespace dk
