// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "data/dataset.hpp"
#include "kernel/engine/maps.hpp"
#include "kernel/engine/operands.hpp"

namespace dk {

/// The facts of the training data that a kernel specification asks for by `d`, `auto`, `median` and `mean`.
/// The data are absent while a specification is only checked; every answer is then a number that is allowed.
class DataFacts {
  public:
    explicit DataFacts(const Dataset* data) : data_(data) {}

    const Dataset* data() const { return data_; }

    /// How many columns these are; 1 while the data are absent and all are meant.
    Index column_count(const Columns& columns) const;

    /// An inverse width by a rule. "auto": 1 / (columns * mean variance), so that the mean of
    /// gamma |x - z|^2 over random pairs is 2. "mean" and "median": 1 over the mean or median pair sum of
    /// different rows, of all or of a sample.
    double width(std::string_view rule, PairSum sum, const Columns& columns) const;

  private:
    double automatic_width(const Columns& columns) const;

    const Dataset* data_;
};

/// 1 over the mean of some distances, or over their median by the rule "median"; with many equal objects,
/// whose median is 0, the mean is left. Nothing sensible to divide by: `otherwise`.
double inverse_of_typical(std::vector<double> distances, std::string_view rule, double otherwise);

}  // namespace dk
