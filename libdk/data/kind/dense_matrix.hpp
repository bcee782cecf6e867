// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/rows.hpp"
#include "base/types.hpp"

namespace dk {

/// The similarity of rows to any points, which the user computes when asked.
struct PointSimilarity {
    /// Writes the similarities of some of the user's rows to points, rows x points without gaps. The points
    /// are `count` rows of coordinates that follow one another.
    using Compute = std::function<void(std::span<const Index> rows, std::span<const double> points,
                                       Index count, double* out)>;

    Compute compute;
    bool concurrent = false;  // Several threads may call `compute` at once if this is true.
};

/// A matrix of features whose rows follow one another without gaps.
struct DenseMatrix {
    Index rows = 0;
    Index cols = 0;
    std::vector<double> values = {};
    bool may_miss = false;  // A NaN stands for a missing value where this is true, and is refused elsewhere.
    // The user knows a row by its place in its set. Of rows that are scaled or made anew the user knows
    // nothing. This is null where there is no such similarity.
    std::shared_ptr<const PointSimilarity> similarity = {};

    std::span<double> row(Index i) { return row_of(values, cols, i); }
    std::span<const double> row(Index i) const { return row_of(values, cols, i); }

    Index row_count() const { return rows; }
    Index column_count() const { return cols; }
    double bytes() const { return static_cast<double>(sizeof(double)) * values.size(); }
    DenseMatrix select(std::span<const Index> chosen) const;
    /// Throws Error(invalid_data) that names row and column of the first NaN that stands for no missing
    /// value, or of the first infinity.
    void require_finite() const;
};

}  // namespace dk
