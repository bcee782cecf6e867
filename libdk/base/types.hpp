// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

namespace dk {

/// The type of rows, columns, counts and positions in containers. It is signed, as in the C interface and in
/// Eigen, so that a difference can be negative and a loop can count down past 0.
using Index = std::ptrdiff_t;

/// The bound of what has no bound.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace dk
