// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/large_array.hpp"
#include "base/types.hpp"

namespace dk {

/// Some rows of a matrix in a ring: new rows take the place of the oldest. Memory is touched as rows come.
template <typename T>
class RowStore {
  public:
    /// `memory` may hold what a store before left behind, and grows when it is too small.
    RowStore(Index most_rows, Index rows, Index row_size, LargeArray<T>& memory)
        : row_size_(row_size),
          memory_(memory),
          position_(unsigned_of(rows), -1),
          row_at_(unsigned_of(most_rows), -1) {
        if (memory_.size() < most_rows * row_size) memory_ = LargeArray<T>(most_rows * row_size);
    }

    /// Null where the row is not stored.
    const T* find(Index i) const {
        const Index slot = position_[unsigned_of(i)];
        return slot < 0 ? nullptr : memory_.data() + slot * row_size_;
    }

    /// Makes the rows, at most most_rows(), stored ones and gives the place for them, one after the other;
    /// others are forgotten for it.
    T* add(std::span<const Index> rows) {
        if (next_ + size_of(rows) > most_rows()) next_ = 0;
        T* place = memory_.data() + next_ * row_size_;
        for (const Index i : rows) {
            forget(row_at_[unsigned_of(next_)]);
            row_at_[unsigned_of(next_)] = i;
            position_[unsigned_of(i)] = next_++;
        }
        return place;
    }

    void forget(Index i) {
        if (i < 0) return;
        row_at_[unsigned_of(position_[unsigned_of(i)])] = -1;
        position_[unsigned_of(i)] = -1;
    }

    Index most_rows() const { return size_of(row_at_); }

  private:
    Index row_size_;
    LargeArray<T>& memory_;
    std::vector<Index> position_;  // of each row of the matrix, -1 where it is not stored
    std::vector<Index> row_at_;    // of each place in the ring
    Index next_ = 0;
};

}  // namespace dk
