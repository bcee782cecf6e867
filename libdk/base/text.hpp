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

/// The shortest decimal text that reads back as the same double, in any locale.
std::string format_number(double value);

/// The same, with integers in digits alone, as integer parameters want them.
std::string format_value(double value);

/// The decimal that a text begins with, where it ends; null where it is not as plain as -12.75: with an
/// exponent or more than 15 digits. Several times faster than what reads all numbers.
const char* parse_plain_decimal(const char* begin, const char* end, double& value);

/// The whole of `text` as a finite double; nothing if it is anything else.
std::optional<double> parse_number(std::string_view text);

/// The whole of `text` as an integer; nothing if it is anything else.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// `text` in quotes for a message: shortened when long, control characters replaced.
std::string in_quotes(std::string_view text);

/// The candidate with the smallest edit distance to `name`; empty when there is none.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

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

/// The parts joined; numbers in their shortest exact form.
template <typename... Parts>
std::string text(const Parts&... parts) {
    std::string out;
    (append_text(out, parts), ...);
    return out;
}

}  // namespace dk
