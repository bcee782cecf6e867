// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/left_out_columns.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.hpp"

namespace dk {

namespace {

constexpr Index most_rows_of_few_texts = 20;
constexpr Index fewest_rows = 3;  // Two rows differ in every column of numbers.

bool is_unnamed(const CsvTable& table, Index column) {
    // pandas and readr name what has no name.
    const std::string_view name = table.names[column];
    return name.empty() || name.starts_with("Unnamed: ") || name == "...1";
}

bool is_named_as_identifiers_are(const std::string& name) {
    constexpr std::array<std::string_view, 11> usual{"#",        "index", "idx", "row", "rowname", "rownames",
                                                     "row_name", "rows",  "nr",  "no",  "rownum"};
    const std::string lower = lower_case(name);
    if (std::ranges::find(usual, lower) != usual.end() || lower == "id") return true;
    const bool ends_with_word = lower.ends_with("_id") || lower.ends_with(" id") || lower.ends_with(".id");
    return ends_with_word || name.ends_with("Id") || (name.size() > 2 && name.ends_with("ID"));
}

bool has_another_integer_in_every_row(const CsvTable& table, Index column, Polls& polls) {
    std::set<std::int64_t> seen;
    for (Index i = 0; i < table.rows(); ++i) {
        polls.step();
        const auto integer = parse_integer(table.field(i, column));
        if (!integer || !seen.insert(*integer).second) return false;
    }
    return true;
}

/// Says whether a column counts the rows of a table without names, as 1, 2, 3 and so on.
bool counts_rows(const CsvTable& table, Index column, Polls& polls) {
    const auto first = parse_integer(table.field(0, column));
    if (!first || *first < 0 || *first > 1) return false;
    for (Index i = 1; i < table.rows(); ++i) {
        polls.step();
        if (parse_integer(table.field(i, column)) != *first + i) return false;
    }
    return true;
}

bool has_another_text_in_every_row(const CsvTable& table, Index column, Polls& polls) {
    std::set<std::string_view> seen;
    for (Index i = 0; i < table.rows(); ++i) {
        polls.step();
        const std::string_view field = table.field(i, column);
        if (parse_number(field) || field.empty() || !seen.insert(field).second) return false;
    }
    return true;
}

bool has_no_value(const CsvTable& table, Index column, Polls& polls) {
    if (table.has_numbers(column)) return false;
    for (Index i = 0; i < table.rows(); ++i) {
        polls.step();
        if (!table.field(i, column).empty()) return false;
    }
    return true;
}

}  // namespace

bool may_be_identifier(const CsvTable& table, Index column) {
    return is_unnamed(table, column) || is_named_as_identifiers_are(table.names[column]);
}

std::vector<Index> columns_without_meaning(const CsvTable& table, Control& control) {
    Polls polls(control);
    std::vector<Index> found;
    for (Index j = 0; j < table.columns; ++j) {
        const bool unnamed = table.names.empty() || is_unnamed(table, j);
        if (unnamed && table.columns > 1 && has_no_value(table, j, polls)) {
            found.push_back(j);
            continue;
        }
        // Without a header this could be a column of few texts; where rows are many it names or counts them.
        if (table.names.empty() && j == 0 && table.columns > 1 && table.rows() > most_rows_of_few_texts &&
            (has_another_text_in_every_row(table, j, polls) || counts_rows(table, j, polls))) {
            found.push_back(j);
            continue;
        }
        if (table.names.empty() || table.rows() < fewest_rows) continue;
        const bool counts = (unnamed && j == 0) || is_named_as_identifiers_are(table.names[j]);
        if ((counts && has_another_integer_in_every_row(table, j, polls)) ||
            (unnamed && j == 0 && has_another_text_in_every_row(table, j, polls)))
            found.push_back(j);
    }
    return found;
}

}  // namespace dk
