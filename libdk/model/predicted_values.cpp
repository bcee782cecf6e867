// SPDX-License-Identifier: Apache-2.0
#include "model/predicted_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace dk {

WeightBlock whole_block(const ConstMatrixRef& weights) {
    WeightBlock block{.first = 0, .rows = weights.rows()};
    block.columns.resize(weights.cols());
    std::iota(block.columns.begin(), block.columns.end(), Index{0});
    block.weights.resize(weights.size());
    view(block.weights.data(), weights.rows(), weights.cols()) = weights;
    return block;
}

void require_finite_results(std::span<const double> values, Index columns, Index first_row) {
    const auto bad =
        std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); }) - values.begin();
    if (bad == std::ssize(values)) return;
    fail(Status::numerical, "the kernel overflows on row ", first_row + bad / columns,
         ", whose values are far from the training data");
}

void add_features(const Dataset& rows, Index i, double weight, double* coordinates) {
    if (rows.kind() == DataKind::dense) {
        const auto row = rows.dense().row(i);
        for (std::size_t c = 0; c < row.size(); ++c) coordinates[c] += weight * row[c];
        return;
    }
    const auto& matrix = rows.sparse();
    for (Index e = matrix.row_offsets[i]; e < matrix.row_offsets[i + 1]; ++e)
        coordinates[matrix.columns[e]] += weight * matrix.values[e];
}

void number_rows(std::vector<Index>& rows, std::span<const Index> numbers) {
    std::ranges::transform(rows, rows.begin(), [&](Index row) { return numbers[row]; });
}

void add_offsets(std::span<double> values, std::span<const double> offsets) {
    const Index columns = std::ssize(offsets);
    view(values.data(), std::ssize(values) / columns, columns).rowwise() += as_vector(offsets).transpose();
}

}  // namespace dk
