// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/unicode.hpp"
#include "data/read_file.hpp"
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

bool holds_text(const CsvTable& table, Index column, Polls& polls) {
    bool any = false;
    for (Index i = 0; i < table.rows(); ++i) {
        polls.step();
        if (parse_number(table.field(i, column))) return false;
        any = any || !says_missing(table.field(i, column));
    }
    return any;
}

/// Says whether a field can be a category, which is short UTF-8 without control characters.
bool is_plain_text(std::string_view field) {
    constexpr std::size_t longest = 256;
    return field.size() <= longest && is_plain(field);
}

/// Finds the texts of a column, which ascend.
std::vector<std::string_view> categories_of(const CsvTable& table, Index column, Polls& polls) {
    std::set<std::string_view> found;
    for (Index i = 0; i < table.rows(); ++i) {
        polls.step();
        const std::string_view field = table.field(i, column);
        if (found.contains(field) || says_missing(field)) continue;
        if (!is_plain_text(field)) {
            fail(Status::invalid_data, table.place(i, column), " is ", in_quotes(field),
                 ", expected a finite number or plain text");
        }
        found.insert(field);
        if (std::ssize(found) > most_categories) {
            fail(Status::invalid_data, table.place(i, column), " is ", in_quotes(field),
                 ", expected a finite number; as categories the column has more than ", most_categories);
        }
    }
    return {found.begin(), found.end()};
}

/// Refuses a column that has another text in every row, as names of rows and identifiers have, because each
/// would become a feature.
void refuse_row_names(const CsvTable& table, const Encoding& encoding) {
    constexpr Index most_different_rows = 20;
    if (table.rows() <= most_different_rows || std::ssize(encoding.categories) < table.rows()) return;
    const std::string name =
        table.names.empty() ? text("column ", encoding.column) : in_quotes(table.names[encoding.column]);
    fail(Status::invalid_data, name, " has another text in each of the ", table.rows(),
         " rows, as names of rows have; leave it out by the file option ignore=",
         table.names.empty() ? text(encoding.column) : table.names[encoding.column]);
}

/// Finds the encoding of each of the columns. One with a single number is a column of numbers, so that its
/// other texts are reported as mistakes.
std::vector<Encoding> encodings_of(const CsvTable& table, std::span<const Index> columns, Control& control) {
    Polls polls(control);
    std::vector<Encoding> encodings;
    encodings.reserve(columns.size());
    for (const Index j : columns) {
        encodings.push_back({j});
        if (!holds_text(table, j, polls)) continue;
        encodings.back().categories = categories_of(table, j, polls);
        refuse_row_names(table, encodings.back());
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

double number_of(const CsvTable& table, Index row, Index column, bool keep_missing) {
    const std::string_view field = table.field(row, column);
    if (const auto number = parse_number(field)) return *number;
    if (!says_missing(field)) {
        fail(Status::invalid_data, table.place(row, column), " is ", in_quotes(field),
             ", expected a finite number");
    }
    if (keep_missing && !says_infinite(field)) return std::numeric_limits<double>::quiet_NaN();
    fail(Status::invalid_data, table.place(row, column), " is missing or not finite (", in_quotes(field),
         "); every feature needs a finite value, or missing=keep and training with impute=mean or median");
}

/// Writes the features that a field becomes.
void write_features(const CsvTable& table, Index row, const Encoding& encoding, bool keep_missing,
                    double* out) {
    const auto& categories = encoding.categories;
    if (categories.empty()) {
        *out = number_of(table, row, encoding.column, keep_missing);
        return;
    }
    const std::string_view field = table.field(row, encoding.column);
    if (says_missing(field)) {  // number_of() throws where missing values are not kept.
        std::fill_n(out, categories.size(), number_of(table, row, encoding.column, keep_missing));
        return;
    }
    std::fill_n(out, categories.size(), 0.0);
    const auto category = std::ranges::find(categories, field);
    if (category != categories.end()) out[category - categories.begin()] = 1;
}

/// Gives the columns that are neither labels nor groups nor ignored.
std::vector<Index> feature_columns(const CsvTable& table, Index label, Index group,
                                   const CsvOptions& options) {
    std::vector<bool> taken(table.columns);
    for (const Index j : ignored_columns(table, options)) taken[j] = true;
    if (label >= 0) taken[label] = true;
    if (group >= 0) taken[group] = true;
    std::vector<Index> columns;
    for (Index j = 0; j < table.columns; ++j) {
        if (!taken[j]) columns.push_back(j);
    }
    if (columns.empty()) fail(Status::invalid_data, "the file has a label column and no features");
    return columns;
}

DenseMatrix encoded(const CsvTable& table, const std::vector<Encoding>& encodings, bool keep_missing,
                    Control& control) {
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
            write_features(table, i, encoding, keep_missing, out);
            out += encoding.features();
            polls.step(encoding.features());
        }
    }
    return matrix;
}

}  // namespace

Dataset parse_csv(std::string_view content, const CsvOptions& options, Control& control) {
    const CsvTable table = scan_csv(content, options, control);
    const Index label = label_column(table, options);
    const Index group = group_column(table, options);
    const auto columns = feature_columns(table, label, group, options);
    const auto& like = options.earlier_features;
    const bool by_name = !like.empty() && !table.names.empty();
    const auto encodings =
        by_name ? encodings_like(table, columns, like) : encodings_of(table, columns, control);
    Dataset data(encoded(table, encodings, options.missing == "keep", control));
    data.feature_names = by_name ? like : feature_names(table, encodings);
    if (label >= 0) attach_label_column(data, required_fields(table, label, "label"), control);
    if (group >= 0) attach_group_column(data, required_fields(table, group, "group"), control);
    return data;
}

}  // namespace dk
