// SPDX-License-Identifier: Apache-2.0
#include "data/named_columns.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/names/nearest_name.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

/// Tells whether a column of dense rows says of each row yes, no, or that it is not known.
bool is_indicator(const Dataset& data, Index column) {
    if (data.kind() != DataKind::dense) return false;
    const DenseMatrix& matrix = data.dense();
    for (Index i = 0; i < matrix.rows; ++i) {
        const double value = matrix.row(i)[column];
        if (value != 0 && value != 1 && !std::isnan(value)) return false;
    }
    return true;
}

using Positions = std::map<std::string_view, Index>;

/// Finds an indicator of another category of the column of which the feature "column=text" is one; gives -1
/// if there is none. Data whose rows have other categories than those of training were read by themselves.
Index other_category(const Dataset& data, const Positions& known, std::string_view feature) {
    for (auto at = feature.find('='); at != std::string_view::npos; at = feature.find('=', at + 1)) {
        const std::string_view column = feature.substr(0, at + 1);
        const auto other = known.lower_bound(column);
        if (other != known.end() && other->first.starts_with(column) && is_indicator(data, other->second))
            return other->second;
    }
    return -1;
}

/// A category that no row of the data has stands at -2 - p, where p is an indicator of the same column.
constexpr Index no_row_has(Index other) {
    return -2 - other;
}

/// Gives for each of the names the position of the data's column.
std::vector<Index> positions_of(const Dataset& data, std::span<const std::string> names) {
    Positions known;
    for (Index j = 0; j < data.cols(); ++j) known.emplace(data.feature_names[j], j);
    std::vector<Index> positions;
    for (const std::string& name : names) {
        const auto found = known.find(name);
        const Index other = found == known.end() ? other_category(data, known, name) : -1;
        if (found == known.end() && other < 0) {
            fail(Status::dimension, "the data have no column ", in_quotes(name),
                 ", which the model was trained on; nearest is ",
                 in_quotes(nearest_name(name, data.feature_names)));
        }
        positions.push_back(found == known.end() ? no_row_has(other) : found->second);
    }
    return positions;
}

/// Gives the values at these positions of each row of `width` values.
std::vector<double> chosen_values(std::span<const double> values, Index width,
                                  std::span<const Index> positions) {
    std::vector<double> chosen;
    chosen.reserve(values.size() / width * positions.size());
    for (; !values.empty(); values = values.subspan(width)) {
        for (const Index j : positions) {
            const double value = values[j >= 0 ? j : no_row_has(j)];
            chosen.push_back(j >= 0 || std::isnan(value) ? value : 0.0);
        }
    }
    return chosen;
}

DenseMatrix columns_of(const DenseMatrix& matrix, std::span<const Index> positions) {
    return {matrix.rows, std::ssize(positions), chosen_values(matrix.values, matrix.cols, positions),
            matrix.may_miss};
}

SeriesSet columns_of(const SeriesSet& series, std::span<const Index> positions) {
    return {std::ssize(positions), series.step_offsets,
            chosen_values(series.values, series.channels, positions)};
}

SparseMatrix columns_of(const SparseMatrix& matrix, std::span<const Index> positions) {
    std::vector<Index> renamed(matrix.cols, -1);
    for (std::size_t j = 0; j < positions.size(); ++j) renamed[positions[j]] = j;
    SparseMatrix out{matrix.rows, std::ssize(positions), {0}};
    std::vector<std::pair<Index, double>> row;
    for (Index i = 0; i < matrix.rows; ++i) {
        row.clear();
        for (Index e = matrix.row_offsets[i]; e < matrix.row_offsets[i + 1]; ++e) {
            const Index column = renamed[matrix.columns[e]];
            if (column >= 0) row.emplace_back(column, matrix.values[e]);
        }
        std::ranges::sort(row);
        for (const auto& [column, value] : row) {
            out.columns.push_back(column);
            out.values.push_back(value);
        }
        out.row_offsets.push_back(std::ssize(out.values));
    }
    return out;
}

}  // namespace

Dataset with_columns_named(const Dataset& data, std::span<const std::string> names) {
    if (data.feature_names.empty() || names.empty() || std::ranges::equal(data.feature_names, names))
        return data;
    return std::visit(
        [&](const auto& features) {
            if constexpr (requires { columns_of(features, std::span<const Index>()); }) {
                Dataset named = data.with_features(columns_of(features, positions_of(data, names)));
                named.feature_names.assign(names.begin(), names.end());
                return named;
            } else {
                return data;  // Similarities, strings and graphs have no columns that could stand elsewhere.
            }
        },
        data.features());
}

}  // namespace dk
