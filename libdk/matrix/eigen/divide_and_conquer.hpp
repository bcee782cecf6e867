// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// All eigenvalues and eigenvectors of a symmetric tridiagonal matrix. The eigenvalues replace the diagonal
/// in ascending order and row k of `vectors` becomes the unit eigenvector of the k-th; below[i] couples i and
/// i + 1. `work` has the size of `vectors`. The largest element should be near 1. Throws Error(numerical)
/// when an eigenvalue is not found.
void divide_and_conquer(VectorRef diagonal, VectorRef below, MatrixRef vectors, MatrixRef work,
                        Control& control);

}  // namespace dk
