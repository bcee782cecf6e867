// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// A symmetric tridiagonal matrix T, and the reflections H_k = I - factors[k] v_k v_k' of Q = H_0 H_1 ...
/// where it is Q' A Q of another matrix A.
struct Tridiagonal {
    Vector diagonal;
    Vector below;  // below[i] couples i and i + 1; the last is 0
    Vector factors;
};

/// The tridiagonal form of a symmetric matrix, of which only the upper half is read. In its place the matrix
/// keeps the vectors v_k: row k has v_k in the columns from k + 1 on, and zeros before them. The largest
/// element should be near 1.
Tridiagonal tridiagonalise(MatrixRef matrix, Control& control);

/// Turns the rows of `rows`, eigenvectors of T, into those of A: each row r becomes Q r. `reflections` is
/// what tridiagonalise() left in its matrix.
void apply_reflections(const ConstMatrixRef& reflections, const Vector& factors, MatrixRef rows,
                       Control& control);

}  // namespace dk
