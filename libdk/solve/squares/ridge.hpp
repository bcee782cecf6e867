// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "base/control.hpp"
#include "matrix/feature_rows.hpp"
#include "matrix/matrix.hpp"
#include "solve/squares/ridge_factor.hpp"

namespace dk {

/// RidgeProgram is ridge regression in the dual, for several targets at once: A = (K + ridge I)^-1 (Y - u
/// b'), where u is what an offset adds to each row. Rows of weights w are those of S K S, S Y and u = s with
/// s_i = sqrt(w_i), whose coefficients are S^-1 A.
struct RidgeProgram {
    ConstMatrixView targets;  // Y, rows x columns
    double ridge = 1;
    bool offset =
        false;  // whether b is found too, as least squares support vector machines need; else it is zero
    Vector offset_column = {};   // u; empty where it is 1
    bool leave_one_out = false;  // whether to find what all the other rows predict of each row

    Index rows() const { return targets.rows(); }
    Index columns() const { return targets.cols(); }
};

struct RidgeSolution {
    Matrix coefficients = {};  // A, rows x columns
    Vector offsets = {};       // b
    Matrix left_out = {};      // the leave-one-out predictions, rows x columns, where they were asked for
    double ridge = 0;    // the ridge used, which is larger than asked where K is not positive semidefinite
    bool least = false;  // whether A are the least coefficients of the functions, where the others round away
};

/// Solves it by the Cholesky factor of K + ridge I (rows x rows), which takes as much memory as K. Throws
/// Error(numerical) where K is so indefinite that a larger ridge does not help.
RidgeSolution ridge_by_cholesky(const ConstMatrixRef& gram, const RidgeProgram& program, Control& control);

/// Solves it by a factor that is there already, of the same rows.
RidgeSolution ridge_by_factor(const RidgeFactor& factor, const RidgeProgram& program, Control& control);

/// Solves it where K = F F' for dense features F. Work and memory grow with the rows, not with their square.
/// With a small ridge, what A has outside of the span of F is large, adds nothing to K A, and would hide it
/// by rounding: it is left out then.
RidgeSolution ridge_by_features(const FeatureRows& features, const RidgeProgram& program, Control& control);

/// Finds the solution with its leave-one-out predictions for each of the ridges, from one eigendecomposition
/// of K, and hands the solutions to `judge` in the order of the ridges. Eigenvalues below zero count as zero.
void ridges_by_eigenvalues(const ConstMatrixRef& gram, RidgeProgram program, std::span<const double> ridges,
                           Control& control, const std::function<void(RidgeSolution)>& judge);

/// Does the same where K = F F' for dense features F, from one eigendecomposition of F'F.
void ridges_by_features(const FeatureRows& features, RidgeProgram program, std::span<const double> ridges,
                        Control& control, const std::function<void(RidgeSolution)>& judge);

}  // namespace dk
