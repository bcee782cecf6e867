// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/types.hpp"

namespace dk {

/// The characters that separate words.
inline constexpr std::string_view blanks = " \t\r\n";

/// Reads a text from left to right: kernels, grids and settings are all read by it. The questions and the
/// readers of one thing (a name, a number, a character) first pass over blanks.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    /// Where the reading stands: the next character's position, counted from 1 as messages do.
    Index position() const { return at_ + 1; }
    /// Reads on from a position where the reading stood before.
    void return_to(Index position) { at_ = position - 1; }

    void skip_blanks();
    bool at_end();
    /// Whether `c` comes next.
    bool sees(char c);
    /// Reads `c` if it comes next.
    bool accept(char c);
    /// Whether a letter or an underscore comes next, with which names begin.
    bool sees_name();
    /// Whether a digit, a sign or a point comes next, with which numbers begin.
    bool sees_number();

    /// The letters, digits and underscores that come next.
    std::string_view name();
    /// What comes next and looks like a number; whoever needs its value finds out whether it is one.
    std::string_view number();
    /// Everything up to the first of these characters that stands outside of all brackets, which is not read,
    /// or up to the end.
    std::string_view until(std::string_view ends);
    /// The characters that come next, at most so many, for messages; they are not read.
    std::string_view preview(Index longest) const { return text_.substr(at_, longest); }

  private:
    bool more() const { return at_ < std::ssize(text_); }

    std::string_view text_;
    Index at_ = 0;
};

}  // namespace dk
