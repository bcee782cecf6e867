// SPDX-License-Identifier: Apache-2.0
#include "data/label_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"

namespace dk {

Index most_integer_classes(Index rows) {
    constexpr Index most = 20;
    constexpr Index rows_a_class = 5;
    return std::min(most, rows / rows_a_class);
}

Index most_classes_of_text(Index rows) {
    constexpr Index most = 1000;
    constexpr Index rows_a_class = 2;
    return std::min(most, rows / rows_a_class);
}

namespace {

bool has_few_integers(const DenseMatrix& matrix, Index column) {
    std::set<double> different;
    const Index rows = std::min(matrix.rows, rows_that_show_classes);
    const Index most = most_integer_classes(rows);
    for (Index i = 0; i < rows; ++i) {
        const double value = matrix.row(i)[column];
        if (std::trunc(value) != value) return false;  // as NaN is too
        different.insert(value);
        if (std::ssize(different) > most) return false;
    }
    return different.size() >= 2;
}

/// Gives the column of an indicator "column=text", or "" where a feature is none.
std::string column_of_indicator(const Dataset& data, Index feature) {
    const std::string name = data.feature_names.empty() ? "" : data.feature_names[feature];
    return name.substr(0, name.find('=') == std::string::npos ? 0 : name.find('='));
}

/// Gives the position that a column without a name has in its file, where columns before it were left out.
Index position_in_file(const Dataset& data, Index position) {
    const auto ignore = std::ranges::find(data.reading, "ignore", &Assignments::value_type::first);
    if (ignore == data.reading.end()) return position;
    std::vector<Index> left_out;
    for (const std::string& column : split(ignore->second, ',')) {
        if (const auto index = parse_integer(column)) left_out.push_back(*index);
    }
    std::ranges::sort(left_out);
    for (const Index column : left_out) position += column <= position ? 1 : 0;
    return position;
}

/// Gives what the option `label` calls a column. One without a name, such as f3, has its index.
std::string option_for(const Dataset& data, const std::string& name, Index position) {
    const bool is_unnamed = name.empty() || name == text("f", position + 1);
    return is_unnamed ? text(position_in_file(data, position)) : name;
}

}  // namespace

std::vector<std::string> label_candidates(const Dataset& data) {
    std::vector<std::string> candidates;
    if (data.kind() != DataKind::dense) return candidates;
    const DenseMatrix& matrix = data.dense();
    for (Index j = 0, position = 0; j < matrix.cols; ++position) {
        const std::string column = column_of_indicator(data, j);
        Index end = j + 1;
        while (!column.empty() && end < matrix.cols && column_of_indicator(data, end) == column) ++end;
        const bool is_text = !column.empty() && end - j >= 2;
        const std::string name = is_text || data.feature_names.empty() ? column : data.feature_names[j];
        if (is_text ? end - j <= most_classes_of_text(matrix.rows) : has_few_integers(matrix, j))
            candidates.push_back(option_for(data, name, position));
        j = end;
    }
    return candidates;
}

}  // namespace dk
