// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// The largest eigenvalues of a symmetric matrix and their eigenvectors.
struct LeadingEigen {
    Vector values;   // in descending order
    Matrix vectors;  // row k is the unit eigenvector of values[k]
};

/// Finds at most `most` eigenpairs of a symmetric matrix, those with the largest eigenvalues that exceed
/// `floor`, the largest first. The matrix should have no negative eigenvalue as large as these. A small
/// matrix is decomposed whole. For a large one a block Lanczos method with restarts takes O(n^2) operations
/// for each vector. It stops when every residual is below 1e-10 of the largest eigenvalue, or after 60
/// restarts: where eigenvalues lie so close together that these do not suffice, it matters little which of
/// their vectors are found.
LeadingEigen leading_eigen(const ConstMatrixRef& matrix, Index most, double floor, Control& control);

}  // namespace dk
