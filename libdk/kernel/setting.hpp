// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "data/dataset.hpp"
#include "kernel/maps.hpp"
#include "kernel/operands.hpp"

namespace dk {

/// What `d`, `auto`, `median` and `mean` mean in a kernel specification: facts of the data, which are absent
/// while a specification is only checked.
class Setting {
  public:
    explicit Setting(const Dataset* data) : data_(data) {}

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

}  // namespace dk
