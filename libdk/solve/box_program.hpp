// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

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
    std::size_t groups() const { return in_second.empty() ? 1 : 2; }
    std::size_t group(Index t) const {
        return in_second.empty() ? 0 : static_cast<std::size_t>(in_second[unsigned_of(t)]);
    }
};

/// A program of so many variables that are all held at zero, one a row, for its maker to fill in.
BoxProgram zero_program(GramSource& gram, Index variables);

/// K b, one a row of the matrix.
std::vector<double> gram_product(const BoxProgram& program, std::span<const double> b, Control& control);

/// The sums over each group.
std::array<double, 2> group_sums(const BoxProgram& program, std::span<const double> b);

/// Moves variables, free ones first, as far as their bounds allow until the sums are those of the start.
void restore_sums(const BoxProgram& program, std::span<double> b);

}  // namespace dk
