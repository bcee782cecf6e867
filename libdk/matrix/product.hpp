// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

// Dense products. Each element of a result is the same sequence of fused multiplications and additions
// wherever it stands: sums over blocks of 256 terms, each from its first term to its last, are added in their
// order. So a row of a result depends neither on the other rows, nor on the number of threads, nor on how
// many rows the processor takes at once. Functions without a Control run on the calling thread; those with
// one share tiles of fixed size among its threads, poll for cancel, and give the same bits.

/// What becomes of the product: C = A B, C += A B or C -= A B.
enum class Into { assign, add, subtract };

/// C = A B' for A (rows x depth), B (cols x depth) and C (rows x cols).
void multiply_transposed(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c,
                         Into into = Into::assign);
void multiply_transposed(const ConstMatrixRefOf<float>& a, const ConstMatrixRefOf<float>& b,
                         MatrixRefOf<float> c, Into into = Into::assign);

/// C = A B for A (rows x depth), B (depth x cols) and C (rows x cols).
void multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into = Into::assign);

/// C = A' B for A (depth x rows), B (depth x cols) and C (rows x cols).
void transposed_multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c,
                         Into into = Into::assign);

/// The same products, shared by tiles among the threads of the call.
void multiply_transposed(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into,
                         Control& control);
void multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into, Control& control);

void transposed_multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into,
                         Control& control);

/// C = A A', whose lower half is computed and mirrored.
void outer_product(const ConstMatrixRef& a, MatrixRef c, Control& control);

/// y = A x; each element is a sum in a fixed order that does not depend on the other rows.
void multiply_vector(const ConstMatrixRef& a, const ConstVectorRef& x, VectorRef y);
/// y += A' x, row by row of A.
void add_transposed_product(const ConstMatrixRef& a, const ConstVectorRef& x, VectorRef y);

}  // namespace dk
