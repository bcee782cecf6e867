// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

// These functions solve systems with a lower triangular matrix L, of which they read only the lower triangle.
// The solution takes the place of the right-hand sides B. With a Control the threads of the call share the
// work, and the bits do not depend on their number.

/// Solves L X = B, where each column of B is a right-hand side.
void solve_lower(const ConstMatrixRef& lower, MatrixRef b, Control& control);
/// Solves L' X = B, where each column of B is a right-hand side.
void solve_lower_transposed(const ConstMatrixRef& lower, MatrixRef b, Control& control);
/// Solves X L' = B on the calling thread, where each row of B is a right-hand side.
void solve_rows(const ConstMatrixRef& lower, MatrixRef b);

/// Solves L x = b for one right-hand side b.
void forward_substitution(const ConstMatrixRef& lower, VectorRef b, Control& control);
/// Solves L' x = b for one right-hand side b.
void back_substitution(const ConstMatrixRef& lower, VectorRef b, Control& control);

}  // namespace dk
