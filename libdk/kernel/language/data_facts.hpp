// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "data/dataset.hpp"
#include "kernel/engine/operands.hpp"
#include "kernel/maps/maps.hpp"

namespace dk {

/// The facts of the training data for which a kernel specification asks by `d`, `auto`, `median` and `mean`.
/// While a specification is only checked there are no data; every answer is then a number that is allowed.
class DataFacts {
  public:
    explicit DataFacts(const Dataset* data) : data_(data) {}

    const Dataset* data() const { return data_; }

    /// The number of these columns, or of all columns where none are given; the latter is 1 while there are
    /// no data.
    Index column_count(const Columns& columns) const;

    /// The columns, or channels of series, that are not the same in all rows; the first one alone while there
    /// are no data. Of series it gives all.
    std::vector<Index> varying_columns() const;

    /// Finds an inverse width by a rule. The rule auto gives 1 / (columns * mean variance), so that the mean
    /// of gamma |x - z|^2 over random pairs is 2. The rules mean and median give 1 over the mean or the
    /// median of the pair sums of different rows; of many rows they take a sample, but for the mean of
    /// squares.
    double width(std::string_view rule, PairSum sum, const Columns& columns) const;

  private:
    double total_variance(const Columns& columns) const;
    double automatic_width(const Columns& columns) const;

    const Dataset* data_;
};

/// 1 over the mean of some distances or, by the rule "median", over their median. Where so many objects are
/// equal that the median is 0, the mean takes its place. Where there is no distance to divide by, the answer
/// is `otherwise`.
double inverse_of_typical(std::vector<double> distances, std::string_view rule, double otherwise);

}  // namespace dk
