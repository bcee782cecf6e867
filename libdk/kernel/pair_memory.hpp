// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/large_array.hpp"
#include "base/memory.hpp"
#include "data/dataset.hpp"
#include "kernel/kernel.hpp"

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

/// A PairMemory knows the values of kernels of which a pair costs much, as an alignment of two series does,
/// between all training rows, so that no part of a training computes them again. Datasets that are selected
/// from the training rows know which of these they have (see TrainingOrigin), and kernels find their values
/// by their text. A pair's value does not depend on who asks for it: it is computed once, in the rows' order.
/// Kernels that keep rows of their own, as center does, compute what they learn of these themselves.
class PairMemory {
  public:
    PairMemory(Index rows, const MemoryBudget& budget) : rows_(rows), budget_(budget) {}

    /// Computes the values between all rows for those kernels of the bank of which pairs are dear, and for as
    /// many as the budget has room. Low-rank kernels, which look at few pairs, are left out. Progress goes
    /// towards `progress_end` where there is such a kernel, and stays elsewhere.
    void learn(const Bank& bank, const Dataset& rows, double progress_end, Control& control);

    bool empty() const { return known_.empty(); }
    /// Gives the memory that all values take.
    double bytes() const { return static_cast<double>(known_.size()) * PairValues::bytes(rows_); }

  private:
    friend class KnownPairs;

    struct Entry {
        PairValues values;
        bool complete = false;
    };

    /// Gives the values of the kernel of this text. Between all rows, while the memory learns, it makes room
    /// for them. Null where there are none.
    Entry* find(const std::string& kernel, bool all_rows);

    Index rows_;
    MemoryBudget budget_;
    bool learning_ = false;
    std::map<std::string, Entry> known_;  // by the kernels' texts
};

/// What a PairMemory knows of the rows of two datasets for one kernel. An evaluator writes there what it
/// computes while the memory learns, and reads later.
class KnownPairs {
  public:
    KnownPairs(const std::string& kernel, const Dataset& left, const Dataset& right);

    /// Tells whether all values are known.
    bool complete() const { return values_ != nullptr && !learning_; }
    /// Keeps a value where the memory learns.
    void keep(Index left_row, Index right_row, double value) const {
        if (learning_ && left_row <= right_row) (*values_)(left_row, right_row) = value;
    }
    /// Gives k(x, x) of a left row, or a right one.
    double self(Side side, Index row) const {
        const Index position = (side == Side::left ? left_ : right_)->position(row);
        return std::as_const(*values_)(position, position);
    }
    /// Writes the values of a block.
    template <typename T>
    void write(const Block& block, T* out, Index stride) const {
        for (Index i = 0; i < block.rows(); ++i) {
            const Index row = left_->position(block.left_rows[i]);
            for (Index j = 0; j < block.cols; ++j)
                out[i * stride + j] =
                    static_cast<T>(std::as_const(*values_)(row, right_->position(block.right_row + j)));
        }
    }

  private:
    std::shared_ptr<PairMemory> memory_;  // The values live as long as they are used.
    std::shared_ptr<const TrainingOrigin> left_;
    std::shared_ptr<const TrainingOrigin> right_;
    PairValues* values_ = nullptr;
    bool learning_ = false;
};

}  // namespace dk
