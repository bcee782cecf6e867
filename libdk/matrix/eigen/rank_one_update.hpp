// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Finds the eigenvalues and eigenvectors of [T_1, 0; 0, T_2] + rho z z' from those of T_1 and T_2. `values`
/// and the rows of the square matrix `vectors` hold those of T_1 and behind them those of T_2, each in
/// ascending order. The first `left` of these rows are read in the first `left` columns alone, and the other
/// rows in the other columns alone. `z` is a unit vector in the basis of the eigenvectors, and rho is at
/// least 0. The new eigenvalues and eigenvectors replace the old ones, in ascending order. `work` has the
/// size of `vectors`.
void rank_one_update(VectorRef values, MatrixRef vectors, Index left, double rho, Vector z, MatrixRef work,
                     Control& control);

}  // namespace dk
