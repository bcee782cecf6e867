// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/table_data.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/unicode.hpp"
#include "data/reading/table/csv_layout.hpp"
#include "data/reading/table/field_numbers.hpp"
#include "data/reading/table/label_columns.hpp"
#include "data/resize.hpp"

namespace dk {

namespace {

constexpr Index most_categories = 1000;

/// Says how a column of the file becomes features: one number, or for text an indicator of each category.
struct Encoding {
    Index column;
    std::vector<std::string_view> categories = {};  // A column of numbers has none.

    Index features() const { return std::max<Index>(1, std::ssize(categories)); }
};

/// What is needed to read the fields of features.
struct FieldReader {
    const CsvTable& table;
    const ReadingOptions& options;
    FieldNumbers numbers;

    std::optional<double> number(std::string_view field) const {
        if (options.missing.may_be_number() && options.missing.marks(field)) return {};
        return numbers.value_of(field);
    }
    bool says_nothing(std::string_view field) const {
        return options.missing.marks(field) || says_infinite(field);
    }
};

bool holds_text(const FieldReader& reader, Index column, Polls& polls) {
    bool any = false;
    for (Index i = 0; i < reader.table.rows(); ++i) {
        polls.step();
        const std::string_view field = reader.table.field(i, column);
        if (reader.number(field)) return false;
        any = any || !reader.says_nothing(field);
    }
    return any;
}

/// Says whether a field can be a category, which is short UTF-8 without control characters.
bool is_plain_text(std::string_view field) {
    constexpr std::size_t longest = 256;
    return field.size() <= longest && is_plain(field);
}

/// Finds the texts of a column, which ascend.
std::vector<std::string_view> categories_of(const FieldReader& reader, Index column, Polls& polls) {
    const CsvTable& table = reader.table;
    std::set<std::string_view> found;
    for (Index i = 0; i < table.rows(); ++i) {
        polls.step();
        const std::string_view field = table.field(i, column);
        if (found.contains(field) || reader.says_nothing(field)) continue;
        if (!is_plain_text(field)) {
            fail(Status::invalid_data, table.place(i, column), " is ", in_quotes(field),
                 ", expected a finite number or plain text",
                 is_utf8(field) ? "" : "; it is no UTF-8, but encoding=latin1 reads files of older programs");
        }
        found.insert(field);
        if (std::ssize(found) > most_categories) {
            fail(Status::invalid_data, table.place(i, column), " is ", in_quotes(field),
                 ", expected a finite number; as categories the column has more than ", most_categories);
        }
    }
    return {found.begin(), found.end()};
}

/// Names a column for a message, and gives the option that leaves it out.
std::pair<std::string, std::string> name_and_remedy(const CsvTable& table, Index column) {
    return {table.names.empty() ? text("column ", column) : in_quotes(table.names[column]),
            "leave it out by the file option ignore=" + option_for_column(table, column)};
}

/// Refuses columns of dates, because each would become a feature.
void refuse_dates(const FieldReader& reader, const Encoding& encoding) {
    if (reader.options.dates == "text" || !std::ranges::all_of(encoding.categories, looks_like_date)) return;
    const auto [name, remedy] = name_and_remedy(reader.table, encoding.column);
    const bool sure = number_of_date(encoding.categories.front(), DateNumber::days).has_value();
    fail(Status::invalid_data, name, " has dates, such as ", in_quotes(encoding.categories.front()), "; ",
         remedy,
         sure ? ", or make numbers of them by dates=days, yearday or weekday"
              : ", or write them as year-month-day: it is not sure which part is the month",
         " (dates=text keeps them as categories)");
}

/// Refuses a column that has another text in every row, as names of rows and identifiers have, because each
/// would become a feature.
void refuse_row_names(const CsvTable& table, const Encoding& encoding) {
    constexpr Index most_different_rows = 20;
    if (table.rows() <= most_different_rows || std::ssize(encoding.categories) < table.rows()) return;
    const auto [name, remedy] = name_and_remedy(table, encoding.column);
    fail(Status::invalid_data, name, " has another text in each of the ", table.rows(),
         " rows, as names of rows have; ", remedy);
}

/// Finds the encoding of each of the columns. One with a single number is a column of numbers, so that its
/// other texts are reported as mistakes.
std::vector<Encoding> encodings_of(const FieldReader& reader, std::span<const Index> columns,
                                   Control& control) {
    Polls polls(control);
    std::vector<Encoding> encodings;
    encodings.reserve(columns.size());
    for (const Index j : columns) {
        encodings.push_back({j});
        if (!holds_text(reader, j, polls)) continue;
        encodings.back().categories = categories_of(reader, j, polls);
        refuse_dates(reader, encodings.back());
        refuse_row_names(reader.table, encodings.back());
    }
    return encodings;
}

std::string column_name(const CsvTable& table, Index column, Index position) {
    const bool named = !table.names.empty() && !table.names[column].empty();
    return named ? table.names[column] : text("f", position + 1);
}

/// Names the features. A column without a name is f1, f2, ... by its position. It gives no names where the
/// file has none and no feature is an indicator.
std::vector<std::string> feature_names(const CsvTable& table, const std::vector<Encoding>& encodings) {
    std::vector<std::string> names;
    bool needed = !table.names.empty();
    for (const auto& encoding : encodings) {
        const std::string name = column_name(table, encoding.column, &encoding - encodings.data());
        if (encoding.categories.empty()) names.push_back(name);
        for (const auto& category : encoding.categories) names.push_back(text(name, "=", category));
        needed = needed || !encoding.categories.empty();
    }
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end())
        fail(Status::invalid_data, "line 1: the column name ", in_quotes(*twice), " stands twice");
    return needed ? names : std::vector<std::string>();
}

/// Finds the column and the text of an indicator "column=text", both of which may contain equals signs.
std::pair<Index, std::string_view> indicator_of(std::string_view feature,
                                                const std::map<std::string, Index, std::less<>>& columns) {
    for (auto at = feature.find('='); at != std::string_view::npos; at = feature.find('=', at + 1)) {
        const auto column = columns.find(feature.substr(0, at));
        if (column != columns.end()) return {column->second, feature.substr(at + 1)};
    }
    std::vector<std::string> names;
    names.reserve(columns.size());
    for (const auto& [name, column] : columns) names.push_back(name);
    fail(Status::dimension, "the file has no column for the feature ", in_quotes(feature), "; nearest is ",
         in_quotes(nearest_name(feature, names)));
}

/// Finds the encodings that give the named features of earlier data. It leaves out other columns of the file,
/// and a text that the earlier data did not have belongs to no category.
std::vector<Encoding> encodings_like(const CsvTable& table, std::span<const Index> read,
                                     std::span<const std::string> features) {
    std::map<std::string, Index, std::less<>> columns;
    for (const Index j : read) columns.emplace(column_name(table, j, std::ssize(columns)), j);
    std::vector<Encoding> encodings;
    for (const std::string& feature : features) {
        if (const auto whole = columns.find(feature); whole != columns.end()) {
            encodings.push_back({whole->second});
            continue;
        }
        const auto [column, category] = indicator_of(feature, columns);
        if (encodings.empty() || encodings.back().column != column) encodings.push_back({column});
        encodings.back().categories.push_back(category);
    }
    return encodings;
}

double number_of(const FieldReader& reader, Index row, Index column) {
    const CsvTable& table = reader.table;
    const std::string_view field = table.field(row, column);
    if (const auto number = reader.number(field)) return *number;
    const bool infinite = says_infinite(field);
    if (!infinite && !reader.options.missing.marks_number(field)) {
        fail(Status::invalid_data, table.place(row, column), " is ", in_quotes(field),
             ", expected a finite number",
             is_number_in_any_notation(field) ? "; decimal= and thousands= say how numbers are written"
                                              : "; missing= lists words that say that a value is missing");
    }
    if (reader.options.missing.kept() && !infinite) return std::numeric_limits<double>::quiet_NaN();
    fail(Status::invalid_data, table.place(row, column), " is missing or not finite (", in_quotes(field),
         "); every feature needs a finite value, or missing=keep and training with impute=mean or median");
}

/// Writes the features that a field becomes.
void write_features(const FieldReader& reader, Index row, const Encoding& encoding, double* out) {
    const auto& categories = encoding.categories;
    if (categories.empty()) {
        *out = number_of(reader, row, encoding.column);
        return;
    }
    const std::string_view field = reader.table.field(row, encoding.column);
    if (reader.says_nothing(field)) {  // number_of() throws where missing values are not kept.
        std::fill_n(out, categories.size(), number_of(reader, row, encoding.column));
        return;
    }
    std::fill_n(out, categories.size(), 0.0);
    const auto category = std::ranges::find(categories, field);
    if (category != categories.end()) out[category - categories.begin()] = 1;
}

/// Gives the columns that are neither labels nor groups nor ignored.
std::vector<Index> feature_columns(const CsvTable& table, Index label, Index group,
                                   std::span<const Index> ignored) {
    std::vector<bool> taken(table.columns);
    for (const Index j : ignored) taken[j] = true;
    if (label >= 0) taken[label] = true;
    if (group >= 0) taken[group] = true;
    std::vector<Index> columns;
    for (Index j = 0; j < table.columns; ++j) {
        if (!taken[j]) columns.push_back(j);
    }
    if (columns.empty()) fail(Status::invalid_data, "the file has a label column and no features");
    return columns;
}

DenseMatrix encoded(const FieldReader& reader, const std::vector<Encoding>& encodings, Control& control) {
    const CsvTable& table = reader.table;
    DenseMatrix matrix{table.rows()};
    for (const auto& encoding : encodings) matrix.cols += encoding.features();
    control.memory().require(8.0 * matrix.rows * matrix.cols,
                             text("a table of ", matrix.rows, " rows and ", matrix.cols,
                                  " features, with an indicator for each text,"));
    resize_in_steps(matrix.values, matrix.rows * matrix.cols, control);
    Polls polls(control);
    double* out = matrix.values.data();
    for (Index i = 0; i < table.rows(); ++i) {
        for (const auto& encoding : encodings) {
            write_features(reader, i, encoding, out);
            out += encoding.features();
            polls.step(encoding.features());
        }
    }
    return matrix;
}

/// Gives the columns of a file without names those of the earlier file, where there are as many.
void name_by_position(CsvTable& table, std::span<const Index> columns, const ReadingOptions& options) {
    const auto names = FeatureNames::columns_of(options.earlier_features);
    if (!table.names.empty() || names.size() != columns.size()) return;
    table.names.resize(table.columns);
    for (std::size_t j = 0; j < names.size(); ++j) table.names[columns[j]] = names[j];
}

/// Gives the options with which later files are read as this one was.
Assignments understood(const CsvTable& table, Index label, std::span<const Index> ignored,
                       const ReadingOptions& options) {
    Assignments kept;
    const bool told = options.label == "auto" || options.label == "none";
    if (label >= 0 && !told) kept.emplace_back("label", option_for_column(table, label));
    std::string columns = "none";
    for (const Index j : ignored) columns += "," + option_for_column(table, j);
    if (!ignored.empty()) kept.emplace_back("ignore", columns);
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

void attach_labels(Dataset& data, const FieldReader& reader, Index label, Control& control) {
    const auto fields = required_fields(reader.table, label, "label", reader.options.missing);
    if (reader.numbers.understood().empty()) return attach_label_column(data, fields, control);
    const auto plain = plain_labels(reader.numbers, fields);
    attach_label_column(data, std::vector<std::string_view>(plain.begin(), plain.end()), control);
}

}  // namespace

Dataset data_of_table(CsvTable table, bool may_have_notation, const ReadingOptions& options,
                      Control& control) {
    const Index label = label_column(table, options);
    if (label >= 0 && options.skip_unlabelled) drop_rows_without(table, label, options.missing);
    const Index group = group_column(table, options);
    auto ignored = ignored_columns(table, options, control);
    std::erase_if(ignored, [&](Index j) { return j == label || j == group; });
    const auto columns = feature_columns(table, label, group, ignored);
    const Assignments kept = understood(table, label, ignored, options);
    const auto& like = options.earlier_features;
    if (!like.empty()) name_by_position(table, columns, options);
    const bool by_name = !like.empty() && !table.names.empty();
    std::vector<Index> numeric = columns;
    if (label >= 0) numeric.push_back(label);
    const FieldReader reader{table, options, {table, numeric, options, may_have_notation, control}};
    const auto encodings =
        by_name ? encodings_like(table, columns, like) : encodings_of(reader, columns, control);
    Dataset data(encoded(reader, encodings, control));
    data.feature_names = by_name ? like : feature_names(table, encodings);
    if (label >= 0) attach_labels(data, reader, label, control);
    if (group >= 0)
        attach_group_column(data, required_fields(table, group, "group", options.missing), control);
    data.reading = kept;
    std::ranges::copy(reader.numbers.understood(), std::back_inserter(data.reading));
    return data;
}

}  // namespace dk
