// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "solve/row_source.hpp"

namespace dk {

/// min 1/2 a'Qa + p'a,  0 <= a <= upper,  y'a = y'a0 (and 1'a = 1'a0 when both_sums_fixed),
/// with Q_ij = y_i y_j K_ij + [i = j] ridge_i and y in {-1, +1}.
struct SignedQuadraticProgram {
    RowSource& kernel;
    std::vector<double> signs;   // y
    std::vector<double> linear;  // p
    std::vector<double> upper;   // may be infinite
    std::vector<double> ridge;   // empty: none
    std::vector<double> start;   // a0, feasible
    /// Moves only along pairs of equal sign, so that the sum over each sign stays.
    bool both_sums_fixed = false;
};

struct SmoOptions {
    double tolerance = 1e-3;
    std::int64_t max_iterations = 0;  // 0: max(10^7, 100 n)
};

struct SmoSolution {
    std::vector<double> alpha;
    std::vector<double> gradient;  // Q a + p, computed anew at the end
    double objective = 0;
    /// The largest violation of the optimality conditions, max over movable pairs of
    /// -y_i g_i + y_j g_j, from that gradient.
    double gap = 0;
    std::int64_t iterations = 0;
    bool converged = false;
};

/// Sequential minimal optimisation with second-order choice of the pair (Fan, Chen, Lin, JMLR 2005).
SmoSolution solve_smo(const SignedQuadraticProgram& program, const SmoOptions& options, Control& control);

/// The threshold b of f = sum_i y_i a_i k(x_i, .) + b from the optimality conditions: the mean over
/// free variables, or the middle of the interval that bounded ones allow.
double smo_offset(const SignedQuadraticProgram& program, const SmoSolution& solution);

}  // namespace dk
