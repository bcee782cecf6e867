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
    const Index most = most_integer_classes(matrix.rows);
    for (Index i = 0; i < matrix.rows; ++i) {
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

}  // namespace

std::vector<std::string> label_candidates(const Dataset& data) {
    std::vector<std::string> candidates;
    if (data.kind() != DataKind::dense) return candidates;
    const DenseMatrix& matrix = data.dense();
    for (Index j = 0; j < matrix.cols;) {
        const std::string column = column_of_indicator(data, j);
        Index end = j + 1;
        while (!column.empty() && end < matrix.cols && column_of_indicator(data, end) == column) ++end;
        const bool is_text = !column.empty() && end - j >= 2;
        if (is_text && end - j <= most_classes_of_text(matrix.rows)) candidates.push_back(column);
        if (!is_text && has_few_integers(matrix, j))
            candidates.push_back(data.feature_names.empty() ? text(j) : data.feature_names[j]);
        j = end;
    }
    return candidates;
}

}  // namespace dk
