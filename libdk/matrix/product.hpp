// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

// These functions compute dense products. Each element of a result comes from the same sequence of fused
// multiplications and additions wherever it stands: blocks of 256 terms are summed, each from its first term
// to its last, and the sums are added in the order of the blocks. So a row of a result depends neither on the
// other rows, nor on the number of threads, nor on how many rows the processor takes at once. Functions
// without a Control run on the calling thread. Those with one share tiles of fixed size among its threads,
// poll for cancel, and give the same bits.

/// What becomes of a product P: it is assigned to C, added to it or subtracted from it.
enum class Into { assign, add, subtract };

/// Computes C = A B' for A (rows x depth), B (cols x depth) and C (rows x cols).
void multiply_transposed(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c,
                         Into into = Into::assign);
void multiply_transposed(const ConstMatrixRefOf<float>& a, const ConstMatrixRefOf<float>& b,
                         MatrixRefOf<float> c, Into into = Into::assign);

/// Computes C = A B for A (rows x depth), B (depth x cols) and C (rows x cols).
void multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into = Into::assign);

/// Computes C = A' B for A (depth x rows), B (depth x cols) and C (rows x cols).
void transposed_multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c,
                         Into into = Into::assign);

/// These compute the products above on the threads of the call.
void multiply_transposed(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into,
                         Control& control);
void multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into, Control& control);

void transposed_multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into,
                         Control& control);

/// Computes the lower half of C = A A', and mirrors it above the diagonal.
void outer_product(const ConstMatrixRef& a, MatrixRef c, Control& control);
/// Computes C = A' A likewise.
void inner_product(const ConstMatrixRef& a, MatrixRef c, Control& control);

/// Computes y = A x. Each element is a sum in a fixed order, which does not depend on the other rows.
void multiply_vector(const ConstMatrixRef& a, const ConstVectorRef& x, VectorRef y);
/// Adds y += A' x, where the terms are added in the order of the rows of A.
void add_transposed_product(const ConstMatrixRef& a, const ConstVectorRef& x, VectorRef y);

}  // namespace dk
