// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Finds all eigenvalues and eigenvectors of a symmetric tridiagonal matrix, where below[i] couples i and
/// i + 1. The eigenvalues replace the diagonal in ascending order, and row k of `vectors` becomes the unit
/// eigenvector of the k-th. `work` has the size of `vectors`. The largest element of the matrix should be
/// near 1. The function throws Error(numerical) when it does not find an eigenvalue.
void divide_and_conquer(VectorRef diagonal, VectorRef below, MatrixRef vectors, MatrixRef work,
                        Control& control);

}  // namespace dk
