// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// Copies the values at these positions. Empty values, which stand for none, stay empty.
template <typename T>
std::vector<T> select_values(const std::vector<T>& values, std::span<const Index> positions) {
    std::vector<T> selected;
    if (values.empty()) return selected;
    selected.reserve(positions.size());
    for (const Index i : positions) selected.push_back(values[i]);
    return selected;
}

/// Copies the rows at these positions of a table that has `width` values a row, row by row. An empty table,
/// which stands for none, stays empty.
template <typename T>
std::vector<T> select_rows_of_values(const std::vector<T>& table, Index width,
                                     std::span<const Index> positions) {
    std::vector<T> selected;
    if (table.empty()) return selected;
    selected.reserve(positions.size() * static_cast<std::size_t>(width));
    for (const Index i : positions)
        selected.insert(selected.end(), table.begin() + i * width, table.begin() + (i + 1) * width);
    return selected;
}

}  // namespace dk
