// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "base/control.hpp"
#include "matrix/feature_rows.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Ridge regression in the dual, for several targets at once: A = (K + ridge I)^-1 (Y - 1 b').
struct RidgeProgram {
    ConstMatrixView targets;  // Y, rows x columns
    double ridge = 1;
    bool offset =
        false;  // whether b is found too, as for least squares support vector machines; else it is zero
    bool leave_one_out = false;  // whether to find what each row is predicted by all the others

    Index rows() const { return targets.rows(); }
    Index columns() const { return targets.cols(); }
};

struct RidgeSolution {
    Matrix coefficients = {};  // A, rows x columns
    Vector offsets = {};       // b
    Matrix left_out = {};      // the leave-one-out predictions, rows x columns, where they were asked for
    double ridge = 0;          // the one used, which is larger where K is not positive semidefinite
};

/// Solves it by Cholesky's factors of K (rows x rows), for which it takes as much memory again. Throws
/// Error(numerical) where K is so indefinite that a larger ridge does not help.
RidgeSolution ridge_by_cholesky(const ConstMatrixRef& gram, const RidgeProgram& program, Control& control);

/// Solves it where K = F F' for dense features F: work and memory grow with rows, not with their square.
RidgeSolution ridge_by_features(const FeatureRows& features, const RidgeProgram& program, Control& control);

/// Finds for each of the ridges the solution with its leave-one-out predictions, from one eigendecomposition
/// of K, and hands them to `judge` in their order. Eigenvalues below zero count as zero.
void ridges_by_eigenvalues(const ConstMatrixRef& gram, RidgeProgram program, std::span<const double> ridges,
                           Control& control, const std::function<void(RidgeSolution)>& judge);

}  // namespace dk
