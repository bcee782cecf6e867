// SPDX-License-Identifier: Apache-2.0
#include "base/unicode.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace dk {

std::size_t character_bytes(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (text.empty()) return 0;
    const std::size_t length = byte(0) < 0x80   ? 1
                               : byte(0) < 0xC2 ? 0
                               : byte(0) < 0xE0 ? 2
                               : byte(0) < 0xF0 ? 3
                               : byte(0) < 0xF5 ? 4
                                                : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return 0;
    }
    const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
    const bool outside = (byte(0) == 0xED && byte(1) > 0x9F) || (byte(0) == 0xF4 && byte(1) > 0x8F);
    return overlong || outside ? 0 : length;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = character_bytes(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

bool begins_with_control(std::string_view text) {
    if (text.empty()) return false;
    const auto first = static_cast<unsigned char>(text.front());
    // U+0080 to U+009F are control characters too: terminals take U+009B for an escape and a bracket.
    const bool of_second_set = first == 0xC2 && character_bytes(text) == 2 && text[1] < '\xA0';
    return first < 0x20 || first == 0x7F || of_second_set;
}

bool is_plain(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = character_bytes(text);
        if (length == 0 || begins_with_control(text)) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string made_plain(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = character_bytes(text);
        const bool shown = length > 0 && !begins_with_control(text);
        out += shown ? text.substr(0, length) : "?";
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

std::string on_one_line(std::string text) {
    std::ranges::replace_if(text, is_blank, ' ');
    return text;
}

}  // namespace dk
