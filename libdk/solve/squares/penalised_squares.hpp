// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// PenalisedSquares is the program min over beta, b of sum_i u_i |S_i beta + b - y_i|^2 + lambda |beta|^2, or
/// with lambda |beta|_1 instead, for several columns of y at once. The offsets b are not penalised.
struct PenalisedSquares {
    ConstMatrixView features;  // S, rows x count
    ConstMatrixView targets;   // y, rows x columns
    ConstVectorView weights;   // u, with sum 1
    double lambda;
    bool lasso = false;  // whether the penalty is |beta|_1

    Index rows() const { return features.rows(); }
    Index count() const { return features.cols(); }
    Index columns() const { return targets.cols(); }
};

struct PenalisedSolution {
    Matrix weights = {};    // beta, count x columns
    Vector offsets = {};    // b
    Matrix residuals = {};  // S beta + b - y, rows x columns
    double error = 0;       // sum_i u_i |residual_i|^2
    double objective = 0;
};

/// Solves it by the normal equations. The lasso is solved by coordinate descent on them, which begins at the
/// weights `start` (count x columns; empty: zero).
PenalisedSolution solve_penalised_squares(const PenalisedSquares& problem, const Matrix& start,
                                          Control& control);

}  // namespace dk
