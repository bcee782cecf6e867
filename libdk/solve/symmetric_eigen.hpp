// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "base/large_array.hpp"

namespace dk {

struct SymmetricEigen {
    std::vector<double> values;  // ascending
    LargeArray<double> vectors;  // row k is the unit eigenvector of values[k]
};

/// All eigenvalues and eigenvectors of a symmetric row-major n x n matrix, by Householder
/// tridiagonalisation and the implicit QL method (Golub and Van Loan, Matrix computations, section 8.3).
/// Unlike LAPACK's it can be cancelled, and its bits do not depend on the number of threads. Throws
/// Error(numerical) when QL does not converge.
SymmetricEigen symmetric_eigen(LargeArray<double> matrix, Index n, Control& control);

}  // namespace dk
