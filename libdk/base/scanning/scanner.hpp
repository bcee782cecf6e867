// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/types.hpp"

namespace dk {

/// These characters separate words.
inline constexpr std::string_view blanks = " \t\r\n";

/// Reads a text from left to right, such as a kernel, a grid or settings. The functions that ask for or read
/// a name, a number or a character skip blanks first.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    /// Gives the position of the next character, counted from 1 as in messages.
    Index position() const { return at_ + 1; }
    /// Goes back to a position that position() gave.
    void return_to(Index position) { at_ = position - 1; }

    void skip_blanks();
    bool at_end();
    /// Tells whether `c` comes next.
    bool sees(char c);
    /// Reads `c` if it comes next.
    bool accept(char c);
    /// Tells whether a letter or an underscore comes next, with which names begin.
    bool sees_name();
    /// Tells whether a digit, a sign or a point comes next, with which numbers begin.
    bool sees_number();

    /// Reads the letters, digits and underscores that come next.
    std::string_view name();
    /// Reads the characters that come next and may be in a number. The caller finds out whether they are one.
    std::string_view number();
    /// Reads up to the first of these characters outside of all brackets and double quotes, or up to the end
    /// of the text. It does not read the character itself.
    std::string_view until(std::string_view ends);
    /// Gives at most so many of the next characters for a message, without reading them.
    std::string_view preview(Index longest) const { return text_.substr(at_, longest); }

  private:
    bool more() const { return at_ < std::ssize(text_); }

    std::string_view text_;
    Index at_ = 0;
};

}  // namespace dk
