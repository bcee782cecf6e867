// SPDX-License-Identifier: Apache-2.0
#include "data/arrow/arrow_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/arrow/arrow_column.hpp"
#include "data/reading/file_options.hpp"
#include "data/reading/table/csv_layout.hpp"
#include "data/reading/table/label_choice.hpp"
#include "data/reading/table/label_columns.hpp"
#include "data/reading/table/left_out_columns.hpp"
#include "data/reading/table/table_data.hpp"
#include "data/resize.hpp"

namespace dk {

namespace {

/// Gives the options of a table in memory; throws Error(invalid_parameter) for those of files.
FileOptions table_options(std::string_view options, const EarlierFile& earlier) {
    constexpr std::array<std::string_view, 7> known{"label", "label_delimiter", "ignore",    "groups",
                                                    "id",    "missing",         "unlabelled"};
    FileOptions read = file_options(options, earlier);
    for (const auto& [key, value] : read.given) {
        if (std::ranges::find(known, key) == known.end())
            fail(Status::invalid_parameter, "the option ", in_quotes(key),
                 " is of files; a table of Arrow has label, label_delimiter, ignore, groups, id, missing and "
                 "unlabelled");
    }
    read.reading.header = "yes";
    read.reading.decimal = read.reading.thousands = "auto";
    if (read.reading.dates != "text") read.reading.dates = "refuse";  // Texts are no dates to count.
    // Nothing but a missing value says that it is missing: NA and None may be texts like others.
    read.reading.missing = read.reading.missing.with_only("");
    return read;
}

/// A column as a file's reader sees it: one of Arrow's, or an element of one whose lists have a fixed size.
struct TableColumn {
    const ArrowColumn* column;
    Index element = -1;

    bool is_whole() const { return element < 0; }
    bool is_series() const { return column->type().is_series(); }
    bool may_have_texts() const { return is_whole() && column->has_texts(); }
    std::string name() const { return is_whole() ? column->name() : text(column->name(), "[", element, "]"); }
    std::string_view text_of(Index row, std::deque<std::string>& made) const {
        if (is_whole()) return column->text(row, made);
        double value = 0;
        column->write_element(element, {&row, 1}, &value, 1);
        return std::isnan(value) ? std::string_view() : made.emplace_back(format_number(value));
    }
    ColumnNumbers numbers() const {
        return [*this](std::span<const Index> rows, double* out, Index stride) {
            if (is_series())
                fail(Status::invalid_data, "the column ", in_quotes(column->name()),
                     " has series where each row has one value");
            if (is_whole()) return column->write(rows, out, stride);
            column->write_element(element, rows, out, stride);
        };
    }
};

/// Lists the columns, and takes the memory that so many need, because a few bytes declare many.
std::vector<TableColumn> table_columns(const std::vector<ArrowColumn>& columns, MemoryHold& memory) {
    constexpr double bytes_a_column = 512;
    double count = 0;
    for (const ArrowColumn& column : columns) count += std::max<double>(1, column.type().list_size);
    memory.take(bytes_a_column * count, text("a table of ", count, " columns"));
    std::vector<TableColumn> all;
    for (const ArrowColumn& column : columns) {
        const Index size = column.type().list_size;
        if (size == 0) all.push_back({&column});
        for (Index k = 0; k < size; ++k) all.push_back({&column, k});
    }
    return all;
}

/// Says which columns are read as texts: those that have texts, and of numbers the labels, groups and names
/// of rows, what may be an identifier, and what was texts in earlier data.
std::vector<bool> read_as_texts(const std::vector<TableColumn>& columns, const CsvTable& table,
                                const ReadingOptions& options, Control& control) {
    std::vector<bool> texts(table.columns);
    ReadingOptions by_name = options;
    std::vector<Index> beside = target_columns(table, options);
    if (!beside.empty()) by_name.label = "none";
    if (options.label == "guess") {
        by_name.label = "auto";
        beside.push_back(table.columns - 1);
    }
    for (const Index j :
         {label_column(table, by_name, control), group_column(table, options), id_column(table, options)}) {
        if (j >= 0) beside.push_back(j);
    }
    for (const Index j : beside) {
        if (columns[j].is_series() && options.label != "guess")
            fail(Status::invalid_data, "the column ", in_quotes(table.names[j]),
                 " has series, which are no labels, groups or names of rows");
        texts[j] = !columns[j].is_series();
    }
    const FeatureNames earlier(options.earlier_features);
    const std::set<std::string_view> features(options.earlier_features.begin(),
                                              options.earlier_features.end());
    for (Index j = 0; j < table.columns; ++j) {
        const bool has_numbers = columns[j].is_whole() && columns[j].column->has_numbers();
        const bool was_texts = earlier.have(table.names[j]) && !features.contains(table.names[j]);
        texts[j] = texts[j] || columns[j].may_have_texts() ||
                   (has_numbers && (was_texts || may_be_identifier(table, j)));
    }
    return texts;
}

/// Gives the table that a file's reader would have scanned: the columns that are read as texts have fields,
/// and others their numbers.
CsvTable table_of(const std::vector<TableColumn>& columns, Index rows, const ReadingOptions& options,
                  MemoryHold memory, Control& control) {
    CsvTable table{
        .columns = std::ssize(columns), .noun = "table", .line_word = "row", .memory = std::move(memory)};
    for (const TableColumn& column : columns) table.names.push_back(column.name());
    const auto texts = read_as_texts(columns, table, options, control);
    table.fields_a_row = std::ranges::count(texts, true);
    constexpr double bytes_a_field = sizeof(std::string_view) + sizeof(std::string) + 24;  // with its digits
    table.memory.take(
        static_cast<double>(rows) * (8 + bytes_a_field * static_cast<double>(table.fields_a_row)),
        text("a table of ", rows, " rows with ", table.fields_a_row, " columns of texts"));
    Index place = 0;
    for (Index j = 0; j < table.columns; ++j) {
        table.places.push_back(place);
        place += texts[j] ? 1 : 0;
        table.numbers.push_back(texts[j] ? nullptr : columns[j].numbers());
        table.kinds.push_back(columns[j].may_have_texts() ? ColumnKind::text : ColumnKind::any);
    }
    Polls polls(control);
    for (Index i = 0; i < rows; ++i) {
        table.lines.push_back(i);
        for (Index j = 0; j < table.columns; ++j) {
            if (texts[j]) table.fields.push_back(columns[j].text_of(i, table.without_quotes));
        }
        polls.step(1 + table.fields_a_row);
    }
    return table;
}

/// The columns of a table of series: what the rows are, and one column of lists for each channel.
struct ListColumns {
    Index label;
    Index group;
    Index id;
    std::vector<const ArrowColumn*> channels = {};
};

ListColumns list_columns(const std::vector<TableColumn>& columns, const CsvTable& table,
                         const ReadingOptions& options, Control& control) {
    ListColumns found{label_column(table, options, control), group_column(table, options),
                      id_column(table, options)};
    const auto ignored = ignored_columns(table, options, control);
    for (Index j = 0; j < table.columns; ++j) {
        if (j == found.label || j == found.group || j == found.id) continue;
        if (std::ranges::find(ignored, j) != ignored.end()) continue;
        columns[j].column->require_readable();
        if (!columns[j].is_series())
            fail(Status::invalid_data, "the column ", in_quotes(table.names[j]),
                 " has one value a row where others have series; ignore= leaves it out");
        found.channels.push_back(columns[j].column);
    }
    return found;
}

/// Gives the elements of a row's list, with the array that has them.
std::pair<const ArrowArray*, ArrowRange> elements_of(const ArrowColumn& column, Index row) {
    const ArrowCell found = column.cell(row);
    if (is_missing(*found.array, column.type(), found.at))
        fail(Status::invalid_data, "row ", row, ", column ", in_quotes(column.name()), " is missing");
    return {found.array->children[0], arrow_elements(*found.array, column.type(), found.at, column.name())};
}

/// Gives the offsets of the rows' steps, of which each channel has as many.
std::vector<Index> step_offsets(const ListColumns& columns, std::span<const Index> rows, Polls& polls) {
    std::vector<Index> offsets{0};
    for (const Index row : rows) {
        const Index steps = elements_of(*columns.channels.front(), row).second.count;
        if (steps < 1) fail(Status::invalid_data, "row ", row, " has a series of no steps");
        for (const ArrowColumn* column : columns.channels) {
            polls.step();
            const Index others = elements_of(*column, row).second.count;
            if (others != steps)
                fail(Status::invalid_data, "row ", row, " has ", steps, " steps in the column ",
                     in_quotes(columns.channels.front()->name()), " and ", others, " in ",
                     in_quotes(column->name()));
        }
        offsets.push_back(offsets.back() + steps);
    }
    return offsets;
}

/// Writes the elements of a column's list to channels of its row, steps x `stride`.
void write_steps(const ArrowColumn& column, Index row, double* out, Index stride, Polls& polls) {
    const auto [array, range] = elements_of(column, row);
    const ArrowType& type = *column.type().elements;
    constexpr Index at_once = Index{1} << 12U;
    for (Index first = 0; first < range.count; first += at_once) {
        const Index end = std::min(first + at_once, range.count);
        if (type.list_size == 0)
            write_arrow_numbers(*array, type, range.begin + first, end - first, out + first * stride, stride);
        for (Index step = first; type.list_size > 0 && step < end; ++step) {
            const ArrowRange at = arrow_elements(*array, type, range.begin + step, column.name());
            write_arrow_numbers(*array->children[0], *type.elements, at.begin, at.count, out + step * stride,
                                1);
            polls.step(at.count);
        }
        polls.step(end - first);
    }
}

/// Counts the channels of a column of lists, and names them.
Index add_channels(const ArrowColumn& column, std::vector<std::string>& names) {
    const Index width = column.type().elements->list_size;
    if (width == 0) names.push_back(column.name());
    for (Index k = 0; k < width; ++k) names.push_back(text(column.name(), "[", k, "]"));
    return std::max<Index>(1, width);
}

Dataset series_of(const std::vector<TableColumn>& columns, CsvTable table, const ReadingOptions& options,
                  Control& control) {
    if (!target_columns(table, options).empty())
        fail(Status::invalid_parameter, "label=", options.label, ": series have one column of labels");
    const Index label = label_column(table, options, control);
    if (label >= 0 && options.skip_unlabelled) drop_rows_without(table, label, options.missing);
    const ListColumns found = list_columns(columns, table, options, control);
    std::vector<std::string> names;
    std::vector<Index> widths;
    for (const ArrowColumn* column : found.channels) widths.push_back(add_channels(*column, names));
    Polls polls(control);
    SeriesSet set{std::ssize(names), step_offsets(found, table.lines, polls)};
    const double values = static_cast<double>(set.step_offsets.back()) * static_cast<double>(set.channels);
    const MemoryHold hold(control, 8 * values, text("series of ", values, " values"));
    resize_in_steps(set.values, set.step_offsets.back() * set.channels, control);
    for (Index i = 0; i < table.rows(); ++i) {
        double* out = set.values.data() + set.step_offsets[i] * set.channels;
        for (std::size_t c = 0; c < widths.size(); out += widths[c], ++c)
            write_steps(*found.channels[c], table.lines[i], out, set.channels, polls);
    }
    set.require_finite();
    Dataset data(std::move(set));
    data.feature_names = std::move(names);
    if (found.label >= 0) attach_labels(data, label_fields(table, found.label, options), options, control);
    if (found.group >= 0)
        attach_group_column(data, required_fields(table, found.group, "group", options.missing), control);
    const auto ids = required_fields(table, found.id, "name of the row", options.missing);
    data.row_names.assign(ids.begin(), ids.end());
    if (found.label >= 0) data.reading.emplace_back("label", option_for_column(table, found.label));
    return data;
}

Index rows_of(const ArrowBatches& batches) {
    Index rows = 0;
    for (const auto& array : batches.arrays) rows += array->length;
    if (rows == 0) fail(Status::invalid_data, "the Arrow table has no rows");
    return rows;
}

}  // namespace

Dataset data_of_arrow(const ArrowBatches& batches, std::string_view options, const EarlierFile& earlier,
                      Control& control) {
    const FileOptions read = table_options(options, earlier);
    const auto columns = arrow_columns(batches, control);
    MemoryHold memory(control);
    const auto of_table = table_columns(columns, memory);
    CsvTable table = table_of(of_table, rows_of(batches), read.reading, std::move(memory), control);
    const bool is_series = std::ranges::any_of(of_table, &TableColumn::is_series);
    Dataset data = is_series ? series_of(of_table, std::move(table), read.reading, control)
                             : data_of_table(std::move(table), false, read.reading, control);
    data.reading = options_to_keep(read, "csv", data.reading);
    return data;
}

}  // namespace dk
