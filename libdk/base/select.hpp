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

}  // namespace dk
