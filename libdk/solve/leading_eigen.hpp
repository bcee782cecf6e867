// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

struct LeadingEigen {
    std::vector<double> values = {};   // descending
    std::vector<double> vectors = {};  // row k is the unit eigenvector of values[k]
};

/// The eigenpairs of a symmetric row-major n x n matrix without large negative eigenvalues whose values
/// exceed `floor`, at most so many, the largest first. Small matrices are decomposed; large ones by a block
/// Krylov method with restarts, O(n^2) a vector, to a residual of 1e-8 of the largest, or as far as 30
/// restarts lead: where eigenvalues lie that close together it matters little which of their vectors are
/// found.
LeadingEigen leading_eigen(const double* matrix, Index n, Index most, double floor, Control& control);

}  // namespace dk
