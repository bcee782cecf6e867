// SPDX-License-Identifier: Apache-2.0
#include "data/reading/sparse_arff.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/names/nearest_name.hpp"
#include "base/text.hpp"
#include "data/reading/table/label_choice.hpp"
#include "data/reading/table/label_columns.hpp"

namespace dk {

namespace {

/// A value that a row has, as it is written.
struct ArffEntry {
    Index attribute;
    std::string_view value;
};

struct SparseArffRows {
    std::vector<ArffEntry> entries = {};
    std::vector<Index> row_ends = {};
    std::vector<Index> lines = {};
    std::vector<double> weights = {};
    std::deque<std::string> unescaped = {};

    Index rows() const { return std::ssize(row_ends); }
    std::span<const ArffEntry> row(Index i) const {
        const Index begin = i == 0 ? 0 : row_ends[i - 1];
        return std::span(entries).subspan(begin, row_ends[i] - begin);
    }
};

/// Reads "index value, index value}" behind the bracket that opens a row. Indices count from 0.
void read_sparse_row(ArffLine& line, const ArffHeader& header, SparseArffRows& rows) {
    const auto begin = std::ssize(rows.entries);
    while (!line.accept('}')) {
        if (line.at_end()) line.refuse("the row has no closing bracket }");
        const std::string_view word = line.word(" \t");
        const auto index = parse_integer(word);
        if (!index || *index < 0 || *index >= std::ssize(header.attributes)) {
            line.refuse("found ", in_quotes(word), ", expected the number of an attribute, from 0 to ",
                        std::ssize(header.attributes) - 1, ", and a value");
        }
        const std::string_view value = line.word(",}");
        if (value == "?" && !line.was_quoted())
            line.refuse("a value is missing (?), which sparse rows cannot be; dense rows can");
        require_level(line, header.attributes[*index], value);
        rows.entries.push_back({*index, value});
        line.accept(',');
    }
    const auto row = std::span(rows.entries).subspan(begin);
    std::ranges::sort(row, {}, &ArffEntry::attribute);
    const auto twice = std::ranges::adjacent_find(row, {}, &ArffEntry::attribute);
    if (twice != row.end()) line.refuse("attribute ", twice->attribute, " stands twice");
    rows.row_ends.push_back(std::ssize(rows.entries));
    rows.lines.push_back(line.number());
    line.accept(',');
    rows.weights.push_back(take_arff_weight(line));
    if (!line.at_end()) line.refuse("text stands behind the closing bracket }");
}

SparseArffRows read_sparse_rows(const ArffHeader& header, Control& control) {
    SparseArffRows rows;
    const auto lines = std::ranges::count(header.data, '\n') + 1;
    const auto commas = std::ranges::count(header.data, ',');
    constexpr double bytes_an_entry = 2.0 * sizeof(ArffEntry) + sizeof(Index) + sizeof(double);
    control.memory().require(bytes_an_entry * static_cast<double>(lines + commas) +
                                 6.0 * sizeof(Index) * static_cast<double>(lines),
                             text("sparse rows of ", lines + commas, " values"));
    Polls polls(control);
    Index number = header.lines;
    for (std::string_view rest = header.data; !rest.empty();) {
        const std::string_view content = take_line(rest);
        polls.step(std::ssize(content) + 1);
        ArffLine line(content, ++number, rows.unescaped);
        if (line.at_end()) continue;
        if (!line.accept('{')) line.refuse("a row without brackets {} stands among sparse rows");
        read_sparse_row(line, header, rows);
    }
    if (rows.rows() == 0) fail(Status::invalid_data, "the file has no rows behind @data");
    return rows;
}

/// Throws where the file has no attribute for a feature of the earlier file.
void require_earlier(const ArffHeader& header, const std::vector<std::string>& earlier) {
    std::set<std::string, std::less<>> names;
    for (const ArffAttribute& attribute : header.attributes) names.insert(attribute.name);
    for (const std::string_view feature : earlier) {
        bool found = names.contains(feature);
        for (auto at = feature.find('='); !found && at != std::string_view::npos;
             at = feature.find('=', at + 1))
            found = names.contains(feature.substr(0, at));
        if (found) continue;
        fail(Status::dimension, "the file has no attribute for the feature ", in_quotes(feature),
             "; nearest is ",
             in_quotes(nearest_name(feature, std::vector<std::string>(names.begin(), names.end()))));
    }
}

/// Gives what a row has for an attribute: what it leaves out is 0 or the first level.
std::string_view value_in_row(std::span<const ArffEntry> row, const ArffHeader& header, Index attribute) {
    const auto found = std::ranges::lower_bound(row, attribute, {}, &ArffEntry::attribute);
    if (found != row.end() && found->attribute == attribute) return found->value;
    const ArffAttribute& left_out = header.attributes[attribute];
    return left_out.kind == ArffKind::nominal ? std::string_view(left_out.first_level) : "0";
}

/// Gives each feature of the rows its column: a number's, or those of the levels of a nominal attribute that
/// stand in some row.
class SparseArffColumns {
  public:
    SparseArffColumns(const ArffHeader& header, const std::vector<bool>& is_feature,
                      const SparseArffRows& rows)
        : levels_(header.attributes.size()), columns_(header.attributes.size(), -1) {
        std::vector<Index> count(header.attributes.size());
        for (const ArffEntry& entry : rows.entries) {
            ++count[entry.attribute];
            if (header.attributes[entry.attribute].kind == ArffKind::nominal)
                levels_[entry.attribute].emplace(entry.value, -1);
        }
        for (std::size_t j = 0; j < levels_.size(); ++j) {
            const ArffAttribute& attribute = header.attributes[j];
            if (!is_feature[j]) continue;
            if (attribute.kind == ArffKind::number) {
                columns_[j] = add(attribute.name);
                continue;
            }
            if (count[j] < rows.rows()) levels_[j].emplace(attribute.first_level, -1);
            for (auto& [level, column] : levels_[j]) column = add(text(attribute.name, "=", level));
        }
    }

    /// Gives the columns of an earlier file to the features of these names, and none to others.
    void arrange_like(const std::vector<std::string>& earlier) {
        std::map<std::string_view, Index> position;
        for (std::size_t k = 0; k < earlier.size(); ++k) position.emplace(earlier[k], k);
        const auto renumber = [&](Index& column) {
            const auto found = column < 0 ? position.end() : position.find(names_[column]);
            column = found == position.end() ? -1 : found->second;
        };
        for (Index& column : columns_) renumber(column);
        for (auto& levels : levels_) {
            for (auto& [level, column] : levels) renumber(column);
        }
        names_ = earlier;
    }

    Index of_number(Index attribute) const { return columns_[attribute]; }
    Index of_level(Index attribute, std::string_view level) const {
        return levels_[attribute].find(level)->second;
    }
    const std::vector<std::string>& names() const { return names_; }

  private:
    Index add(std::string name) {
        names_.push_back(std::move(name));
        return std::ssize(names_) - 1;
    }

    std::vector<std::map<std::string_view, Index>> levels_;
    std::vector<Index> columns_;
    std::vector<std::string> names_;
};

std::vector<bool> feature_attributes(const ArffHeader& header, const CsvTable& columns, Index label,
                                     Index group, std::span<const Index> targets,
                                     const ReadingOptions& options, Control& control) {
    std::vector<bool> is_feature(header.attributes.size(), true);
    for (const Index j : ignored_columns(columns, options, control)) is_feature[j] = false;
    if (label >= 0) is_feature[label] = false;
    if (group >= 0) is_feature[group] = false;
    for (const Index target : targets) is_feature[target] = false;
    for (std::size_t j = 0; j < is_feature.size(); ++j) {
        const ArffAttribute& attribute = header.attributes[j];
        if (!is_feature[j] || attribute.kind == ArffKind::number || attribute.kind == ArffKind::nominal)
            continue;
        fail(Status::invalid_data, "attribute ", in_quotes(attribute.name), " is a ",
             attribute.kind == ArffKind::date ? "date" : "string",
             ", which sparse rows cannot have as a feature; leave it out by the file option ignore=",
             option_for_column(columns, static_cast<Index>(j)));
    }
    if (std::ranges::find(is_feature, true) == is_feature.end())
        fail(Status::invalid_data, "the file has a label and no other attribute");
    return is_feature;
}

void append_feature(SparseMatrix& matrix, Index column, double value) {
    if (column < 0 || value == 0) return;
    matrix.columns.push_back(column);
    matrix.values.push_back(value);
}

/// Sorts the entries of the last row, which an earlier file's order of features may have mixed up.
void sort_last_row(SparseMatrix& matrix) {
    const Index begin = matrix.row_offsets.back();
    const auto count = std::ssize(matrix.columns) - begin;
    if (std::is_sorted(matrix.columns.begin() + begin, matrix.columns.end())) return;
    std::vector<std::pair<Index, double>> entries;
    for (Index k = begin; k < begin + count; ++k) entries.emplace_back(matrix.columns[k], matrix.values[k]);
    std::ranges::sort(entries);
    for (Index k = 0; k < count; ++k)
        std::tie(matrix.columns[begin + k], matrix.values[begin + k]) = entries[k];
}

SparseMatrix matrix_of(const SparseArffRows& rows, const ArffHeader& header,
                       const std::vector<bool>& is_feature, const SparseArffColumns& columns,
                       Control& control) {
    std::vector<Index> nominal;
    for (std::size_t j = 0; j < is_feature.size(); ++j) {
        if (is_feature[j] && header.attributes[j].kind == ArffKind::nominal)
            nominal.push_back(static_cast<Index>(j));
    }
    // Every row has a level of each of these, whether it says so or not.
    control.memory().require((sizeof(Index) + sizeof(double)) * 2.0 * rows.rows() * std::ssize(nominal),
                             text("the levels of ", std::ssize(nominal), " nominal attributes"));
    SparseMatrix matrix{rows.rows(), std::ssize(columns.names()), {0}};
    Polls polls(control);
    for (Index i = 0; i < rows.rows(); ++i) {
        const auto row = rows.row(i);
        polls.step(std::ssize(row) + std::ssize(nominal) + 1);
        for (const ArffEntry& entry : row) {
            if (!is_feature[entry.attribute] || header.attributes[entry.attribute].kind != ArffKind::number)
                continue;
            const auto value = parse_number(entry.value);
            if (!value) {
                fail(Status::invalid_data, "line ", rows.lines[i], ": ",
                     in_quotes(header.attributes[entry.attribute].name), " is ", in_quotes(entry.value),
                     ", expected a finite number");
            }
            append_feature(matrix, columns.of_number(entry.attribute), *value);
        }
        for (const Index j : nominal)
            append_feature(matrix, columns.of_level(j, value_in_row(row, header, j)), 1);
        sort_last_row(matrix);
        matrix.row_offsets.push_back(std::ssize(matrix.columns));
    }
    return matrix;
}

std::vector<std::string_view> column_of_rows(const SparseArffRows& rows, const ArffHeader& header,
                                             Index attribute) {
    std::vector<std::string_view> values;
    for (Index i = 0; i < rows.rows(); ++i) values.push_back(value_in_row(rows.row(i), header, attribute));
    return values;
}

void attach_targets(Dataset& data, const SparseArffRows& rows, const ArffHeader& header,
                    std::span<const Index> targets, Control& control) {
    control.memory().require(8.0 * static_cast<double>(rows.rows() * std::ssize(targets)),
                             text(targets.size(), " targets of each of ", rows.rows(), " rows"));
    std::vector<std::string> names;
    for (const Index target : targets) names.push_back(header.attributes[target].name);
    std::vector<double> values;
    Polls polls(control);
    for (Index i = 0; i < rows.rows(); ++i) {
        polls.step(std::ssize(targets));
        for (const Index target : targets) {
            const std::string_view field = value_in_row(rows.row(i), header, target);
            const auto value = target_of(field);
            if (!value)
                fail(Status::invalid_data, "line ", rows.lines[i], ": ",
                     in_quotes(header.attributes[target].name), " is ", in_quotes(field),
                     ", expected a number as a target, or 1 and 0, true and false for a label");
            values.push_back(*value);
        }
    }
    attach_target_columns(data, std::move(names), std::move(values));
}

}  // namespace

Dataset sparse_arff(const ArffHeader& header, const CsvTable& columns, const ReadingOptions& options,
                    Control& control) {
    const std::vector<Index> targets = target_columns(columns, options);
    const Index label = targets.empty() ? label_column(columns, options, control) : -1;
    // A file like an earlier one may lack some of the targets, which are no features all the same.
    const bool has_all_targets =
        !targets.empty() && std::ssize(targets) == std::ranges::count(options.label, ',') + 1;
    const Index group = group_column(columns, options);
    const auto is_feature = feature_attributes(header, columns, label, group, targets, options, control);
    const SparseArffRows rows = read_sparse_rows(header, control);
    SparseArffColumns features(header, is_feature, rows);
    if (!options.earlier_features.empty()) {
        require_earlier(header, options.earlier_features);
        features.arrange_like(options.earlier_features);
    }
    Dataset data(matrix_of(rows, header, is_feature, features, control));
    data.feature_names = features.names();
    if (std::ranges::count(rows.weights, 1.0) < rows.rows()) data.sample_weights = rows.weights;
    if (label >= 0) attach_labels(data, column_of_rows(rows, header, label), options, control);
    if (has_all_targets) attach_targets(data, rows, header, targets, control);
    if (group >= 0) attach_group_column(data, column_of_rows(rows, header, group), control);
    if (label >= 0 && options.label != "auto")
        data.reading.emplace_back("label", option_for_column(columns, label));
    if (!targets.empty()) data.reading.emplace_back("label", options_for_columns(columns, targets));
    return data;
}

}  // namespace dk
