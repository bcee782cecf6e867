// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"
#include "matrix/product.hpp"
#include "matrix/triangular.hpp"

namespace dk {

/// Factors a symmetric positive definite matrix A in place into L L', L in the lower triangle; the upper one
/// keeps what it had. The bits do not depend on the number of threads. It gives false when a pivot is not
/// positive; the matrix is then spoilt.
bool cholesky_factor(MatrixRef matrix, Control& control);

/// L L' x = b in place, for one right-hand side.
void cholesky_solve(const ConstMatrixRef& factor, VectorRef b, Control& control);

/// L L' X = B in place, for one right-hand side a column of B.
void cholesky_solve_all(const ConstMatrixRef& factor, MatrixRef b, Control& control);

/// The diagonal of (L L')^-1.
Vector cholesky_inverse_diagonal(const ConstMatrixRef& factor, Control& control);

}  // namespace dk
