// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/control.hpp"
#include "data/dataset.hpp"

namespace dk {

/// Finds which rows of a set are nearest to others in a kernel's feature space, without the kernel's values
/// for all of them. Any number of threads may use it.
class RowSearch {
  public:
    RowSearch() = default;
    virtual ~RowSearch() = default;
    RowSearch(const RowSearch&) = delete;
    RowSearch& operator=(const RowSearch&) = delete;

    /// Writes the positions of as many rows of the set as `out` has room for, which are no more than there
    /// are: those nearest to a row of `data`, the nearest first. Of two that are as near, the first counts as
    /// nearer. It returns early when the control is stopping, with positions that mean nothing.
    virtual void find(const Dataset& data, Index row, std::span<Index> out, const Control& control) const = 0;
};

}  // namespace dk
