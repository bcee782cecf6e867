// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/calendar_dates.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "base/text.hpp"

namespace dk {

namespace {

/// Takes a number of at most so many digits from a text; -1 says that there is none.
int take_digits(std::string_view& text, std::size_t most) {
    std::size_t count = 0;
    int value = 0;
    for (; count < std::min(most, text.size()) && text[count] >= '0' && text[count] <= '9'; ++count)
        value = 10 * value + (text[count] - '0');
    text.remove_prefix(count);
    return count == 0 ? -1 : value;
}

bool take_mark(std::string_view& text, char mark) {
    if (!text.starts_with(mark)) return false;
    text.remove_prefix(1);
    return true;
}

/// Three numbers with the same mark between them.
struct Parts {
    std::array<int, 3> numbers{};
    char mark = '\0';
};

std::optional<Parts> take_parts(std::string_view& text) {
    Parts parts;
    for (std::size_t i = 0; i < parts.numbers.size(); ++i) {
        if (i == 1 && !text.empty()) parts.mark = text.front();
        if (i > 0 && !take_mark(text, parts.mark)) return {};
        parts.numbers[i] = take_digits(text, 4);
        if (parts.numbers[i] < 0) return {};
    }
    return parts;
}

/// Takes a time such as T12:30:59.5Z or 12:30, and gives the share of the day that has passed.
std::optional<double> take_time(std::string_view& text) {
    if (text.empty()) return 0;
    if (!take_mark(text, 'T') && !take_mark(text, ' ')) return {};
    const int hours = take_digits(text, 2);
    if (hours < 0 || hours > 24 || !take_mark(text, ':')) return {};
    const int minutes = take_digits(text, 2);
    if (minutes < 0 || minutes > 59) return {};
    double seconds = 0;
    if (take_mark(text, ':')) {
        if (text.ends_with('Z')) text.remove_suffix(1);
        const auto number = parse_number(text);
        if (!number || *number < 0 || *number > 60) return {};
        seconds = *number;
        text = {};
    }
    if (!text.empty()) return {};
    return (60 * (60.0 * hours + minutes) + seconds) / 86400;
}

/// Orders the parts. An American date has the month first, a British one the day, and both have slashes.
std::optional<std::chrono::year_month_day> date_of(const Parts& parts) {
    using namespace std::chrono;
    const auto [a, b, c] = parts.numbers;
    const bool year_first = a > 31 && (parts.mark == '-' || parts.mark == '/');
    const bool day_first = c > 31 && parts.mark == '.';
    if (!year_first && !day_first) return {};
    const year_month_day date{year(year_first ? a : c), month(static_cast<unsigned>(b)),
                              day(static_cast<unsigned>(year_first ? c : a))};
    return date.ok() ? std::optional(date) : std::nullopt;
}

bool is_unsure_date(const Parts& parts) {
    const auto [a, b, c] = parts.numbers;
    return (parts.mark == '/' || parts.mark == '-' || parts.mark == '.') && std::min(a, b) >= 1 &&
           std::min(a, b) <= 12 && std::max(a, b) <= 31 && c >= 0;
}

}  // namespace

bool looks_like_date(std::string_view text) {
    const auto parts = take_parts(text);
    return parts && take_time(text) && (date_of(*parts) || is_unsure_date(*parts));
}

std::optional<double> number_of_date(std::string_view text, DateNumber what) {
    using namespace std::chrono;
    const auto parts = take_parts(text);
    if (!parts) return {};
    const auto time = take_time(text);
    const auto date = date_of(*parts);
    if (!date || !time) return {};
    const sys_days whole = *date;
    switch (what) {
        case DateNumber::days:
            return static_cast<double>(whole.time_since_epoch().count()) + *time;
        case DateNumber::day_of_year:
            return static_cast<double>((whole - sys_days(date->year() / January / 1)).count() + 1);
        case DateNumber::weekday:
            return static_cast<double>(weekday(whole).iso_encoding());
    }
    return {};
}

}  // namespace dk
