// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "kernel/kernel.hpp"

namespace dk {

/// Objects described by how often parts occur in them.
struct PartCounts {
    SparseMatrix left;
    SparseMatrix right;  // unused when both sides are one dataset
};

/// k(x, z) = the inner product of the counts of parts.
struct CountFunction {
    std::string text;
    DataKind kind = DataKind::strings;
    /// Numbers the parts of both sides and counts them; `right` is null when it is left.
    std::function<PartCounts(const Dataset& left, const Dataset* right)> count;
};

KernelPointer make_count_kernel(CountFunction function);

/// Collects counts row by row.
class CountCollector {
  public:
    void add(Index part) { ++counts_[part]; }
    void finish_row();
    SparseMatrix take(Index parts);

  private:
    std::map<Index, double> counts_;
    SparseMatrix matrix_{0, 0, {0}, {}, {}};
};

}  // namespace dk
