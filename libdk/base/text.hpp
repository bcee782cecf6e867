// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace dk {

/// Writes the shortest decimal text that reads back as the same double, in any locale.
std::string format_number(double value);

/// Writes a number as format_number() does, but integers without an exponent, as integer parameters need
/// them.
std::string format_value(double value);

/// Reads the plain decimal that a text begins with, such as -12.75, and gives its end. It gives null for a
/// number with an exponent or more than 15 digits. It is several times faster than parse_number().
const char* parse_plain_decimal(const char* begin, const char* end, double& value);

/// Reads `text` as a finite double; it gives nothing if the whole text is not one.
std::optional<double> parse_number(std::string_view text);

/// Reads `text` as an integer; it gives nothing if the whole text is not one.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// Puts `text` in quotes for a message. It shortens long text and replaces control characters.
std::string in_quotes(std::string_view text);

std::string join(std::span<const std::string> parts, std::string_view separator);
inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
std::string_view trimmed(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);

inline void append_text(std::string& out, std::string_view part) {
    out += part;
}

template <typename Number>
requires std::is_arithmetic_v<Number>
void append_text(std::string& out, Number part) {
    if constexpr (std::is_same_v<Number, char>) {
        out += part;
    } else if constexpr (std::is_integral_v<Number>) {
        out += std::to_string(part);
    } else {
        out += format_number(static_cast<double>(part));
    }
}

/// Joins the parts, with numbers as format_number() writes them.
template <typename... Parts>
std::string text(const Parts&... parts) {
    std::string out;
    (append_text(out, parts), ...);
    return out;
}

}  // namespace dk
