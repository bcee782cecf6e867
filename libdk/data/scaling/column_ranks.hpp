// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "data/kind/dense_matrix.hpp"

namespace dk {

/// What takes a value of a column to its rank among the training rows, as a share of them from 0 to 1: a step
/// line through knots, values and their ranks, both of which ascend strictly within a column. Equal values
/// share the middle of their ranks. Values beyond those of the training rows have the rank of the last of
/// these, so that no outlier moves a row far.
struct ColumnRanks {
    std::vector<Index> first = {};  // Column j has the knots from first[j] up to first[j + 1].
    std::vector<double> values = {};
    std::vector<double> ranks = {};

    bool empty() const { return first.empty(); }
    /// Tells whether every column has knots, and they ascend as they must.
    bool sound() const;
    /// Gives the rank of a value of a column.
    double rank(Index column, double value) const;
    /// Gives the value of a column that has the rank, or the nearest one.
    double value(Index column, double rank) const;
};

/// A column keeps at most so many knots.
inline constexpr Index most_knots = 258;

/// Learns the ranks of columns without missing values. Ranks of two knots that follow one another differ by
/// at most 1/128, or their values do so in the column.
ColumnRanks fit_ranks(const DenseMatrix& matrix);

/// Tells whether ranks say something else than values: at least half of the columns that vary are so skewed,
/// or have such outliers, that their values and ranks correlate by less than 0.95.
bool ranks_differ_from_values(const DenseMatrix& matrix);

}  // namespace dk
