// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "solve/box/box_program.hpp"

namespace dk {

struct SmoOptions {
    double tolerance = 1e-3;
    std::int64_t max_iterations = 0;  // 0: max(10^8, 1000 n)
};

struct SmoSolution {
    std::vector<double> beta;  // b
    /// Minus the gradient: -(K b + ridge b + linear).
    std::vector<double> descent;
    double objective = 0;
    /// The largest violation of the optimality conditions: in a group, the largest descent of a variable that
    /// can rise less the smallest of one that can fall.
    double gap = 0;
    std::int64_t iterations = 0;  // steps of two variables, or of one in coordinate descent
    std::int64_t rounds = 0;      // working sets solved
    bool converged = false;
};

/// Solves the program by decomposition into working sets (see decomposition.cpp). Where the matrix has
/// features, it starts from what a method for these finds: coordinate descent where they are sparse, an
/// interior point method where they are dense, or so few that it ends before coordinate descent does.
SmoSolution solve_smo(const BoxProgram& program, const SmoOptions& options, Control& control);

/// The offset of f = sum_t b_t k(x_t, .) + offset, from the optimality conditions of one group (0 or 1): the
/// mean descent of its free variables, or the middle of the interval that bounded ones allow.
double smo_offset(const BoxProgram& program, const SmoSolution& solution, int group = 0);

}  // namespace dk
