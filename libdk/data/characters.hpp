// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dk {

/// Gives the characters of a text in UTF-8; throws Error(invalid_data) where it is not UTF-8.
std::u32string characters_of(std::string_view text);

/// Throws Error(invalid_data) where a text is no UTF-8, as characters_of() does, and gives nothing.
void require_characters(std::string_view text);

/// Gives the text in UTF-8 of some characters.
std::string text_of(std::u32string_view characters);

}  // namespace dk
