// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "data/characters.hpp"
#include "data/reading/readers.hpp"
#include "data/reading/table/csv_table.hpp"
#include "data/reading/table/label_choice.hpp"
#include "data/reading/table/label_columns.hpp"

namespace dk {

namespace {

/// Collects the rows of each series, in the order in which the series begin.
std::vector<std::vector<Index>> rows_by_series(const CsvTable& table, Index column,
                                               const MissingMarkers& missing, Control& control) {
    constexpr double bytes_a_series = 160;  // of the map and of the list of its rows
    control.memory().require(bytes_a_series * table.rows(), text("the order of ", table.rows(), " steps"));
    Polls polls(control);
    std::map<std::string_view, std::size_t> positions;
    std::vector<std::vector<Index>> series;
    for (Index i = 0; i < table.rows(); ++i) {
        polls.step();
        const std::string_view name = table.field(i, column);
        if (missing.marks(name)) fail(Status::invalid_data, table.place(i, column), ": no series is named");
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

/// The columns of a file of series. Those of the label, of the group and of time may lack.
struct SeriesColumns {
    Index series;
    Index label;
    Index group;
    std::vector<Index> channels = {};
    std::vector<std::string> names = {};  // of the channels
};

SeriesColumns series_columns(const CsvTable& table, const ReadingOptions& options, Control& control) {
    SeriesColumns columns{named_column(table, "series", "auto", {"series"}),
                          label_column(table, options, control), group_column(table, options)};
    if (columns.series < 0) fail(Status::invalid_data, "a file of series needs a column named series");
    const Index time = named_column(table, "time", "auto", {"t", "time", "step"});
    for (Index j = 0; j < table.columns; ++j) {
        if (j == columns.series || j == columns.label || j == columns.group || j == time) continue;
        columns.channels.push_back(j);
        columns.names.push_back(table.names[j]);
    }
    if (columns.channels.empty())
        fail(Status::invalid_data, "the file has no channels beside series, label and time");
    return columns;
}

/// Gives what the lines of a series have in a column of labels or groups, the same in all of them.
std::string_view field_of_series(const CsvTable& table, std::span<const Index> rows, Index column,
                                 const char* what, const MissingMarkers& missing) {
    const std::string_view field = required_field(table, rows.front(), column, what, missing);
    for (const Index i : rows) {
        if (table.field(i, column) != field)
            fail(Status::invalid_data, table.place(i, column), " is another ", what,
                 " than that of the series' first line");
    }
    return field;
}

/// Throws where a text is no UTF-8. A text may be long, so that its pieces, which begin with whole
/// characters, are looked at one by one.
void require_characters_in_pieces(std::string_view text, Polls& polls) {
    constexpr std::size_t at_once = std::size_t{1} << 20U;
    const auto continues = [&](std::size_t at) {
        return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
    };
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = std::min(begin + at_once, text.size());
        while (end < text.size() && continues(end)) ++end;
        require_characters(text.substr(begin, end - begin));
        polls.step(static_cast<Index>(end - begin));
        begin = end;
    }
}

Dataset parse_series(std::string_view content, const ReadingOptions& options, Control& control) {
    const CsvTable table = scan_csv(content, options, control);
    SeriesColumns columns = series_columns(table, options, control);
    const double values = 1.0 * table.rows() * std::ssize(columns.channels);
    control.memory().require(8 * values, text("series of ", values, " values"));
    SeriesSet set{std::ssize(columns.channels), {0}};
    set.values.reserve(table.rows() * std::ssize(columns.channels));
    std::vector<std::string_view> labels;
    std::vector<std::string_view> groups;
    Polls polls(control);
    for (const auto& rows : rows_by_series(table, columns.series, options.missing, control)) {
        for (const Index i : rows) {
            polls.step(set.channels);
            for (const Index j : columns.channels) set.values.push_back(channel_value(table, i, j));
        }
        if (columns.label >= 0)
            labels.push_back(field_of_series(table, rows, columns.label, "label", options.missing));
        if (columns.group >= 0)
            groups.push_back(field_of_series(table, rows, columns.group, "group", options.missing));
        set.step_offsets.push_back(set.step_offsets.back() + std::ssize(rows));
    }
    Dataset data(std::move(set));
    data.feature_names = std::move(columns.names);
    if (columns.label >= 0) attach_labels(data, labels, options, control);
    if (columns.group >= 0) attach_group_column(data, groups, control);
    return data;
}

Dataset parse_strings(std::string_view content, const ReadingOptions& options, Control& control) {
    const CsvTable table = scan_csv(content, options, control);
    const Index label = label_column(table, options, control);
    const Index group = group_column(table, options);
    Index column = named_column(table, "text", options.text, {"text", "string", "sequence"});
    if (column < 0) {
        for (column = 0; column == label || column == group;) ++column;
    }
    if (column >= table.columns) fail(Status::invalid_data, "the file has a label column and no texts");
    const MemoryHold memory(
        control,
        sizeof(std::string) * static_cast<double>(table.rows()) + static_cast<double>(content.size()),
        text("texts of ", table.rows(), " rows"));
    StringSet set;
    set.texts.reserve(table.rows());
    Polls polls(control);
    for (Index i = 0; i < table.rows(); ++i) {
        set.texts.emplace_back(table.field(i, column));
        polls.step();
        try {
            require_characters_in_pieces(set.texts.back(), polls);
        } catch (const Error& error) {
            if (error.status() == Status::cancelled) throw;
            fail(error.status(), table.place(i, column), ": ", error.what());
        }
    }
    Dataset data(std::move(set));
    if (label >= 0) attach_labels(data, label_fields(table, label, options), options, control);
    if (group >= 0)
        attach_group_column(data, required_fields(table, group, "group", options.missing), control);
    return data;
}

Likeness likeness_of_series(const FileLook& file) {
    std::string_view first_field = file.content.substr(0, file.content.find_first_of(",; \t\r\n"));
    if (first_field.size() > 2 && first_field.starts_with('"') && first_field.ends_with('"'))
        first_field = first_field.substr(1, first_field.size() - 2);
    return lower_case(first_field) == "series" ? Likeness::certain : Likeness::none;
}

}  // namespace

Reader series_reader() {
    return {.name = "series",
            .documentation = "series with a line for each step, whose column series names what it belongs to",
            .likeness = likeness_of_series,
            .parse = parse_series};
}

Reader strings_reader() {
    return {.name = "strings",
            .documentation = "strings with a line for each",
            .likeness = [](const FileLook&) { return Likeness::none; },
            .parse = parse_strings,
            .looks_like = "csv"};
}

}  // namespace dk
