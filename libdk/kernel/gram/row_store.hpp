// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/large_array.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"

namespace dk {

/// Some rows of a matrix in a ring: new rows take the place of the oldest. Memory is touched as rows come.
template <typename T>
class RowStore {
  public:
    /// `memory` may hold what a store before left behind, and grows when it is too small.
    RowStore(Index most_rows, Index rows, Index row_size, LargeArray<T>& memory)
        : row_size_(row_size), memory_(memory), position_(rows, -1), row_at_(most_rows, -1) {
        if (memory_.size() < most_rows * row_size) memory_ = LargeArray<T>(most_rows * row_size);
    }

    /// Null where the row is not stored.
    const T* find(Index i) const {
        const Index slot = position_[i];
        return slot < 0 ? nullptr : memory_.data() + slot * row_size_;
    }

    /// Makes the rows, at most most_rows(), stored ones and gives the place for them, one after the other;
    /// others are forgotten for it.
    T* add(std::span<const Index> rows) {
        if (next_ + std::ssize(rows) > most_rows()) next_ = 0;
        T* place = memory_.data() + next_ * row_size_;
        for (const Index i : rows) {
            forget(row_at_[next_]);
            row_at_[next_] = i;
            position_[i] = next_++;
        }
        return place;
    }

    void forget(Index i) {
        if (i < 0) return;
        row_at_[position_[i]] = -1;
        position_[i] = -1;
    }

    Index most_rows() const { return std::ssize(row_at_); }

    /// A store in the same memory for the matrix of these rows alone, ascending, with what is here of them;
    /// nothing is left here.
    RowStore narrowed(std::span<const Index> rows, Control& control) {
        const Index count = std::ssize(rows);
        RowStore narrow(std::min(memory_.size() / count, std::max<Index>(count, 4)), count, count, memory_);
        std::vector<Index> stored;  // positions among `rows`, in the order of the memory
        for (Index r = 0; r < count; ++r) {
            if (find(rows[r]) != nullptr) stored.push_back(r);
        }
        std::ranges::sort(stored, {}, [&](Index r) { return position_[rows[r]]; });
        stored.resize(std::min(std::ssize(stored), narrow.most_rows()));
        // some rows at a time by way of other memory: where they go others of the same turn may be
        LargeArray<T> passing(std::min(std::ssize(stored), rows_at_once) * count);
        for (Index begin = 0; begin < std::ssize(stored); begin += rows_at_once) {
            const auto some =
                std::span(stored).subspan(begin, std::min(rows_at_once, std::ssize(stored) - begin));
            parallel_for(std::ssize(some), control, [&](Index s) {
                const T* from = find(rows[some[s]]);
                T* to = passing.data() + s * count;
                for (Index c = 0; c < count; ++c) to[c] = from[rows[c]];
            });
            T* place = narrow.add(some);
            parallel_for(std::ssize(some), control,
                         [&](Index s) { std::copy_n(passing.data() + s * count, count, place + s * count); });
        }
        for (const Index i : row_at_) forget(i);
        next_ = 0;
        return narrow;
    }

  private:
    static constexpr Index rows_at_once = 128;

    Index row_size_;
    LargeArray<T>& memory_;
    std::vector<Index> position_;  // of each row of the matrix, -1 where it is not stored
    std::vector<Index> row_at_;    // of each place in the ring
    Index next_ = 0;
};

}  // namespace dk
