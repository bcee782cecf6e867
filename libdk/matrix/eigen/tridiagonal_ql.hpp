// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/matrix.hpp"

namespace dk {

/// Finds all eigenvalues and eigenvectors of a small symmetric tridiagonal matrix by the implicit QL method.
/// The eigenvalues replace the diagonal in ascending order, and row k of `vectors` becomes the unit
/// eigenvector of the k-th. `below`, which is one element shorter than the diagonal, is overwritten. The
/// function throws Error(numerical) when an eigenvalue does not converge.
void tridiagonal_ql(VectorRef diagonal, VectorRef below, MatrixRef vectors);

}  // namespace dk
