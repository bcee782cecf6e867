// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "data/read_file.hpp"

namespace dk {

namespace {

/// Collects the rows of each series, in the order in which the series begin.
std::vector<std::vector<Index>> rows_by_series(const CsvTable& table, Index column, Control& control) {
    constexpr double bytes_a_series = 160;  // of the map and of the list of its rows
    control.memory().require(bytes_a_series * table.rows(), text("the order of ", table.rows(), " steps"));
    Polls polls(control);
    std::map<std::string_view, std::size_t> positions;
    std::vector<std::vector<Index>> series;
    for (Index i = 0; i < table.rows(); ++i) {
        polls.step();
        const std::string_view name = table.field(i, column);
        if (says_missing(name)) fail(Status::invalid_data, table.place(i, column), ": no series is named");
        const auto [position, added] = positions.try_emplace(name, series.size());
        if (added) series.emplace_back();
        series[position->second].push_back(i);
    }
    return series;
}

double channel_value(const CsvTable& table, Index row, Index column) {
    const std::string_view field = table.field(row, column);
    if (const auto number = parse_number(field)) return *number;
    fail(Status::invalid_data, table.place(row, column), " is ", in_quotes(field),
         ", expected a finite number");
}

/// The columns of a file of series. Those of the label and of time may lack.
struct SeriesColumns {
    Index series;
    Index label;
    std::vector<Index> channels = {};
    std::vector<std::string> names = {};  // of the channels
};

SeriesColumns series_columns(const CsvTable& table, const CsvOptions& options) {
    SeriesColumns columns{named_column(table, "series", "auto", {"series"}), label_column(table, options)};
    if (columns.series < 0) fail(Status::invalid_data, "a file of series needs a column named series");
    const Index time = named_column(table, "time", "auto", {"t", "time", "step"});
    for (Index j = 0; j < table.columns; ++j) {
        if (j == columns.series || j == columns.label || j == time) continue;
        columns.channels.push_back(j);
        columns.names.push_back(table.names[j]);
    }
    if (columns.channels.empty())
        fail(Status::invalid_data, "the file has no channels beside series, label and time");
    return columns;
}

}  // namespace

Dataset parse_series(std::string_view content, const CsvOptions& options, Control& control) {
    const CsvTable table = scan_csv(content, options, control);
    SeriesColumns columns = series_columns(table, options);
    const Index label = columns.label;
    const double values = 1.0 * table.rows() * std::ssize(columns.channels);
    control.memory().require(8 * values, text("series of ", values, " values"));
    SeriesSet set{std::ssize(columns.channels), {0}};
    set.values.reserve(table.rows() * std::ssize(columns.channels));
    std::vector<std::string_view> labels;
    Polls polls(control);
    for (const auto& rows : rows_by_series(table, columns.series, control)) {
        for (const Index i : rows) {
            polls.step(set.channels);
            for (const Index j : columns.channels) set.values.push_back(channel_value(table, i, j));
            if (label < 0) continue;
            if (i == rows.front()) labels.push_back(required_label(table, i, label));
            if (table.field(i, label) != labels.back())
                fail(Status::invalid_data, table.place(i, label),
                     " is another label than that of the series' first line");
        }
        set.step_offsets.push_back(set.step_offsets.back() + std::ssize(rows));
    }
    Dataset data(std::move(set));
    data.feature_names = std::move(columns.names);
    if (label >= 0) attach_label_column(data, labels, control);
    return data;
}

Dataset parse_strings(std::string_view content, const CsvOptions& options, Control& control) {
    const CsvTable table = scan_csv(content, options, control);
    const Index label = label_column(table, options);
    Index column = named_column(table, "text", options.text, {"text", "string", "sequence"});
    if (column < 0) column = label == 0 ? 1 : 0;
    if (column >= table.columns) fail(Status::invalid_data, "the file has a label column and no texts");
    StringSet set;
    set.texts.reserve(table.rows());
    Polls polls(control);
    for (Index i = 0; i < table.rows(); ++i) {
        set.texts.emplace_back(table.field(i, column));
        polls.step(1 + std::ssize(set.texts.back()));
        try {
            characters_of(set.texts.back());
        } catch (const Error& error) {
            fail(error.status(), table.place(i, column), ": ", error.what());
        }
    }
    Dataset data(std::move(set));
    if (label >= 0) attach_label_column(data, required_labels(table, label), control);
    return data;
}

}  // namespace dk
