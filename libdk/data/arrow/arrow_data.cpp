// SPDX-License-Identifier: Apache-2.0
#include "data/arrow/arrow_data.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/error.hpp"
#include "data/arrow/arrow_column.hpp"
#include "data/reading/file_options.hpp"
#include "data/reading/table/csv_layout.hpp"
#include "data/reading/table/label_choice.hpp"
#include "data/reading/table/label_columns.hpp"
#include "data/reading/table/left_out_columns.hpp"
#include "data/reading/table/table_data.hpp"

namespace dk {

namespace {

/// Gives the options of a table in memory; throws Error(invalid_parameter) for those of files.
FileOptions table_options(std::string_view options, const EarlierFile& earlier) {
    constexpr std::array<std::string_view, 6> known{"label", "ignore",  "groups",
                                                    "id",    "missing", "unlabelled"};
    FileOptions read = file_options(options, earlier);
    for (const auto& [key, value] : read.given) {
        if (std::ranges::find(known, key) == known.end())
            fail(Status::invalid_parameter, "the option ", in_quotes(key),
                 " is of files; a table of Arrow has label, ignore, groups, id, missing and unlabelled");
    }
    read.reading.header = "yes";
    read.reading.decimal = read.reading.thousands = "auto";
    if (read.reading.dates != "text") read.reading.dates = "refuse";  // Texts are no dates to count.
    // Nothing but a missing value says that it is missing: NA and None may be texts like others.
    read.reading.missing = read.reading.missing.with_only("");
    return read;
}

/// Makes a function that tells which columns the option `ignore` names, whatever their type is. What was a
/// feature of earlier data is one.
std::function<bool(const std::string&)> ignored_by_name(const ReadingOptions& options) {
    std::set<std::string> names;
    const FeatureNames earlier(options.earlier_features);
    for (std::string& name : split(options.ignore, ',')) {
        if (!earlier.have(name)) names.insert(std::move(name));
    }
    return [names = std::move(names)](const std::string& name) { return names.contains(name); };
}

/// A column as a file's reader sees it: one of Arrow's, or an element of one whose lists have a fixed size.
struct TableColumn {
    const ArrowColumn* column;
    Index element = -1;

    bool is_whole() const { return element < 0; }
    std::string name() const { return is_whole() ? column->name() : text(column->name(), "[", element, "]"); }
    ColumnNumbers numbers() const {
        return [*this](std::span<const Index> rows, double* out, Index stride) {
            if (is_whole()) return column->write(rows, out, stride);
            column->write_element(element, rows, out, stride);
        };
    }
};

std::vector<TableColumn> table_columns(const std::vector<ArrowColumn>& columns) {
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
    if (options.label == "guess") {
        by_name.label = "auto";
        texts.back() = true;
    }
    const std::vector<Index> targets = target_columns(table, options);
    for (const Index j : targets) texts[j] = true;
    if (!targets.empty()) by_name.label = "none";
    for (const Index j :
         {label_column(table, by_name, control), group_column(table, options), id_column(table, options)}) {
        if (j >= 0) texts[j] = true;
    }
    const FeatureNames earlier(options.earlier_features);
    const std::set<std::string_view> features(options.earlier_features.begin(),
                                              options.earlier_features.end());
    for (Index j = 0; j < table.columns; ++j) {
        const ArrowColumn& column = *columns[j].column;
        const bool was_texts = earlier.have(table.names[j]) && !features.contains(table.names[j]);
        texts[j] = texts[j] || column.has_texts() || was_texts ||
                   (column.type().is_integer() && may_be_identifier(table, j));
        texts[j] = texts[j] && columns[j].is_whole() && !column.type().is_series();
    }
    return texts;
}

/// Gives the table that a file's reader would have scanned: the columns that are read as texts have fields,
/// and others their numbers.
CsvTable table_of(const std::vector<TableColumn>& columns, Index rows, const ReadingOptions& options,
                  Control& control) {
    CsvTable table{.columns = std::ssize(columns), .line_word = "row", .memory = MemoryHold(control)};
    for (const TableColumn& column : columns) table.names.push_back(column.name());
    const auto texts = read_as_texts(columns, table, options, control);
    table.fields_a_row = std::ranges::count(texts, true);
    constexpr double bytes_a_field = sizeof(std::string_view) + sizeof(std::string);
    table.memory.take(
        static_cast<double>(rows) * (8 + bytes_a_field * static_cast<double>(table.fields_a_row)),
        text("a table of ", rows, " rows with ", table.fields_a_row, " columns of texts"));
    for (Index j = 0; j < table.columns; ++j) {
        const bool has_fields = texts[j];
        table.places.push_back(j == 0 ? 0 : table.places.back() + (texts[j - 1] ? 1 : 0));
        table.numbers.push_back(has_fields || columns[j].column->type().is_series() ? nullptr
                                                                                    : columns[j].numbers());
        table.kinds.push_back(columns[j].column->has_texts() ? ColumnKind::text : ColumnKind::any);
    }
    Polls polls(control);
    for (Index i = 0; i < rows; ++i) {
        table.lines.push_back(i);
        for (Index j = 0; j < table.columns; ++j) {
            if (texts[j]) table.fields.push_back(columns[j].column->text(i, table.without_quotes));
        }
        polls.step(table.fields_a_row);
    }
    return table;
}

/// The columns of a table of series: what the rows are, and one column of lists for each channel.
struct SeriesColumns {
    Index label;
    Index group;
    Index id;
    std::vector<const ArrowColumn*> channels = {};
};

SeriesColumns series_columns(const std::vector<TableColumn>& columns, const CsvTable& table,
                             const ReadingOptions& options, Control& control) {
    SeriesColumns found{label_column(table, options, control), group_column(table, options),
                        id_column(table, options)};
    const auto ignored = ignored_columns(table, options, control);
    for (Index j = 0; j < table.columns; ++j) {
        if (j == found.label || j == found.group || j == found.id) continue;
        if (std::ranges::find(ignored, j) != ignored.end()) continue;
        if (!columns[j].column->type().is_series())
            fail(Status::invalid_data, "the column ", in_quotes(table.names[j]),
                 " has one value a row where others have series; ignore= leaves it out");
        found.channels.push_back(columns[j].column);
    }
    return found;
}

/// Appends the steps of a row, of which each channel has as many.
void append_steps(const SeriesColumns& columns, Index row, SeriesSet& set) {
    const auto elements_of = [row](const ArrowColumn& column) {
        const ArrowCell found = column.cell(row);
        if (is_missing(*found.array, column.type(), found.at))
            fail(Status::invalid_data, "row ", row, ", column ", in_quotes(column.name()), " is missing");
        return std::pair(found.array->children[0],
                         arrow_elements(*found.array, column.type(), found.at, column.name()));
    };
    const Index steps = elements_of(*columns.channels.front()).second.count;
    if (steps < 1) fail(Status::invalid_data, "row ", row, " has a series of no steps");
    const std::size_t begin = set.values.size();
    set.values.resize(begin + steps * set.channels);
    Index channel = 0;
    for (const ArrowColumn* column : columns.channels) {
        const auto [array, range] = elements_of(*column);
        const ArrowType& type = *column->type().elements;
        if (range.count != steps)
            fail(Status::invalid_data, "row ", row, " has ", steps, " steps in the column ",
                 in_quotes(columns.channels.front()->name()), " and ", range.count, " in ",
                 in_quotes(column->name()));
        const Index width = std::max<Index>(1, type.list_size);
        for (Index k = 0; k < width; ++k) {
            double* out = set.values.data() + begin + channel + k;
            if (type.list_size == 0) {
                write_arrow_numbers(*array, type, range.begin, steps, out, set.channels);
                continue;
            }
            for (Index step = 0; step < steps; ++step) {
                const ArrowRange at = arrow_elements(*array, type, range.begin + step, column->name());
                out[step * set.channels] = arrow_number(*array->children[0], *type.elements, at.begin + k);
            }
        }
        channel += width;
    }
    set.step_offsets.push_back(set.step_offsets.back() + steps);
}

Dataset series_of(const std::vector<TableColumn>& columns, CsvTable table, const ReadingOptions& options,
                  Control& control) {
    const Index label = label_column(table, options, control);
    if (label >= 0 && options.skip_unlabelled) drop_rows_without(table, label, options.missing);
    const SeriesColumns found = series_columns(columns, table, options, control);
    SeriesSet set{0, {0}};
    std::vector<std::string> names;
    for (const ArrowColumn* column : found.channels) {
        const Index width = column->type().elements->list_size;
        set.channels += std::max<Index>(1, width);
        if (width == 0) names.push_back(column->name());
        for (Index k = 0; k < width; ++k) names.push_back(text(column->name(), "[", k, "]"));
    }
    Polls polls(control);
    for (const Index row : table.lines) {
        append_steps(found, row, set);
        polls.step(set.channels * set.length(set.rows() - 1));
        if ((set.rows() & 1023) == 0) control.memory().require(set.bytes(), "the series");
    }
    control.memory().require(set.bytes(), "the series");
    set.require_finite();
    Dataset data(std::move(set));
    data.feature_names = std::move(names);
    if (found.label >= 0)
        attach_label_column(data, required_fields(table, found.label, "label", options.missing), control);
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
    const auto columns = arrow_columns(batches, ignored_by_name(read.reading));
    const auto table_view = table_columns(columns);
    CsvTable table = table_of(table_view, rows_of(batches), read.reading, control);
    const bool is_series =
        std::ranges::any_of(columns, [](const ArrowColumn& column) { return column.type().is_series(); });
    Dataset data = is_series ? series_of(table_view, std::move(table), read.reading, control)
                             : data_of_table(std::move(table), false, read.reading, control);
    data.reading = options_to_keep(read, "csv", data.reading);
    return data;
}

}  // namespace dk
