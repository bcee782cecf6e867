// SPDX-License-Identifier: Apache-2.0
// This file knows what the terminal shows: how wide its lines are, how wide a text is, and colours.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "system.hpp"

namespace command {

// Gives the columns that a line on a stream may take, or 0 for no limit where the stream is no terminal.
// $COLUMNS goes before what the terminal says.
size_t columns_of_line(Stream stream = Stream::output);

// Tells whether a stream's terminal understands more than plain lines.
bool has_sequences(Stream stream);

// Counts the columns that a text takes: wide characters, as of Chinese, take two and combining ones none.
size_t columns_of(std::string_view text);

// Cuts a text that takes more columns, so that it ends in an ellipsis.
std::string shortened(const std::string& text, size_t columns);

// Breaks a text between words into lines of at most so many columns; 0 stands for no limit.
std::vector<std::string> wrapped(const std::string& text, size_t columns);

// Writes the numbers in a text, such as a kernel's, with four digits.
std::string with_short_numbers(const std::string& text);

// Replaces control characters, with which the name of a class could move the cursor.
std::string printable(std::string_view text);

// What a part of the output is, which a terminal shows by its colour.
enum class Tone { plain, heading, best, warning };

// Colours a text where the stream is a terminal that has colours and the user has not set NO_COLOR.
std::string toned(Tone tone, const std::string& text, Stream stream = Stream::output);

// Writes "dk: warning: ..." to standard error.
void warn(const std::string& message);

}  // namespace command
