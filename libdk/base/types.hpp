// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

namespace dk {

/// Rows, columns, counts and positions in containers. It is signed, as in the ABI and in Eigen, so that
/// differences and downward loops are what they look like.
using Index = std::ptrdiff_t;

/// The bound of what has no bound.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace dk
