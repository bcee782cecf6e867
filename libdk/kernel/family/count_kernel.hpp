// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "kernel/engine/kernel.hpp"

namespace dk {

/// How often parts occur in objects: a row for each object, a column for each part.
struct PartCounts {
    SparseMatrix left;
    SparseMatrix right;  // is empty when both sides are one dataset
};

/// What makes a kernel k(x, z) = sum_u count(u, x) count(u, z) over the parts u of objects x and z.
struct CountFunction {
    std::string text;
    DataKind kind = DataKind::strings;
    /// Numbers the parts of both sides and counts them; `right` is null when both sides are one dataset.
    std::function<PartCounts(const Dataset& left, const Dataset* right)> count;
};

/// Makes such a kernel.
KernelPointer make_count_kernel(CountFunction function);

/// Collects the counts of a dataset, one row after the other.
class CountCollector {
  public:
    /// Counts a part in the present row.
    void add(Index part) { ++counts_[part]; }
    /// Ends the present row and begins the next.
    void finish_row();
    /// Gives away the counts of all rows; `parts` is the number of parts.
    SparseMatrix take(Index parts);

  private:
    std::map<Index, double> counts_;
    SparseMatrix matrix_{0, 0, {0}, {}, {}};
};

}  // namespace dk
