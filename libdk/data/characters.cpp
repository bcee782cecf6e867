// SPDX-License-Identifier: Apache-2.0
#include "data/characters.hpp"

#include "base/error.hpp"

namespace dk {

namespace {

/// Gives each character of a text to `body`. Throws where the text is no UTF-8.
template <typename Body>
void for_characters(std::string_view text, Body body) {
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = [&](std::size_t i) {
            return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
        };
        const unsigned first = byte(0);
        const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
        char32_t character = length == 1 ? first : first & (0x7FU >> length);
        bool valid = first < 0x80 || (first >= 0xC2 && first < 0xF5);
        for (std::size_t i = 1; i < length; ++i) {
            valid = valid && (byte(i) & 0xC0U) == 0x80;
            character = character << 6U | (byte(i) & 0x3FU);
        }
        const bool overlong = (length == 3 && character < 0x800) || (length == 4 && character < 0x10000);
        const bool surrogate = character >= 0xD800 && character < 0xE000;
        if (!valid || overlong || surrogate || character > 0x10FFFF)
            fail(Status::invalid_data, in_quotes(text), " is no UTF-8: byte ", first, " at position ", at);
        body(character);
        at += length;
    }
}

}  // namespace

std::u32string characters_of(std::string_view text) {
    std::u32string out;
    for_characters(text, [&](char32_t character) { out += character; });
    return out;
}

void require_characters(std::string_view text) {
    for_characters(text, [](char32_t) {});
}

std::string text_of(std::u32string_view characters) {
    std::string text;
    const auto add = [&](char32_t bits) { text.push_back(static_cast<char>(bits)); };
    for (const char32_t c : characters) {
        const auto continuation = [&](unsigned shift) { add(0x80U | ((c >> shift) & 0x3FU)); };
        if (c < 0x80) {
            add(c);
        } else if (c < 0x800) {
            add(0xC0U | (c >> 6U));
            continuation(0);
        } else if (c < 0x10000) {
            add(0xE0U | (c >> 12U));
            continuation(6);
            continuation(0);
        } else {
            add(0xF0U | (c >> 18U));
            continuation(12);
            continuation(6);
            continuation(0);
        }
    }
    return text;
}

}  // namespace dk
