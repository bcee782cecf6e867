// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "solve/gram_source.hpp"

namespace dk {

/// min 1/2 sum_st b_s b_t K(row_s, row_t) + 1/2 sum_t ridge_t b_t^2 + sum_t linear_t b_t
/// over lower <= b <= upper, where the sum of b stays as it is at the start (over each of two groups, where
/// there are two). A support vector machine's dual is of this form with b_t = y_t alpha_t.
struct BoxProgram {
    GramSource& gram;
    std::vector<Index> rows;      // of each variable; empty: variable t is row t
    std::vector<double> linear;   // c
    std::vector<double> lower;    // may be -infinity
    std::vector<double> upper;    // may be infinity
    std::vector<double> ridge;    // empty: none
    std::vector<double> start;    // feasible
    std::vector<char> in_second;  // whether a variable is in the second group; empty: one group
    /// K start, one a row of the matrix, where it is known already; empty: it is computed.
    std::vector<double> start_product = {};

    Index size() const { return size_of(linear); }
    Index row(Index t) const { return rows.empty() ? t : rows[unsigned_of(t)]; }
};

/// A program of so many variables that are all held at zero, one a row, for its maker to fill in.
BoxProgram zero_program(GramSource& gram, Index variables);

struct SmoOptions {
    double tolerance = 1e-3;
    std::int64_t max_iterations = 0;  // 0: max(10^8, 1000 n)
    std::int64_t max_rounds = 0;      // 0: any number
};

struct SmoSolution {
    std::vector<double> beta;
    /// Minus the gradient: -(K b + ridge b + linear).
    std::vector<double> descent;
    double objective = 0;
    /// The largest violation of the optimality conditions: over each group, the largest descent of a variable
    /// that can rise less the smallest of one that can fall.
    double gap = 0;
    std::int64_t iterations = 0;
    std::int64_t rounds = 0;  // working sets
    bool converged = false;
};

/// Decomposition by working sets of at most about a thousand variables, each solved by sequential minimal
/// optimisation (Joachims 1999; Fan, Chen, Lin, JMLR 6, 2005); the rows of a set are computed together. A
/// program that is not larger is one working set. Where the matrix has features, an interior point method
/// goes first; sparse ones where few variables matter are done sooner without it, so that decomposition has a
/// few rounds to show that.
SmoSolution solve_smo(const BoxProgram& program, const SmoOptions& options, Control& control);

/// The threshold of f = sum_t b_t k(x_t, .) + offset from the optimality conditions of one group (0 or 1):
/// the mean descent of free variables, or the middle of the interval that bounded ones allow.
double smo_offset(const BoxProgram& program, const SmoSolution& solution, int group = 0);

}  // namespace dk
