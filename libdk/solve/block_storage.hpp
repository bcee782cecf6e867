// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "base/large_array.hpp"

namespace dk {

/// A BlockView shows a solver some rows and columns of a matrix. Up to `block_slack` elements behind the last
/// row may be read, and mean nothing.
template <typename T>
struct BlockView {
    const T* values = nullptr;
    Index stride = 0;

    const T* row(Index i) const { return values + i * stride; }
};
inline constexpr Index block_slack = 16;

/// A BlockStorage has the memory for square blocks that a solver asks of one matrix, one after the other, and
/// knows which rows the last block has. Where a row keeps its place from one block to the next, its values
/// need not be fetched again.
template <typename T>
class BlockStorage {
  public:
    /// Gives room for a block of so many rows, one after the other, which the caller writes as a whole.
    T* begin_whole(Index count) {
        forget();
        if (values_.size() < count * count + block_slack)
            values_ = LargeArray<T>(count * count + block_slack);
        stride_ = count;
        return values_.data();
    }

    /// Gives the places of which the caller has to write the row and the column for a block of these rows.
    /// All else is there already.
    std::vector<Index> begin_exchange(std::span<const Index> rows) {
        const Index count = std::ssize(rows);
        std::vector<Index> fresh;
        for (Index place = 0; place < count; ++place) {
            if (place >= std::ssize(rows_) || rows_[place] != rows[place]) fresh.push_back(place);
        }
        if (count + block_slack > stride_ || count * stride_ > values_.size()) widen(count);
        forget();
        return fresh;
    }

    /// Tells that the block of these rows is complete. Until then none is known, since an exception may have
    /// come between.
    BlockView<T> complete(std::span<const Index> rows) {
        rows_.assign(rows.begin(), rows.end());
        return {values_.data(), stride_};
    }

    /// Forgets the block, where the next is of another matrix.
    void forget() { rows_.clear(); }

    T* data() { return values_.data(); }
    Index stride() const { return stride_; }

  private:
    /// Gives the block a place where its rows can grow by an eighth. They are an odd number of cache lines
    /// apart, so that the elements of a column do not all meet in the same places of a cache.
    void widen(Index count) {
        constexpr Index line = 64 / sizeof(T);
        const Index room = count + count / 8;
        const Index wide = (room + block_slack + line) / (2 * line) * (2 * line) + line;
        LargeArray<T> values(wide * room + block_slack);
        const Index known = std::min(count, std::ssize(rows_));
        for (Index place = 0; place < known; ++place)
            std::copy_n(values_.data() + place * stride_, known, values.data() + place * wide);
        values_ = std::move(values);
        stride_ = wide;
    }

    LargeArray<T> values_;
    Index stride_ = 0;
    std::vector<Index> rows_;
};

}  // namespace dk
