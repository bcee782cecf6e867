// SPDX-License-Identifier: Apache-2.0
#include "model/archive/definite_lengths.hpp"

namespace dk {

namespace {

/// The first byte of an item has its major type in three bits, and in five its argument or how long that is
/// (RFC 8949, section 3).
enum class MajorType { positive, negative, bytes, text, array, map, tag, simple };
constexpr unsigned one_byte_argument = 24;
constexpr unsigned eight_byte_argument = 27;

}  // namespace

std::optional<std::size_t> count_definite_items(std::span<const std::uint8_t> document, Control& control) {
    Polls polls(control);
    std::size_t items = 0;
    while (!document.empty()) {
        polls.step();
        ++items;
        const auto type = static_cast<MajorType>(document.front() >> 5U);
        const unsigned information = document.front() & 31U;
        document = document.subspan(1);
        std::uint64_t argument = information;
        if (information > eight_byte_argument) return {};
        if (information >= one_byte_argument) {
            const std::size_t size = std::size_t{1} << (information - one_byte_argument);
            if (size > document.size()) return {};
            argument = 0;
            for (const std::uint8_t byte : document.first(size)) argument = argument << 8U | byte;
            document = document.subspan(size);
        }
        const bool sized = type == MajorType::bytes || type == MajorType::text || type == MajorType::array ||
                           type == MajorType::map;
        if (sized && argument > document.size()) return {};
        if (type == MajorType::bytes || type == MajorType::text) document = document.subspan(argument);
    }
    return items;
}

}  // namespace dk
