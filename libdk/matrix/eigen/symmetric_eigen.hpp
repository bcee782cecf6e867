// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// The eigenvalues and eigenvectors of a symmetric matrix.
struct SymmetricEigen {
    Vector values;        // in ascending order
    LargeMatrix vectors;  // row k is the unit eigenvector of values[k]
};

/// Finds all eigenvalues and eigenvectors of a symmetric matrix. The bits of the result do not depend on the
/// number of threads. The function takes about 4 n^3 multiplications, and memory for two matrices of this
/// size beside the given one, for which the caller asks the memory budget. It throws Error(numerical) when
/// the matrix has an element that is not finite, or when it does not find an eigenvalue.
SymmetricEigen symmetric_eigen(LargeMatrix matrix, Control& control);

}  // namespace dk
