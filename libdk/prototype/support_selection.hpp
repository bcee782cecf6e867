// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// What deleting a row from w = sum_i alpha_i phi(x_i) is taken to cost: the upper bound that kernel
/// principal components give, or the exact cost.
enum class DeletionCost { bound, exact };

/// A few of the rows of w, with the weights that come nearest to w.
struct SupportSelection {
    std::vector<Index> rows;  // positions among the rows of w, ascending
    Vector weights;
    double squared_norm = 0;  // |w|^2
    double lost = 0;          // |w - w'|^2 for the function w' of these rows
};

/// Computes the eigenvalues and eigenvectors of the kernel matrix of some rows. Throws Error(numerical) that
/// tells the lowest eigenvalue where it is below -1e-10 of the largest absolute one: |w|^2 means nothing
/// then.
SymmetricEigen semidefinite_spectrum(const ConstMatrixRef& K, Control& control);

/// Computes by how much |w - w'|^2 grows at least when one row is deleted and the others take the best
/// weights.
Vector exact_deletion_costs(const ConstMatrixRef& inverse, const ConstVectorRef& alpha);
/// Computes upper bounds of these costs from the spectrum of the rows' kernel matrix.
Vector deletion_cost_bounds(const SymmetricEigen& spectrum, const ConstVectorRef& alpha);

/// Deletes the row of least cost in turn, until `count` are left. K is the rows' kernel matrix. Takes memory
/// for four matrices of its size beside it, for which the caller asks.
SupportSelection select_support(const ConstMatrixRef& K, const ConstVectorRef& alpha, Index count,
                                DeletionCost cost, Control& control);

}  // namespace dk
