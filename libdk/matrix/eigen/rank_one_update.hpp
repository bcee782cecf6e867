// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Joins the eigenvalues and eigenvectors of two matrices T_1 and T_2 to those of [T_1, 0; 0, T_2] + rho z
/// z'. `values` and the rows of the square matrix `vectors` hold those of T_1 and then those of T_2, each in
/// ascending order; the first `left` rows count in the first `left` columns alone and the others in the other
/// columns, what stands elsewhere is not read. `z` is given in the basis of the eigenvectors. The result
/// takes their place, in ascending order; `work` has the size of `vectors`.
void rank_one_update(VectorRef values, MatrixRef vectors, Index left, double rho, Vector z, MatrixRef work,
                     Control& control);

}  // namespace dk
