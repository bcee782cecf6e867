// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/table_data.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/reading/table/column_encoding.hpp"
#include "data/reading/table/csv_layout.hpp"
#include "data/reading/table/label_choice.hpp"
#include "data/reading/table/label_columns.hpp"

namespace dk {

namespace {

/// The columns that are no features; -1 where there is no such column.
struct OtherColumns {
    Index label;
    Index group;
    Index id;
    std::vector<Index> targets;  // where there are several

    bool have(Index column) const {
        return column == label || column == group || column == id ||
               std::ranges::find(targets, column) != targets.end();
    }
};

/// Gives the columns that are neither labels, groups nor names of rows, nor ignored.
std::vector<Index> feature_columns(const CsvTable& table, const OtherColumns& others,
                                   std::span<const Index> ignored) {
    std::vector<bool> taken(table.columns);
    for (const Index j : ignored) taken[j] = true;
    for (Index j = 0; j < table.columns; ++j) taken[j] = taken[j] || others.have(j);
    std::vector<Index> columns;
    for (Index j = 0; j < table.columns; ++j) {
        if (!taken[j]) columns.push_back(j);
    }
    if (columns.empty())
        fail(Status::invalid_data, "the ", table.noun, " has a label column and no features");
    return columns;
}

/// Gives the columns of a file without names those of the earlier file, where there are as many.
void name_by_position(CsvTable& table, std::span<const Index> columns, const ReadingOptions& options) {
    const auto names = FeatureNames::columns_of(options.earlier_features);
    if (!table.names.empty() || names.size() != columns.size()) return;
    table.names.resize(table.columns);
    for (std::size_t j = 0; j < names.size(); ++j) table.names[columns[j]] = names[j];
}

/// Gives the options with which later files are read as this one was.
Assignments understood(const CsvTable& table, const OtherColumns& others, std::span<const Index> ignored) {
    Assignments kept;
    if (others.label >= 0) kept.emplace_back("label", option_for_column(table, others.label));
    if (!others.targets.empty()) kept.emplace_back("label", options_for_columns(table, others.targets));
    if (!ignored.empty()) kept.emplace_back("ignore", "none," + options_for_columns(table, ignored));
    return kept;
}

/// Gives the numbers of labels plainly where they are written otherwise. What is no number stays.
std::vector<std::string> plain_labels(const FieldNumbers& numbers, std::span<const std::string_view> fields) {
    std::vector<std::string> plain;
    for (const std::string_view field : fields) {
        const auto value = parse_number(field) ? std::nullopt : numbers.value_of(field);
        plain.push_back(value ? format_number(*value) : std::string(field));
    }
    return plain;
}

void attach_read_labels(Dataset& data, const FieldReader& reader, std::span<const std::string_view> fields,
                        Control& control) {
    if (reader.options.label_delimiter != 0 || reader.numbers.understood().empty())
        return attach_labels(data, fields, reader.options, control);
    const auto plain = plain_labels(reader.numbers, fields);
    attach_label_column(data, std::vector<std::string_view>(plain.begin(), plain.end()), control);
}

/// Attaches the columns as the targets of each row.
void attach_targets(Dataset& data, const FieldReader& reader, std::span<const Index> columns,
                    Control& control) {
    const CsvTable& table = reader.table;
    const Index count = std::ssize(columns);
    control.memory().require(8.0 * table.rows() * count,
                             text(count, " targets of each of ", table.rows(), " rows"));
    std::vector<double> targets;
    targets.reserve(table.rows() * count);
    Polls polls(control);
    for (Index i = 0; i < table.rows(); ++i) {
        polls.step(count);
        for (const Index column : columns) {
            const std::string_view field = required_field(table, i, column, "target", reader.options.missing);
            const auto number = target_of(field, &reader.numbers);
            if (!number)
                fail(Status::invalid_data, table.place(i, column), " is ", in_quotes(field),
                     ", expected a number as a target, or 1 and 0, true and false for a label");
            targets.push_back(*number);
        }
    }
    std::vector<std::string> names;
    for (const Index column : columns)
        names.push_back(table.names.empty() ? text(column) : table.names[column]);
    attach_target_columns(data, std::move(names), std::move(targets));
}

void attach_row_names(Dataset& data, std::span<const std::string_view> fields, Control& control) {
    control.memory().require(memory_of_texts(fields), text("names of ", fields.size(), " rows"));
    data.row_names.assign(fields.begin(), fields.end());
}

/// Says whether a file to predict has a column for the label and nothing in it.
bool is_unlabelled(const CsvTable& table, Index label, const ReadingOptions& options) {
    if (!options.may_lack || label < 0) return false;
    for (Index i = 0; i < table.rows(); ++i) {
        if (!options.missing.marks(table.field(i, label))) return false;
    }
    return true;
}

/// Says whether a file has a value of every target. One to predict need not.
bool has_all_targets(const CsvTable& table, std::span<const Index> targets, const ReadingOptions& options) {
    if (targets.empty()) return false;
    if (!options.may_lack) return true;
    const auto listed = std::ranges::count(options.label, ',') + 1;
    return std::ssize(targets) == listed &&
           std::ranges::none_of(targets, [&](Index target) { return is_unlabelled(table, target, options); });
}

/// Gives the labels of all rows. One that is missing is told with the other mistakes of the table.
std::vector<std::string_view> labels_or_mistake(const CsvTable& table, Index label,
                                                const ReadingOptions& options, TableMistakes& mistakes) {
    std::vector<std::string_view> fields;
    try {
        if (label >= 0) fields = label_fields(table, label, options);
    } catch (const Error& error) {
        mistakes.add(label, error.what(), "unlabelled", "skip");
    }
    return fields;
}

}  // namespace

Dataset data_of_table(CsvTable table, bool may_have_notation, const ReadingOptions& options,
                      Control& control) {
    const std::vector<Index> targets = target_columns(table, options);
    const Index label = targets.empty() ? label_column(table, options, control) : -1;
    const bool skips = options.skip_unlabelled && options.label_delimiter == 0;
    if (label >= 0 && skips) drop_rows_without(table, label, options.missing);
    for (const Index target : targets) {
        if (options.skip_unlabelled) drop_rows_without(table, target, options.missing);
    }
    const Index group = group_column(table, options);
    const Index id = id_column(table, options);
    const OtherColumns others{label, group, id, targets};
    auto ignored = ignored_columns(table, options, control);
    std::erase_if(ignored, [&](Index j) { return others.have(j); });
    const auto columns = feature_columns(table, others, ignored);
    const Assignments kept = understood(table, others, ignored);
    constexpr double bytes_a_column = 256;  // how it is read and encoded, and the name of its feature
    table.memory.take(bytes_a_column * static_cast<double>(columns.size()),
                      text("a table of ", columns.size(), " columns"));
    const auto& like = options.earlier_features;
    if (!like.empty()) name_by_position(table, columns, options);
    const bool by_name = !like.empty() && !table.names.empty();
    std::vector<Index> numeric = columns;
    if (label >= 0) numeric.push_back(label);
    numeric.insert(numeric.end(), targets.begin(), targets.end());
    const FieldReader reader{table, options, {table, numeric, options, may_have_notation, control}};
    const Index known_label = is_unlabelled(table, label, options) ? -1 : label;
    TableMistakes mistakes(table, options, label, control);
    const auto encodings =
        by_name ? encodings_like(table, columns, like) : encodings_of(reader, columns, mistakes, control);
    const auto labels = labels_or_mistake(table, known_label, options, mistakes);
    if (mistakes.any()) {
        find_field_mistakes(reader, encodings, mistakes, control);
        mistakes.refuse();
    }
    Dataset data(encoded(reader, encodings, mistakes, control));
    const MemoryHold of_features(control, data.feature_bytes(), "the features");
    data.feature_names = by_name ? like : feature_names(table, encodings);
    data.sample_weights = table.weights;
    if (known_label >= 0) attach_read_labels(data, reader, labels, control);
    if (has_all_targets(table, targets, options)) attach_targets(data, reader, targets, control);
    if (group >= 0)
        attach_group_column(data, required_fields(table, group, "group", options.missing), control);
    attach_row_names(data, required_fields(table, id, "name of the row", options.missing), control);
    data.reading = kept;
    std::ranges::copy(reader.numbers.understood(), std::back_inserter(data.reading));
    return data;
}

}  // namespace dk
