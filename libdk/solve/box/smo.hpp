// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "solve/box/box_program.hpp"

namespace dk {

struct SmoOptions {
    double tolerance = 1e-3;
    std::int64_t max_iterations = 0;  // 0: max(10^8, 1000 n) for n variables
    bool rough_search = false;        // whether to search in single precision first where that is cheaper
};

/// Gives how many iterations the options allow a program of n variables.
inline std::int64_t most_iterations(const SmoOptions& options, Index n) {
    return options.max_iterations > 0 ? options.max_iterations : std::max<std::int64_t>(100000000, 1000 * n);
}

/// Leaves for what follows at least one of the iterations that are given, and as many as are left.
inline SmoOptions after(const SmoOptions& options, std::int64_t iterations) {
    SmoOptions rest = options;
    if (rest.max_iterations > 0)
        rest.max_iterations = std::max<std::int64_t>(1, rest.max_iterations - iterations);
    return rest;
}

struct SmoSolution {
    std::vector<double> beta;  // b
    /// The descent is minus the gradient: -(K b + ridge b + linear). After a rough search it may be that of
    /// the rough matrix where a variable is zero and limits no other.
    std::vector<double> descent;
    double objective = 0;
    double length = 0;  // the square root of b' K b, the length of sum_t b_t x_t in feature space
    /// The gap is the largest violation of optimality: over the groups, the largest descent of a variable
    /// that can rise less the smallest of one that can fall.
    double gap = 0;
    std::int64_t iterations = 0;  // steps of two variables, or of one in coordinate descent
    std::int64_t rounds = 0;      // working sets solved
    bool converged = false;
    double drift = 0;           // a bound on the rounding that updates added to the descent
    bool rough_search = false;  // whether it was searched for in single precision first
};

/// Solves the program by decomposition into working sets (see decomposition.cpp). Where the matrix has
/// features, decomposition starts from what a faster method finds. That is coordinate descent where the
/// features are sparse, and an interior point method where they are dense, or so few that this method ends
/// before coordinate descent does. Elsewhere it may start from the solution in single precision, which needs
/// half the memory for rows; what the solution tells of itself is always of the program as it is.
SmoSolution solve_smo(const BoxProgram& program, const SmoOptions& options, Control& control);

/// Gives the offset of f = sum_t b_t k(x_t, .) + offset, from the optimality conditions of one group (0 or
/// 1). It is the mean descent of the group's free variables; where none is free, it is the middle of the
/// interval that the bounded ones allow.
double smo_offset(const BoxProgram& program, const SmoSolution& solution, int group = 0);

}  // namespace dk
