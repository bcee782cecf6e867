// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// min over beta, b of sum_i u_i |S_i beta + b - y_i|^2 + lambda |beta|^2, or lambda |beta|_1, for several
/// columns of y at once. The offsets b are not penalised.
struct PenalisedSquares {
    std::span<const double> features;  // S, rows x count
    Index count;
    std::span<const double> targets;  // y, rows x columns
    Index columns;
    std::span<const double> weights;  // u, with sum 1
    double lambda;
    bool lasso = false;

    Index rows() const { return size_of(weights); }
};

struct PenalisedSolution {
    std::vector<double> weights;    // beta, count x columns
    std::vector<double> offsets;    // b
    std::vector<double> residuals;  // S beta + b - y, rows x columns
    double error = 0;               // sum_i u_i |residual_i|^2
    double objective = 0;
};

/// By the normal equations of the centred features; the lasso by coordinate descent on them. `start`: weights
/// to begin with in the lasso; empty: zero.
PenalisedSolution solve_penalised_squares(const PenalisedSquares& problem, std::span<const double> start,
                                          Control& control);

}  // namespace dk
