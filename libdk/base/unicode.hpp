// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dk {

/// Gives the number of bytes of the UTF-8 character that a text begins with, and 0 where it begins with none.
std::size_t character_bytes(std::string_view text);

/// Tells whether a text is UTF-8.
bool is_utf8(std::string_view text);

/// Tells whether a text begins with a control character, such as the escape with which terminals are told
/// what to do.
bool begins_with_control(std::string_view text);

/// Tells whether a text is UTF-8 without control characters, so that it stands on one line wherever it is
/// written, and moves no cursor there.
bool is_plain(std::string_view text);

/// Gives a text that is plain, with a question mark in place of each byte or character that is not.
std::string made_plain(std::string_view text);

/// Gives a text whose line breaks and tabs are spaces.
std::string on_one_line(std::string text);

}  // namespace dk
