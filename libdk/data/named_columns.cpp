// SPDX-License-Identifier: Apache-2.0
#include "data/named_columns.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

/// Gives for each of the names the position of the data's column.
std::vector<Index> positions_of(const Dataset& data, std::span<const std::string> names) {
    std::map<std::string_view, Index> known;
    for (Index j = 0; j < data.cols(); ++j) known.emplace(data.feature_names[j], j);
    std::vector<Index> positions;
    for (const std::string& name : names) {
        const auto found = known.find(name);
        if (found == known.end()) {
            fail(Status::dimension, "the data have no column ", in_quotes(name),
                 ", which the model was trained on; nearest is ",
                 in_quotes(nearest_name(name, data.feature_names)));
        }
        positions.push_back(found->second);
    }
    return positions;
}

/// Gives the values at these positions of each row of `width` values.
std::vector<double> chosen_values(std::span<const double> values, Index width,
                                  std::span<const Index> positions) {
    std::vector<double> chosen;
    chosen.reserve(values.size() / width * positions.size());
    for (; !values.empty(); values = values.subspan(width)) {
        for (const Index j : positions) chosen.push_back(values[j]);
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
