// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// A symmetric tridiagonal matrix T = Q' A Q, and the factors of the reflections H_k = I - factors[k] v_k
/// v_k' whose product Q = H_0 H_1 ... is.
struct Tridiagonal {
    Vector diagonal;
    Vector below;  // below[i] couples i and i + 1; the last element is 0
    Vector factors;
};

/// Finds the tridiagonal form of a symmetric matrix, of which only the diagonal and the upper half are read.
/// The vectors v_k replace the matrix: row k has v_k in the columns from k + 1 on, and zeros before them. The
/// largest element of the matrix should be near 1.
Tridiagonal tridiagonalise(MatrixRef matrix, Control& control);

/// Turns eigenvectors of T, which are the rows of `rows`, into eigenvectors of A: each row r becomes Q r.
/// `reflections` is the matrix as tridiagonalise() leaves it, and `factors` are those that it returns.
void apply_reflections(const ConstMatrixRef& reflections, const Vector& factors, MatrixRef rows,
                       Control& control);

}  // namespace dk
