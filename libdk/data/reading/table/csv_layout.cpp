// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/csv_layout.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "base/error.hpp"
#include "base/unicode.hpp"
#include "base/usable_name.hpp"
#include "data/reading/table/number_notation.hpp"

namespace dk {

namespace {

/// Counts the delimiters of a line that stand outside of quotes.
Index count_outside_quotes(std::string_view line, char delimiter) {
    Index count = 0;
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        count += c == delimiter && !quoted ? 1 : 0;
    }
    return count;
}

/// Gives the first lines that are not blank.
std::vector<std::string_view> first_lines(std::string_view content) {
    constexpr std::size_t enough = 20;
    std::vector<std::string_view> lines;
    while (!content.empty() && lines.size() < enough) {
        const auto end = std::min(content.find('\n'), content.size());
        if (const auto line = trimmed(content.substr(0, end)); !line.empty()) lines.push_back(line);
        content.remove_prefix(std::min(end + 1, content.size()));
    }
    return lines;
}

}  // namespace

char guess_delimiter(std::string_view content, char label_delimiter) {
    const auto lines = first_lines(content);
    if (lines.empty()) return ',';
    // Every line of a table has as many delimiters. Where two marks do, the comma is the decimal one.
    for (const char candidate : {'\t', ';', ',', '|'}) {
        if (candidate == label_delimiter) continue;
        const Index count = count_outside_quotes(lines.front(), candidate);
        const bool all = std::ranges::all_of(
            lines, [&](auto line) { return count_outside_quotes(line, candidate) == count; });
        if (count > 0 && all) return candidate;
    }
    for (const char candidate : {',', ';', '\t'}) {
        if (candidate != label_delimiter && count_outside_quotes(lines.front(), candidate) > 0)
            return candidate;
    }
    return label_delimiter != ' ' && lines.front().find(' ') != std::string_view::npos ? ' ' : ',';
}

namespace {

/// Says whether columns of text alone have names in their first line: none of these stands again in its
/// column, though other texts do.
bool first_line_stands_alone(const CsvTable& table, Control& control) {
    Polls polls(control);
    bool any_repeats = false;
    for (Index j = 0; j < table.columns; ++j) {
        std::set<std::string_view> seen;
        for (Index i = 1; i < table.rows(); ++i) {
            polls.step();
            if (table.field(i, j) == table.field(0, j)) return false;
            any_repeats = any_repeats || !seen.insert(table.field(i, j)).second;
        }
    }
    return any_repeats;
}

/// Says whether a field can be a name, which no number in any notation and no marker of a missing value is.
bool can_be_name(std::string_view field, const ReadingOptions& options) {
    return !parse_number(field) && !options.missing.marks_number(field) && !says_infinite(field) &&
           !is_number_in_any_notation(field);
}

/// Says whether the first value below the first line is a number.
bool number_stands_below(const CsvTable& table, Index column, const ReadingOptions& options) {
    for (Index i = 1; i < table.rows(); ++i) {
        const std::string_view field = table.field(i, column);
        if (!options.missing.marks_number(field)) return !can_be_name(field, options);
    }
    return false;
}

}  // namespace

bool looks_like_header(const CsvTable& table, const ReadingOptions& options, Control& control) {
    const std::span<const std::string_view> all(table.fields);
    const auto first = all.first(table.columns);
    const auto is_text = [&](std::string_view field) { return can_be_name(field, options); };
    if (table.rows() == 1) return std::ranges::all_of(first, is_text);
    constexpr std::array<std::string_view, 7> known{"label", "class",  "target",  "series",
                                                    "text",  "string", "sequence"};
    const FeatureNames features(options.earlier_features);
    for (const std::string_view name : first) {
        if (name.size() > longest_name) continue;  // which take_header() refuses
        if (std::ranges::find(known, lower_case(name)) != known.end()) return true;
        if (is_text(name) && (name == options.label || name == options.text || name == options.groups))
            return true;
        if (features.have(name)) return true;
    }
    const auto second = all.subspan(table.columns, table.columns);
    for (Index j = 0; j < table.columns; ++j) {
        if (is_text(first[j]) && number_stands_below(table, j, options)) return true;
    }
    const bool only_text = std::ranges::all_of(first, is_text) && std::ranges::all_of(second, is_text);
    return only_text && first_line_stands_alone(table, control);
}

std::optional<char> take_delimiter_line(std::string_view& content) {
    constexpr std::string_view word = "sep=";
    const auto end = content.find('\n');
    if (end == std::string_view::npos || !content.starts_with(word)) return {};
    std::string_view line = content.substr(word.size(), end - word.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() != 1) return {};
    content.remove_prefix(end + 1);
    return line.front();
}

Comments take_comments(std::string_view& content) {
    Comments comments;
    std::string_view rest = content;
    while (rest.starts_with('#')) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        const auto text = line.find_first_not_of('#');
        const bool is_name = text != std::string_view::npos &&
                             std::string_view(",;\t|").find(line[text]) != std::string_view::npos;
        if (is_name) break;
        comments.last = text == std::string_view::npos ? "" : trimmed(line.substr(text));
        ++comments.lines;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (trimmed(rest).empty()) return {};
    content = rest;
    return comments;
}

void take_header(CsvTable& table) {
    for (Index j = 0; j < table.columns; ++j) {
        const std::string why = why_no_name(table.field(0, j));
        if (why.empty()) continue;
        fail(Status::invalid_data, table.place(0, j), ": the name ", in_quotes(table.field(0, j)), " ", why);
    }
    const auto end = table.fields.begin() + table.columns;
    table.memory.take(memory_of_texts({table.fields.begin(), end}),
                      text("names of ", table.columns, " columns"));
    table.names.assign(table.fields.begin(), end);
    table.fields.erase(table.fields.begin(), end);
    table.lines.erase(table.lines.begin());
}

}  // namespace dk
