// SPDX-License-Identifier: Apache-2.0
#include "exchange/model_text.hpp"

#include <charconv>

#include "base/text.hpp"
#include "base/unicode.hpp"
#include "base/usable_name.hpp"

namespace dk {

bool ModelText::next_line() {
    while (!rest_.empty()) {
        control_.check();
        const auto end = std::min(rest_.find('\n'), rest_.size());
        line_ = trimmed(rest_.substr(0, end));
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++line_number_;
        if (!line_.empty()) return true;
    }
    line_ = {};
    return false;
}

std::string_view ModelText::word() {
    const auto blank = [](char c) { return is_blank(c); };
    const auto begin = std::ranges::find_if_not(line_, blank);
    const auto end = std::find_if(begin, line_.end(), blank);
    line_ = {end, line_.end()};
    return {begin, end};
}

bool ModelText::more() {
    line_ = trimmed(line_);
    return !line_.empty();
}

void ModelText::end_line() {
    if (more()) refuse("expected the end of the line, found ", in_quotes(word()));
}

Index ModelText::lines_left() const {
    return std::ranges::count(rest_, '\n') + 1;
}

double ModelText::number(std::string_view what) {
    const std::string_view found = word();
    const auto value = parse_number(found);
    if (!value) refuse(what, " must be a finite number, it is ", in_quotes(found));
    return *value;
}

Index ModelText::integer(std::string_view what, Index lowest, Index highest) {
    const std::string_view found = word();
    const auto value = parse_integer(found);
    if (!value || *value < lowest || *value > highest)
        refuse(what, " must be an integer from ", lowest, " to ", highest, ", it is ", in_quotes(found));
    return *value;
}

std::vector<double> ModelText::numbers(std::string_view what) {
    std::vector<double> values;
    while (more()) values.push_back(number(what));
    return values;
}

std::vector<double> ModelText::numbers(std::string_view what, Index count) {
    std::vector<double> values = numbers(what);
    if (std::ssize(values) != count) refuse(what, " has ", values.size(), " numbers, it must have ", count);
    return values;
}

std::vector<Index> ModelText::integers(std::string_view what, Index count, Index lowest, Index highest) {
    std::vector<Index> values;
    while (more()) values.push_back(integer(what, lowest, highest));
    if (std::ssize(values) != count) refuse(what, " has ", values.size(), " integers, it must have ", count);
    return values;
}

namespace {

/// Decodes a name; gives nothing where a % has not two hexadecimal digits after it.
std::optional<std::string> decoded_name(std::string_view word) {
    std::string name;
    for (std::size_t c = 0; c < word.size(); ++c) {
        if (word[c] != '%') {
            name += word[c];
            continue;
        }
        unsigned value = 0;
        const char* const begin = word.data() + c + 1;
        if (c + 2 >= word.size() || std::from_chars(begin, begin + 2, value, 16).ptr != begin + 2 ||
            value == 0)
            return std::nullopt;
        name += static_cast<char>(value);
        c += 2;
    }
    return name;
}

}  // namespace

std::vector<std::string> ModelText::names() {
    std::vector<std::string> decoded;
    while (more()) {
        const std::string_view found = word();
        const auto name = decoded_name(found);
        if (!name || name->find('\0') != std::string::npos)
            refuse("the name ", in_quotes(found), " has a zero, or a % without two hexadecimal digits");
        if (name->size() > longest_name)
            refuse("a name has ", name->size(), " bytes; it has at most ", longest_name);
        if (!is_utf8(*name)) refuse("the name ", in_quotes(found), " is no UTF-8");
        decoded.push_back(*name);
    }
    return decoded;
}

}  // namespace dk
