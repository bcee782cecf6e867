// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// Writes text as a part of a page: what has a meaning there is spelled out, and bytes that are no UTF-8 and
/// control characters become a mark.
std::string escaped(std::string_view text);

/// Writes a number for people, with four digits.
std::string shown(double value);

/// Writes a share, such as 12.5 %.
std::string shown_percent(double percent);

/// Shortens a text to so many characters, and marks that.
std::string shortened(std::string_view text, std::size_t most);

/// A table of a page. Cells are parts of a page already; columns of numbers stand to the right.
struct HtmlTable {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
    std::vector<bool> numbers;
};
std::string html_of(const HtmlTable& table);

/// A part of a page with a heading, and a sentence that says what is seen.
std::string section(std::string_view title, std::string_view introduction, std::string_view content);

/// Puts figures and cards side by side where there is room.
std::string side_by_side(std::span<const std::string> parts);

/// A whole page: one file without anything from elsewhere, light or dark as the reader's system is, with room
/// for narrow screens and paper.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace dk
