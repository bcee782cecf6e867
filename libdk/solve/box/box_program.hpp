// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "solve/gram_matrix.hpp"

namespace dk {

/// A BoxProgram is the quadratic program over a box
///
///     min 1/2 sum_st b_s b_t K(row_s, row_t) + 1/2 sum_t ridge_t b_t^2 + sum_t c_t b_t
///     subject to   lower <= b <= upper,
///
/// where the sum of b stays what it is at the start, over all variables or over each of two groups. The dual
/// of a support vector machine has this form with b_t = y_t alpha_t, c_t = -y_t and the training rows.
struct BoxProgram {
    GramMatrix& gram;
    std::vector<Index> rows;      // the row of each variable; empty: variable t is row t
    std::vector<double> linear;   // c
    std::vector<double> lower;    // -infinity where there is no bound
    std::vector<double> upper;    // infinity where there is no bound
    std::vector<double> ridge;    // empty: none
    std::vector<double> start;    // a feasible b
    std::vector<char> in_second;  // whether a variable is in the second group; empty: there is one group
    /// This is K start, with an element for each row of the matrix, where the maker knows it already; where
    /// it is empty, the solver computes it.
    std::vector<double> start_product = {};

    Index size() const { return std::ssize(linear); }
    Index row(Index t) const { return rows.empty() ? t : rows[t]; }
    std::size_t groups() const { return in_second.empty() ? 1 : 2; }
    std::size_t group(Index t) const { return in_second.empty() || in_second[t] == 0 ? 0 : 1; }
};

/// Makes a program of so many variables, one for each row, in which all numbers are zero and left for the
/// caller to fill in.
BoxProgram zero_program(GramMatrix& gram, Index variables);

/// Gives K b, with an element for each row of the matrix.
std::vector<double> gram_product(const BoxProgram& program, std::span<const double> b, Control& control);

/// Gives the sum of b over each group.
std::array<double, 2> group_sums(const BoxProgram& program, std::span<const double> b);

/// Moves variables, free ones first, as far as their bounds allow, until the sums of the groups are those of
/// the program's start again.
void restore_sums(const BoxProgram& program, std::span<double> b);

}  // namespace dk
