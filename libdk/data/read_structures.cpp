// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "data/read_file.hpp"

namespace dk {

namespace {

/// Collects the lines of each series, in the order in which the series begin.
std::vector<std::vector<const CsvLine*>> lines_by_series(const CsvTable& table, Index column) {
    std::map<std::string, std::size_t> positions;
    std::vector<std::vector<const CsvLine*>> series;
    for (const auto& line : table.lines) {
        const auto& name = line.fields[column];
        if (says_missing(name)) fail(Status::invalid_data, table.place(line, column), ": no series is named");
        const auto [position, added] = positions.try_emplace(name, series.size());
        if (added) series.emplace_back();
        series[position->second].push_back(&line);
    }
    return series;
}

double channel_value(const CsvTable& table, const CsvLine& line, Index column) {
    const auto& field = line.fields[column];
    if (const auto number = parse_number(field)) return *number;
    fail(Status::invalid_data, table.place(line, column), " is ", in_quotes(field),
         ", expected a finite number");
}

}  // namespace

Dataset parse_series(std::string_view content, const CsvOptions& options) {
    const CsvTable table = scan_csv(content, options);
    const Index series = named_column(table, "series", "auto", {"series"});
    if (series < 0) fail(Status::invalid_data, "a file of series needs a column named series");
    const Index label = label_column(table, options);
    const Index time = named_column(table, "time", "auto", {"t", "time", "step"});
    std::vector<Index> channels;
    std::vector<std::string> names;
    for (Index j = 0; j < table.columns(); ++j) {
        if (j == series || j == label || j == time) continue;
        channels.push_back(j);
        names.push_back(table.names[j]);
    }
    if (channels.empty())
        fail(Status::invalid_data, "the file has no channels beside series, label and time");
    SeriesSet set{std::ssize(channels), {0}};
    std::vector<std::string> labels;
    for (const auto& lines : lines_by_series(table, series)) {
        for (const CsvLine* line : lines) {
            for (const Index j : channels) set.values.push_back(channel_value(table, *line, j));
            if (label < 0) continue;
            if (line == lines.front()) labels.push_back(required_label(*line, label));
            if (line->fields[label] != labels.back())
                fail(Status::invalid_data, table.place(*line, label),
                     " is another label than that of the series' first line");
        }
        set.step_offsets.push_back(set.step_offsets.back() + std::ssize(lines));
    }
    Dataset data(std::move(set));
    data.feature_names = std::move(names);
    if (label >= 0) attach_label_column(data, labels);
    return data;
}

Dataset parse_strings(std::string_view content, const CsvOptions& options) {
    const CsvTable table = scan_csv(content, options);
    const Index label = label_column(table, options);
    Index column = named_column(table, "text", options.text, {"text", "string", "sequence"});
    if (column < 0) column = label == 0 ? 1 : 0;
    if (column >= table.columns()) fail(Status::invalid_data, "the file has a label column and no texts");
    StringSet set;
    std::vector<std::string> labels;
    for (const auto& line : table.lines) {
        set.texts.push_back(line.fields[column]);
        try {
            characters_of(set.texts.back());
        } catch (const Error& error) {
            fail(error.status(), table.place(line, column), ": ", error.what());
        }
        if (label >= 0) labels.push_back(required_label(line, label));
    }
    Dataset data(std::move(set));
    if (label >= 0) attach_label_column(data, labels);
    return data;
}

}  // namespace dk
