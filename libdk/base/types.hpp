// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace dk {

/// Rows, columns and counts. Signed, as in the ABI and in Eigen.
using Index = std::ptrdiff_t;

/// A container's size, or an index into one, without sign warnings.
constexpr std::size_t unsigned_of(Index i) {
    return static_cast<std::size_t>(i);
}

template <typename Container>
constexpr Index size_of(const Container& container) {
    return static_cast<Index>(container.size());
}

}  // namespace dk
