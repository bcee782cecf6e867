// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "kernel/gram/row_memory.hpp"

namespace dk {

/// A RowCache keeps some rows of a matrix in a ring, where new rows take the place of the oldest. The
/// operating system provides the memory's pages only as rows come. A cache whose memory another one has taken
/// is empty, and takes it back when rows are added.
template <typename T>
class RowCache {
  public:
    /// Makes a cache for at most `capacity` of the matrix's rows, which are `columns` values long.
    RowCache(Index capacity, Index rows, Index columns, std::shared_ptr<RowMemory> memory)
        : columns_(columns), memory_(std::move(memory)), place_of_(rows, -1), row_at_(capacity, -1) {}

    Index capacity() const { return std::ssize(row_at_); }

    /// Gives the memory, which caches of other matrices may use too.
    const std::shared_ptr<RowMemory>& memory() const { return memory_; }

    /// Gives the values of a row, or null where the row is not in the cache.
    const T* find(Index row) const {
        if (!memory_->template belongs_to<T>(ticket_) || place_of_[row] < 0) return nullptr;
        return memory_->template data<T>() + place_of_[row] * columns_;
    }

    /// Takes these rows, at most capacity() of them, into the cache, and gives the place for their values,
    /// one row after the other. Older rows are forgotten to make room.
    T* add(std::span<const Index> rows) {
        take_memory();
        if (next_ + std::ssize(rows) > capacity()) next_ = 0;
        T* values = memory_->template data<T>() + next_ * columns_;
        for (const Index row : rows) {
            if (row_at_[next_] >= 0) forget(row_at_[next_]);
            row_at_[next_] = row;
            place_of_[row] = next_++;
        }
        return values;
    }

    /// Forgets all rows.
    void clear() {
        std::ranges::fill(place_of_, -1);
        std::ranges::fill(row_at_, -1);
        next_ = 0;
    }

    /// Gives the cache of the principal submatrix of these rows, which ascend. It takes over the memory of
    /// this cache and those values in it that it needs, and this cache is empty afterwards.
    RowCache narrowed(std::span<const Index> rows, Control& control) {
        take_memory();
        const Index columns = std::ssize(rows);
        const Index room = memory_->template size<T>() / columns;
        RowCache narrow(std::min(room, std::max<Index>(columns, 4)), columns, columns, memory_);
        narrow.take_columns(*this, rows, control);
        return narrow;
    }

  private:
    static constexpr Index rows_at_once = 128;

    void forget(Index row) {
        row_at_[place_of_[row]] = -1;
        place_of_[row] = -1;
    }

    void take_memory() {
        if (memory_->template belongs_to<T>(ticket_)) return;
        ticket_ = memory_->template take<T>(capacity() * columns_);
        clear();
    }

    /// Moves the columns `rows` of these rows here from the wider cache. Both caches lie in the same memory,
    /// and a narrow row may go where wide rows of the same turn still stand. So some rows at a time pass
    /// through other memory.
    void take_columns(const RowCache& wide, std::span<const Index> rows, Control& control) {
        std::vector<Index> stored;  // positions among `rows`, in the order of the memory
        for (Index r = 0; r < columns_; ++r) {
            if (wide.find(rows[r]) != nullptr) stored.push_back(r);
        }
        std::ranges::sort(stored, {}, [&](Index r) { return wide.place_of_[rows[r]]; });
        stored.resize(std::min(std::ssize(stored), capacity()));
        T* const memory = memory_->template data<T>();
        LargeArray<T> passing(std::min(std::ssize(stored), rows_at_once) * columns_);
        for (Index begin = 0; begin < std::ssize(stored); begin += rows_at_once) {
            const Index count = std::min(rows_at_once, std::ssize(stored) - begin);
            parallel_for_rows(count, columns_, control, [&](Index s) {
                const T* from = memory + wide.place_of_[rows[stored[begin + s]]] * wide.columns_;
                T* to = passing.data() + s * columns_;
                for (Index c = 0; c < columns_; ++c) to[c] = from[rows[c]];
            });
            parallel_for_rows(count, columns_, control, [&](Index s) {
                std::copy_n(passing.data() + s * columns_, columns_, memory + (begin + s) * columns_);
            });
        }
        ticket_ = memory_->template take<T>(0);
        for (const Index row : stored) {
            row_at_[next_] = row;
            place_of_[row] = next_++;
        }
    }

    Index columns_;
    std::shared_ptr<RowMemory> memory_;
    RowMemory::Ticket ticket_ = RowMemory::nobody;
    std::vector<Index> place_of_;  // the place of each row in the ring, -1 where it has none
    std::vector<Index> row_at_;    // the row at each place of the ring, -1 where it is free
    Index next_ = 0;
};

}  // namespace dk
