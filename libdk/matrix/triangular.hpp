// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

// Systems with a lower triangular matrix L, of which only the lower triangle is read. The solution takes the
// place of the right-hand sides B. They are solved by blocks, whose products are those of matrix/product.hpp;
// with a Control, threads share columns or rows of B, and the bits do not depend on how many there are.

/// L X = B for B with one right-hand side a column.
void solve_lower(const ConstMatrixRef& lower, MatrixRef b, Control& control);
/// L' X = B for B with one right-hand side a column.
void solve_lower_transposed(const ConstMatrixRef& lower, MatrixRef b, Control& control);
/// X L' = B for B with one right-hand side a row, on the calling thread.
void solve_rows(const ConstMatrixRef& lower, MatrixRef b);

/// L x = b and L' x = b for one right-hand side.
void forward_substitution(const ConstMatrixRef& lower, VectorRef b, Control& control);
void back_substitution(const ConstMatrixRef& lower, VectorRef b, Control& control);

}  // namespace dk
