// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>

#include "base/parallel.hpp"
#include "solve/gram_matrix.hpp"

namespace dk {

/// Gathers K(rows, rows) from whole rows of the symmetric K. What is in the storage already stays there; of
/// the others, columns are copied from rows.
template <typename T>
BlockView<T> gathered(std::span<const T* const> values, std::span<const Index> rows, BlockStorage<T>& storage,
                      Control& control) {
    const Index count = std::ssize(rows);
    const std::vector<Index> fresh = storage.begin_exchange(rows);
    T* block = storage.data();
    const Index stride = storage.stride();
    parallel_for_rows(std::ssize(fresh), count, control, [&](Index f) {
        const T* in = values[fresh[f]];
        T* out = block + fresh[f] * stride;
        for (Index c = 0; c < count; ++c) out[c] = in[rows[c]];
    });
    if (std::ssize(fresh) == count) return storage.complete(rows);
    std::vector<char> stays(count, 1);
    for (const Index place : fresh) stays[place] = 0;
    // A few rows together have their elements of a column in one line of memory.
    constexpr Index together = 16;
    parallel_for_rows((count + together - 1) / together, together * std::ssize(fresh), control, [&](Index t) {
        const Index end = std::min(count, (t + 1) * together);
        for (const Index place : fresh) {
            for (Index r = t * together; r < end; ++r) {
                if (stays[r] != 0) block[r * stride + place] = block[place * stride + r];
            }
        }
    });
    return storage.complete(rows);
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
