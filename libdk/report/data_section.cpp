// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.hpp"
#include "data/describing/column_facts.hpp"
#include "data/describing/data_warnings.hpp"
#include "data/reading/reading_sentences.hpp"
#include "report/drawing/html.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

constexpr std::size_t most_columns = 30;

std::string list_of(const std::vector<std::string>& sentences) {
    std::string items;
    for (const std::string& sentence : sentences) items += "<li>" + escaped(sentence) + "</li>\n";
    return items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
}

std::string table_of(std::span<const ColumnFacts> columns) {
    HtmlTable table{.head = {"column", "missing", "distinct", "least", "mean", "largest"},
                    .rows = {},
                    .numbers = {false, true, true, true, true, true}};
    for (const ColumnFacts& one : columns.first(std::min(columns.size(), most_columns))) {
        const auto number = [&](double value) { return one.of_texts() ? std::string() : shown(value); };
        table.rows.push_back({escaped(one.name), text(one.missing), text(one.distinct), number(one.least),
                              number(one.mean), number(one.largest)});
    }
    std::string html = html_of(table);
    if (columns.size() > most_columns)
        html += "<p>" + text(columns.size() - most_columns, " further columns are not shown.") + "</p>\n";
    return html;
}

}  // namespace

std::string data_section(const ReportedModel& reported, Control& control) {
    const bool of_training = reported.training != nullptr;
    const Dataset& rows = of_training ? *reported.training : reported.data;
    if (rows.kind() != DataKind::dense && rows.kind() != DataKind::sparse) return "";
    const ColumnReader reader(rows);
    const auto columns = column_facts(rows, reader, control);
    const auto warnings = sentences_of(data_warnings(rows, columns, reader, control));
    return section(
        of_training ? "The training data" : "The data",
        "How the file was understood, what looks wrong with the rows, and their columns.",
        list_of(reading_sentences(reported.model.reading)) + list_of(warnings) + table_of(columns));
}

}  // namespace dk
