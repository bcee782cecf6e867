// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/column_encoding.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/names/nearest_name.hpp"
#include "base/unicode.hpp"
#include "data/reading/table/number_notation.hpp"
#include "data/resize.hpp"

namespace dk {

namespace {

constexpr Index most_categories = 1000;

bool holds_text(const FieldReader& reader, Index column, Polls& polls) {
    const ColumnKind kind = reader.table.kind(column);
    if (kind == ColumnKind::number || reader.table.has_numbers(column)) return false;
    bool any = false;
    for (Index i = 0; i < reader.table.rows(); ++i) {
        polls.step();
        const std::string_view field = reader.table.field(i, column);
        if (kind == ColumnKind::any && reader.number(field)) return false;
        any = any || !reader.says_nothing(field);
    }
    return any;
}

/// Says whether a field can be a category, which is short UTF-8 without control characters.
bool is_plain_text(std::string_view field) {
    constexpr std::size_t longest = 256;
    return field.size() <= longest && is_plain(field);
}

void add_unreadable_text(const CsvTable& table, Index row, Index column, TableMistakes& mistakes) {
    const std::string_view field = table.field(row, column);
    const std::string what =
        text(table.place(row, column), " is ", in_quotes(field), ", expected a finite number or plain text");
    if (is_utf8(field)) {
        mistakes.add(column, what + "; " + name_and_remedy(table, column).second, "ignore",
                     typed_column(table, column));
    } else {
        mistakes.add(column, what + "; it is no UTF-8, but encoding=latin1 reads files of older programs",
                     "encoding", "latin1");
    }
}

/// Finds the texts of a column, which ascend; it gives none where one of them is a mistake.
std::vector<std::string_view> categories_of(const FieldReader& reader, Index column, TableMistakes& mistakes,
                                            Polls& polls) {
    const CsvTable& table = reader.table;
    std::set<std::string_view> found;
    for (Index i = 0; i < table.rows(); ++i) {
        polls.step();
        const std::string_view field = table.field(i, column);
        if (found.contains(field) || reader.says_nothing(field)) continue;
        if (!is_plain_text(field)) {
            add_unreadable_text(table, i, column, mistakes);
            return {};
        }
        found.insert(field);
        if (std::ssize(found) <= most_categories) continue;
        mistakes.add(column,
                     text(table.place(i, column), " is ", in_quotes(field),
                          ", expected a finite number; as categories the column has more than ",
                          most_categories, "; ", name_and_remedy(table, column).second),
                     "ignore", typed_column(table, column));
        return {};
    }
    return {found.begin(), found.end()};
}

/// Refuses a column of dates, because each would become a feature.
void refuse_dates(const FieldReader& reader, const Encoding& encoding, TableMistakes& mistakes) {
    const auto& dates = encoding.categories;
    if (reader.options.dates == "text" || dates.empty() || !std::ranges::all_of(dates, looks_like_date))
        return;
    const auto [name, remedy] = name_and_remedy(reader.table, encoding.column);
    const bool sure = number_of_date(dates.front(), DateNumber::days).has_value();
    mistakes.add(encoding.column,
                 text(name, " has dates, such as ", in_quotes(dates.front()), "; ", remedy,
                      sure ? ", or make numbers of them by dates=days, yearday or weekday"
                           : ", or write them as year-month-day: it is not sure which part is the month",
                      " (dates=text keeps them as categories)"),
                 "ignore", typed_column(reader.table, encoding.column));
}

/// Refuses a column that has another text in every row, as names of rows and identifiers have, because each
/// would become a feature.
void refuse_row_names(const CsvTable& table, const Encoding& encoding, TableMistakes& mistakes) {
    constexpr Index most_different_rows = 20;
    if (table.rows() <= most_different_rows || std::ssize(encoding.categories) < table.rows()) return;
    const auto [name, remedy] = name_and_remedy(table, encoding.column);
    mistakes.add(encoding.column,
                 text(name, " has another text in each of the ", table.rows(),
                      " rows, as names of rows have; ", remedy),
                 "ignore", typed_column(table, encoding.column));
}

std::string column_name(const CsvTable& table, Index column, Index position) {
    const bool named = !table.names.empty() && !table.names[column].empty();
    return named ? table.names[column] : text("f", position + 1);
}

/// Finds the column and the text of an indicator "column=text", both of which may contain equals signs; it
/// gives -1 where the file has no such column.
std::pair<Index, std::string_view> indicator_of(std::string_view feature,
                                                const std::map<std::string, Index, std::less<>>& columns) {
    for (auto at = feature.find('='); at != std::string_view::npos; at = feature.find('=', at + 1)) {
        const auto column = columns.find(feature.substr(0, at));
        if (column != columns.end()) return {column->second, feature.substr(at + 1)};
    }
    return {-1, {}};
}

/// Refuses a file without columns for features of the earlier one, and names them all.
[[noreturn]] void refuse_lacking(std::string_view noun, const std::vector<std::string>& lacking,
                                 const std::map<std::string, Index, std::less<>>& columns) {
    std::vector<std::string> names;
    names.reserve(columns.size());
    for (const auto& [name, column] : columns) names.push_back(name);
    const std::string nearest = in_quotes(nearest_name(lacking.front(), names));
    if (lacking.size() == 1) {
        fail(Status::dimension, "the ", noun, " has no column for the feature ", in_quotes(lacking.front()),
             "; nearest is ", nearest);
    }
    constexpr std::size_t most_told = 10;
    std::string all;
    for (const std::string& feature : std::span(lacking).first(std::min(most_told, lacking.size())))
        all += (all.empty() ? "" : ", ") + in_quotes(feature);
    if (lacking.size() > most_told) all += text(" and ", lacking.size() - most_told, " more");
    fail(Status::dimension, "the ", noun, " has no columns for the features ", all,
         "; nearest to the first is ", nearest);
}

/// Gives the number of a field, or a NaN where it is missing and may be. It gives nothing for a mistake.
std::optional<double> number_or_missing(const FieldReader& reader, std::string_view field) {
    if (const auto number = reader.number(field)) return number;
    if (reader.options.missing.kept() && reader.options.missing.marks_number(field) && !says_infinite(field))
        return std::numeric_limits<double>::quiet_NaN();
    return {};
}

/// Writes the features that a field becomes; it gives false for a mistake.
bool write_features(const FieldReader& reader, Index row, const Encoding& encoding, double* out) {
    const auto& categories = encoding.categories;
    const std::string_view field = reader.table.field(row, encoding.column);
    if (categories.empty()) {  // Most columns are numbers, and this is the way of most of their fields.
        if (const auto number = reader.number(field)) {
            *out = *number;
            return true;
        }
    }
    if (categories.empty() || reader.says_nothing(field)) {
        const auto number = number_or_missing(reader, field);
        if (number) std::fill_n(out, encoding.features(), *number);
        return number.has_value();
    }
    std::fill_n(out, categories.size(), 0.0);
    const auto category = std::ranges::find(categories, field);
    if (category != categories.end()) out[category - categories.begin()] = 1;
    return true;
}

/// Tells whether a feature may be this number that its column came with.
bool may_be_feature(double value, bool nan_is_kept) {
    return std::isfinite(value) || (nan_is_kept && std::isnan(value));
}

/// Fills in the numbers of some rows of a column that came as numbers. It gives false where one is a mistake.
bool write_numbers(const FieldReader& reader, Index column, std::span<const Index> rows, double* out,
                   Index stride) {
    const MissingMarkers& missing = reader.options.missing;
    reader.table.numbers[column](rows, out, stride);
    bool all = true;
    for (Index i = 0; i < std::ssize(rows); ++i) {
        double& value = out[i * stride];
        if (missing.marks_value(value)) value = std::numeric_limits<double>::quiet_NaN();
        all = all && may_be_feature(value, missing.kept());
    }
    return all;
}

/// Finds the first number of a column that is a mistake, and how many there are of its kind.
void find_number_mistakes(const FieldReader& reader, Index column, TableMistakes& mistakes, Polls& polls) {
    const CsvTable& table = reader.table;
    Index first = -1;
    Index rows = 0;
    double wrong = 0;
    for (Index i = 0; i < table.rows(); ++i) {
        polls.step();
        double value = 0;
        if (write_numbers(reader, column, std::span(table.lines).subspan(i, 1), &value, 1)) continue;
        if (first < 0) {
            first = i;
            wrong = value;
        }
        rows += std::isnan(value) == std::isnan(wrong) ? 1 : 0;
    }
    if (first < 0) return;
    const std::string others = rows > 1 ? text(", as in ", rows, " rows") : "";
    mistakes.add(
        column,
        text(table.place(first, column), std::isnan(wrong) ? " is missing" : " is not finite", others,
             "; every feature needs a finite value, or missing=keep and training with impute=mean "
             "or median"),
        std::isnan(wrong) ? "missing" : "", "keep");
}

/// Tells what is wrong with a field that is no number. Other rows may have the same fault.
void add_field_mistake(const FieldReader& reader, Index row, Index column, Index rows,
                       TableMistakes& mistakes) {
    const CsvTable& table = reader.table;
    const std::string_view field = table.field(row, column);
    const std::string others = rows > 1 ? text(", as in ", rows, " rows") : "";
    if (says_infinite(field) || reader.options.missing.marks_number(field)) {
        mistakes.add(
            column,
            text(table.place(row, column), " is missing or not finite (", in_quotes(field), ")", others,
                 "; every feature needs a finite value, or missing=keep and training with impute=mean "
                 "or median"),
            says_infinite(field) ? "" : "missing", "keep");
        return;
    }
    mistakes.add(
        column,
        text(table.place(row, column), " is ", in_quotes(field), ", expected a finite number", others,
             is_number_in_any_notation(field) ? "; decimal= and thousands= say how numbers are written"
                                              : "; missing= lists words that say that a value is missing"));
}

}  // namespace

std::vector<Encoding> encodings_of(const FieldReader& reader, std::span<const Index> columns,
                                   TableMistakes& mistakes, Control& control) {
    Polls polls(control);
    std::vector<Encoding> encodings;
    encodings.reserve(columns.size());
    for (const Index j : columns) {
        encodings.push_back({j});
        if (!holds_text(reader, j, polls)) continue;
        encodings.back().categories = categories_of(reader, j, mistakes, polls);
        refuse_dates(reader, encodings.back(), mistakes);
        if (!mistakes.has(j)) refuse_row_names(reader.table, encodings.back(), mistakes);
    }
    return encodings;
}

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
        fail(Status::invalid_data, table.numbers.empty() ? "line 1: " : "", "the column name ",
             in_quotes(*twice), " stands twice");
    if (!needed) names.clear();
    return names;
}

std::vector<Encoding> encodings_like(const CsvTable& table, std::span<const Index> read,
                                     std::span<const std::string> features) {
    std::map<std::string, Index, std::less<>> columns;
    for (const Index j : read) columns.emplace(column_name(table, j, std::ssize(columns)), j);
    std::vector<Encoding> encodings;
    std::vector<std::string> lacking;
    for (const std::string& feature : features) {
        if (const auto whole = columns.find(feature); whole != columns.end()) {
            encodings.push_back({whole->second});
            continue;
        }
        const auto [column, category] = indicator_of(feature, columns);
        if (column < 0) {
            lacking.push_back(feature);
            continue;
        }
        if (encodings.empty() || encodings.back().column != column) encodings.push_back({column});
        encodings.back().categories.push_back(category);
    }
    if (!lacking.empty()) refuse_lacking(table.noun, lacking, columns);
    return encodings;
}

void find_field_mistakes(const FieldReader& reader, const std::vector<Encoding>& encodings,
                         TableMistakes& mistakes, Control& control) {
    Polls polls(control);
    std::vector<double> unused;
    for (const Encoding& encoding : encodings) {
        if (mistakes.has(encoding.column)) continue;
        if (reader.table.has_numbers(encoding.column)) {
            find_number_mistakes(reader, encoding.column, mistakes, polls);
            continue;
        }
        unused.resize(encoding.features());
        Index first = -1;
        Index rows = 0;
        for (Index i = 0; i < reader.table.rows(); ++i) {
            polls.step();
            if (write_features(reader, i, encoding, unused.data())) continue;
            if (first < 0) first = i;
            rows +=
                reader.table.field(i, encoding.column) == reader.table.field(first, encoding.column) ? 1 : 0;
        }
        if (first >= 0) add_field_mistake(reader, first, encoding.column, rows, mistakes);
    }
}

DenseMatrix encoded(const FieldReader& reader, const std::vector<Encoding>& encodings,
                    TableMistakes& mistakes, Control& control) {
    const CsvTable& table = reader.table;
    DenseMatrix matrix{table.rows()};
    for (const auto& encoding : encodings) matrix.cols += encoding.features();
    control.memory().require(8.0 * matrix.rows * matrix.cols,
                             text("a table of ", matrix.rows, " rows and ", matrix.cols,
                                  " features, with an indicator for each text,"));
    resize_in_steps(matrix.values, matrix.rows * matrix.cols, control);
    Polls polls(control);
    const auto require = [&](bool written) {
        if (written) return;
        find_field_mistakes(reader, encodings, mistakes, control);
        mistakes.refuse();
    };
    constexpr Index rows_at_once = 128;  // Columns of numbers are written while these rows are near.
    for (Index first = 0; first < table.rows(); first += rows_at_once) {
        const Index end = std::min(first + rows_at_once, table.rows());
        double* out = matrix.values.data() + first * matrix.cols;
        for (Index i = first; i < end; ++i) {
            for (const auto& encoding : encodings) {
                if (!table.has_numbers(encoding.column)) require(write_features(reader, i, encoding, out));
                out += encoding.features();
                polls.step(encoding.features());
            }
        }
        if (table.numbers.empty()) continue;
        const auto rows = std::span(table.lines).subspan(first, end - first);
        out = matrix.values.data() + first * matrix.cols;
        for (const auto& encoding : encodings) {
            if (table.has_numbers(encoding.column))
                require(write_numbers(reader, encoding.column, rows, out, matrix.cols));
            out += encoding.features();
            polls.step(std::ssize(rows));
        }
    }
    return matrix;
}

}  // namespace dk
