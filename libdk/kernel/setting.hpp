// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/dataset.hpp"
#include "kernel/operands.hpp"

namespace dk {

/// What `d` and `auto` mean in a kernel specification: facts of the data, which are absent while a
/// specification is only checked.
class Setting {
  public:
    explicit Setting(const Dataset* data) : data_(data) {}

    const Dataset* data() const { return data_; }

    /// How many columns these are; 1 while the data are absent and all are meant.
    Index column_count(const Columns& columns) const;

    /// 1 / (columns * mean variance): the mean of gamma |x - z|^2 over random pairs is then 2.
    double automatic_width(const Columns& columns) const;

  private:
    const Dataset* data_;
};

}  // namespace dk
