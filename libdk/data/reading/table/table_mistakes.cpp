// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/table_mistakes.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/scanning/assignments.hpp"
#include "data/reading/table/label_choice.hpp"

namespace dk {

namespace {

constexpr std::size_t most_told = 10;

}  // namespace

std::string typed_column(const CsvTable& table, Index column) {
    const std::string option = option_for_column(table, column);
    return option.find_first_of(" \t()[]{}\"'=") == std::string::npos ? option : text(column);
}

std::pair<std::string, std::string> name_and_remedy(const CsvTable& table, Index column) {
    return {table.names.empty() ? text("column ", column) : in_quotes(table.names[column]),
            text("leave it out by the ", table.noun == "file" ? "file " : "",
                 "option ignore=", typed_column(table, column))};
}

void TableMistakes::add(Index column, std::string what, const std::string& option, const std::string& value) {
    const auto after = std::ranges::upper_bound(found_, column, {}, &Mistake::column);
    found_.insert(after, {column, std::move(what), option, value});
}

bool TableMistakes::has(Index column) const {
    return std::ranges::find(found_, column, &Mistake::column) != found_.end();
}

std::string TableMistakes::options_for_all() const {
    if (std::ranges::find(found_, "", &Mistake::option) != found_.end()) return {};
    Assignments together;
    for (const Mistake& mistake : found_) {
        const auto same = std::ranges::find(together, mistake.option, &Assignments::value_type::first);
        if (same == together.end()) {
            const bool adds = mistake.option == "ignore" && options_.ignore != "auto";
            together.emplace_back(mistake.option, (adds ? options_.ignore + "," : "") + mistake.value);
        } else if (mistake.option == "ignore") {
            same->second += "," + mistake.value;
        }
    }
    std::string all;
    for (const auto& [key, value] : together) all += text(" ", key, "=", value);
    constexpr std::size_t longest = 1000;
    if (all.size() > longest) return {};
    return text("; the ", table_.noun == "file" ? "file " : "", "options for all of them are", all);
}

std::string TableMistakes::about_the_label() const {
    if (label_ >= 0 || options_.label != "auto" || options_.earlier_columns > 0) return {};
    std::string candidates;
    std::size_t count = 0;
    for (const Index column : label_candidates(table_, options_, control_)) {
        if (has(column) || ++count > most_told) continue;
        const std::string option = typed_column(table_, column);
        candidates += (candidates.empty() ? "" : ", ") + option;
        if (!table_.names.empty() && option != table_.names[column])
            candidates += text(" (", in_quotes(table_.names[column]), ")");
    }
    return text("; no column is known as the label, which label= names where one is needed",
                candidates.empty() ? "" : "; columns that look like it: ", candidates);
}

void TableMistakes::refuse() const {
    if (found_.size() == 1) fail(Status::invalid_data, found_.front().what, about_the_label());
    std::string all = text(found_.size(), " columns cannot be read as they are:");
    for (std::size_t k = 0; k < std::min(most_told, found_.size()); ++k)
        all += text(k == 0 ? " (" : "; (", k + 1, ") ", found_[k].what);
    if (found_.size() > most_told) all += text("; and ", found_.size() - most_told, " more");
    fail(Status::invalid_data, all, options_for_all(), about_the_label());
}

}  // namespace dk
