// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/number_notation.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.hpp"

namespace dk {

namespace {

// The longest number in other notation has far fewer characters, so that texts cost nothing.
constexpr std::size_t longest_number = 64;

constexpr std::array<std::string_view, 3> minus_signs{"\u2212", "\u2012", "\u2013"};
constexpr std::array<std::string_view, 3> wide_spaces{"\u00a0", "\u202f", "\u2009"};
constexpr std::array<std::string_view, 8> units{"%", "$", "\u20ac", "\u00a3", "\u00a5", "EUR", "USD", "CHF"};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool take_front(std::string_view& text, std::string_view part) {
    if (!text.starts_with(part)) return false;
    text.remove_prefix(part.size());
    return true;
}

bool take_back(std::string_view& text, std::string_view part) {
    if (!text.ends_with(part)) return false;
    text.remove_suffix(part.size());
    return true;
}

std::string_view without_spaces_around(std::string_view text) {
    const auto take_space = [&](auto take) {
        return std::ranges::any_of(wide_spaces, [&](auto space) { return take(text, space); });
    };
    do {
        text = trimmed(text);
    } while (take_space(take_front) || take_space(take_back));
    return text;
}

/// Takes the sign, which may stand before a currency or behind it. Tells whether it is a minus.
bool take_sign(std::string_view& text) {
    text = without_spaces_around(text);
    if (take_front(text, "-")) return true;
    if (std::ranges::any_of(minus_signs, [&](auto sign) { return take_front(text, sign); })) return true;
    take_front(text, "+");
    return false;
}

/// Takes one unit, before the digits or behind them.
void take_unit(std::string_view& text) {
    text = without_spaces_around(text);
    for (const std::string_view unit : units) {
        if ((unit != "%" && take_front(text, unit)) || take_back(text, unit)) break;
    }
    text = without_spaces_around(text);
}

/// Takes what separates groups of digits, and tells its length.
std::size_t separator_at(std::string_view text, char thousands) {
    if (text.empty()) return 0;
    if (text.front() == '_' || text.front() == ' ' || (thousands != '\0' && text.front() == thousands))
        return 1;
    const auto wide = std::ranges::find_if(wide_spaces, [&](auto space) { return text.starts_with(space); });
    return wide == wide_spaces.end() ? 0 : wide->size();
}

/// Takes the digits before the decimal mark. Behind the first separator all groups have three digits. Tells
/// whether they are well written.
bool take_whole_digits(std::string_view& text, char thousands, std::string& plain) {
    std::size_t group = 0;
    bool separated = false;
    while (!text.empty()) {
        if (is_digit(text.front())) {
            plain += text.front();
            text.remove_prefix(1);
            ++group;
            continue;
        }
        const std::size_t length = separator_at(text, thousands);
        if (length == 0) break;
        if (group == 0 || group > 3 || (separated && group != 3)) return false;
        text.remove_prefix(length);
        separated = true;
        group = 0;
    }
    return !separated || group == 3;
}

}  // namespace

std::optional<double> NumberNotation::value_of(std::string_view field) const {
    if (field.size() > longest_number) return {};
    bool negative = take_sign(field);
    take_unit(field);
    if (!negative) negative = take_sign(field);
    std::string plain;
    if (!take_whole_digits(field, thousands, plain)) return {};
    if (!field.empty() && field.front() == decimal) {
        plain += '.';
        field.remove_prefix(1);
        for (; !field.empty() && is_digit(field.front()); field.remove_prefix(1)) plain += field.front();
    }
    if (plain.empty() || plain == ".") return {};
    if (!field.empty() && std::string_view("eEdD").find(field.front()) != std::string_view::npos) {
        plain += 'e';
        field.remove_prefix(1);
        plain += field;
    } else if (!field.empty()) {
        return {};
    }
    const auto value = parse_number(plain);
    return value && negative ? -*value : value;
}

bool is_number_in_any_notation(std::string_view field) {
    constexpr std::array<NumberNotation, 3> all{{{'.', ','}, {',', '.'}, {'.', '\''}}};
    return std::ranges::any_of(all,
                               [&](const auto& notation) { return notation.value_of(field).has_value(); });
}

bool proves_decimal_comma(std::string_view field) {
    return field.find(',') != std::string_view::npos && NumberNotation{',', '.'}.value_of(field) &&
           !NumberNotation{'.', ','}.value_of(field);
}

bool may_have_other_notations(std::string_view content, char delimiter) {
    const auto has = [&](char mark) { return content.find(mark) != std::string_view::npos; };
    // Between plain fields a comma that delimits says nothing.
    if (delimiter != ',' && has(',')) return true;
    constexpr std::string_view marks = "\"%$_'dD";
    if (std::ranges::any_of(marks, has)) return true;
    unsigned char any = 0;  // Its highest bit is that of the bytes beyond ASCII.
    for (const char c : content) any |= static_cast<unsigned char>(c);
    return any >= 0x80;
}

}  // namespace dk
