// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

struct LeadingEigen {
    Vector values;   // descending
    Matrix vectors;  // row k is the unit eigenvector of values[k]
};

/// The eigenpairs of a symmetric matrix without large negative eigenvalues whose values exceed `floor`, at
/// most `most` of them, the largest first. Small matrices are decomposed. Large ones are treated by a block
/// Krylov method with restarts, which takes O(n^2) a vector, to a residual of 1e-8 of the largest eigenvalue,
/// or as far as 30 restarts lead: where eigenvalues lie that close together it matters little which of their
/// vectors are found.
LeadingEigen leading_eigen(const ConstMatrixRef& matrix, Index most, double floor, Control& control);

}  // namespace dk
