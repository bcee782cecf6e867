// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

namespace dk {

namespace {

/// Tells whether a number that no double can hold is too small for one, not too large: its first digit that
/// is not zero stands behind the point.
bool is_too_small(std::string_view number) {
    const auto mantissa = number.substr(0, number.find_first_of("eE"));
    const auto first = mantissa.find_first_of("123456789");
    const auto point = std::min(mantissa.find('.'), mantissa.size());
    std::int64_t exponent = 0;
    if (mantissa.size() < number.size()) {
        auto digits = number.substr(mantissa.size() + 1);
        if (digits.starts_with('+')) digits.remove_prefix(1);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
        if (error == std::errc::result_out_of_range) return digits.starts_with('-');
        constexpr std::int64_t beyond_any_text = std::int64_t{1} << 60U;
        exponent = std::clamp(exponent, -beyond_any_text, beyond_any_text);
    }
    return exponent + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) <= 0;
}

}  // namespace

std::string format_value(double value) {
    const bool integer = std::abs(value) < 1e15 && value == std::floor(value);
    return integer ? std::to_string(static_cast<std::int64_t>(value)) : format_number(value);
}

std::string format_number(double value) {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

const char* parse_plain_decimal(const char* begin, const char* end, double& value) {
    constexpr int most_digits = 15;
    constexpr std::array<double, most_digits + 1> powers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const bool negative = begin != end && *begin == '-';
    const char* at = negative ? begin + 1 : begin;
    std::int64_t digits = 0;
    int count = 0;  // Digits are counted up to one more than allowed.
    const auto take_digits = [&] {
        for (; at != end && *at >= '0' && *at <= '9' && count <= most_digits; ++at, ++count)
            digits = 10 * digits + (*at - '0');
    };
    take_digits();
    const int whole = count;
    if (at != end && *at == '.') {
        ++at;
        take_digits();
    }
    const int fraction = count - whole;
    if (count == 0 || count > most_digits || (at != end && (*at == 'e' || *at == 'E'))) return nullptr;
    // Both numbers are doubles without rounding, so the quotient is rounded once, to the nearest double
    // (Clinger, How to read floating point numbers accurately, PLDI 1990).
    const double quotient = static_cast<double>(digits) / powers[static_cast<std::size_t>(fraction)];
    value = negative ? -quotient : quotient;
    return at;
}

std::optional<double> parse_number(std::string_view text) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    double value = 0;
    const char* const whole = text.data() + text.size();
    if (!text.empty() && parse_plain_decimal(text.data(), whole, value) == whole) return value;
    const auto [end, error] = std::from_chars(text.data(), whole, value);
    if (error == std::errc::result_out_of_range && end == whole && is_too_small(text))
        return text.starts_with('-') ? -0.0 : 0.0;
    if (error != std::errc{} || end != whole || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string out = "'";
    for (const char c : text.substr(0, longest)) out += static_cast<unsigned char>(c) < 32 ? '?' : c;
    out += text.size() > longest ? "...'" : "'";
    return out;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) out += separator;
        out += parts[i];
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (true) {
        const auto end = text.find(separator);
        parts.emplace_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

}  // namespace dk
