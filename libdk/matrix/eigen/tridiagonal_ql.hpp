// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/matrix.hpp"

namespace dk {

/// All eigenvalues and eigenvectors of a small symmetric tridiagonal matrix by the implicit QL method. The
/// eigenvalues replace the diagonal in ascending order, row k of `vectors` becomes the unit eigenvector of
/// the k-th, and `below` (one element shorter than the diagonal) is spoilt. Throws Error(numerical) when an
/// eigenvalue does not converge.
void tridiagonal_ql(VectorRef diagonal, VectorRef below, MatrixRef vectors);

}  // namespace dk
