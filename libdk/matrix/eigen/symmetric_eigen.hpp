// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

struct SymmetricEigen {
    Vector values;        // ascending
    LargeMatrix vectors;  // row k is the unit eigenvector of values[k]
};

/// All eigenvalues and eigenvectors of a symmetric matrix: tridiagonal by reflections, divide and conquer,
/// and the reflections applied to the eigenvectors. The bits of the result don't depend on the number of
/// threads. The time is about 4 n^3 multiplications; beside the matrix, memory for two more is asked for.
/// Throws Error(numerical) when the matrix has an element that is not finite, or when an eigenvalue is not
/// found.
SymmetricEigen symmetric_eigen(LargeMatrix matrix, Control& control);

}  // namespace dk
