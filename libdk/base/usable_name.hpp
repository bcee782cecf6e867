// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dk {

/// A name of a column, a class, a group or a row has at most so many bytes, since models, messages and pages
/// have copies of it.
inline constexpr std::size_t longest_name = std::size_t{1} << 16;

/// The name of an indicator is the column's with "=" and a category behind it.
inline constexpr std::size_t longest_indicator_name = 2 * longest_name + 1;

/// Says why a text of a file can be no name, such as "is no UTF-8"; nothing where it can.
std::string why_no_name(std::string_view text);

}  // namespace dk
