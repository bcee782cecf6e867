// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/large_array.hpp"
#include "base/memory.hpp"
#include "kernel/engine/kernel.hpp"

namespace dk {

/// The values of a kernel between all pairs of some rows, of which the upper triangle is kept.
class PairValues {
  public:
    explicit PairValues(Index rows) : rows_(rows), values_(rows * (rows + 1) / 2) {}

    double& operator()(Index i, Index j) { return values_[position(i, j)]; }
    double operator()(Index i, Index j) const { return values_[position(i, j)]; }

    static double bytes(Index rows) {
        return 4.0 * static_cast<double>(rows) * static_cast<double>(rows + 1);
    }

  private:
    Index position(Index i, Index j) const {
        const auto [row, col] = std::minmax(i, j);
        return row * (2 * rows_ - row - 1) / 2 + col;
    }

    Index rows_;
    LargeArray<double> values_;
};

/// KnownValues keeps the values of kernels of which a pair costs much, as an alignment of two series does,
/// between all training rows, so that no part of a training computes them again. A kernel that is learned is
/// replaced by one that looks values up where both rows are of the training set, and computes the others. A
/// pair's value does not depend on who asks for it: it is computed once, in the rows' order. Kernels look
/// values up as long as this object lives.
class KnownValues {
  public:
    /// Learns those kernels of the bank of which pairs are dear, as many as the budget has room for. Low-rank
    /// kernels, which look at few pairs, are left out. The rows, of series or strings, become a set of their
    /// own: those that they were selected from may have others. Progress goes towards `progress_end` where
    /// there is such a kernel, and stays elsewhere.
    void learn(Bank& bank, Dataset& rows, const MemoryBudget& budget, double progress_end, Control& control);

    bool empty() const { return values_.empty(); }
    /// Gives the memory that all values take.
    double bytes() const { return bytes_; }

  private:
    std::vector<std::shared_ptr<const PairValues>> values_;
    double bytes_ = 0;
};

}  // namespace dk
