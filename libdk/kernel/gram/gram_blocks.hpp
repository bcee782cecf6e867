// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>

#include "base/parallel.hpp"
#include "solve/gram_matrix.hpp"

namespace dk {

/// Makes room for so many values and for what vector loads read behind them. The values are lost when the
/// storage grows.
template <typename T>
void require_room(LargeArray<T>& storage, Index values) {
    if (storage.size() >= values + block_slack) return;
    storage = LargeArray<T>(values + block_slack);
    std::fill(storage.data() + values, storage.data() + storage.size(), T{});
}

/// Gathers K(rows, columns) from whole rows of K.
template <typename T>
BlockView<T> gathered(std::span<const T* const> rows, std::span<const Index> columns, LargeArray<T>& storage,
                      Control& control) {
    const Index count = std::ssize(columns);
    require_room(storage, std::ssize(rows) * count);
    parallel_for_rows(std::ssize(rows), count, control, [&](Index r) {
        T* out = storage.data() + r * count;
        for (Index c = 0; c < count; ++c) out[c] = rows[r][columns[c]];
    });
    return {storage.data(), count};
}

/// Tells whether the rows are 0, 1, ..., size - 1.
inline bool are_all_rows(std::span<const Index> rows, Index size) {
    if (std::ssize(rows) != size) return false;
    for (Index i = 0; i < size; ++i) {
        if (rows[i] != i) return false;
    }
    return true;
}

}  // namespace dk
