// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dk {

/// Appends the lowest `count` bytes of a number, the lowest first.
inline void put_little_endian(std::vector<std::uint8_t>& out, std::uint64_t value, std::size_t count) {
    for (std::size_t b = 0; b < count; ++b, value >>= 8U) out.push_back(static_cast<std::uint8_t>(value));
}

/// Reads the number whose bytes stand at a position, the lowest first.
inline std::uint64_t little_endian_at(std::span<const std::uint8_t> bytes, std::size_t at,
                                      std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t b = count; b-- > 0;) value = value << 8U | bytes[at + b];
    return value;
}

}  // namespace dk
