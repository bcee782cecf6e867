// SPDX-License-Identifier: Apache-2.0
#include "kernel/setting.hpp"

#include <algorithm>

namespace dk {

namespace {

/// Sum over the columns of their variances.
double dense_variance(const DenseMatrix& matrix, const Columns& columns) {
    const double rows = static_cast<double>(matrix.rows);
    double total = 0;
    for (Index c = 0; c < (columns.empty() ? matrix.cols : size_of(columns)); ++c) {
        const Index column = columns.empty() ? c : columns[unsigned_of(c)];
        double mean = 0;
        for (Index i = 0; i < matrix.rows; ++i)
            mean += matrix.values[unsigned_of(i * matrix.cols + column)] / rows;
        for (Index i = 0; i < matrix.rows; ++i) {
            const double deviation = matrix.values[unsigned_of(i * matrix.cols + column)] - mean;
            total += deviation * deviation / rows;
        }
    }
    return total;
}

double sparse_variance(const SparseMatrix& matrix, const Columns& columns) {
    const double rows = static_cast<double>(matrix.rows);
    std::vector<double> mean(unsigned_of(matrix.cols));
    std::vector<double> square(unsigned_of(matrix.cols));
    for (std::size_t e = 0; e < matrix.values.size(); ++e) {
        mean[unsigned_of(matrix.columns[e])] += matrix.values[e] / rows;
        square[unsigned_of(matrix.columns[e])] += matrix.values[e] * matrix.values[e] / rows;
    }
    double total = 0;
    const auto add = [&](Index j) {
        total += std::max(0.0, square[unsigned_of(j)] - mean[unsigned_of(j)] * mean[unsigned_of(j)]);
    };
    for (const Index j : columns) add(j);
    for (Index j = 0; columns.empty() && j < matrix.cols; ++j) add(j);
    return total;
}

}  // namespace

Index Setting::column_count(const Columns& columns) const {
    if (!columns.empty()) return size_of(columns);
    return data_ ? data_->cols() : 1;
}

double Setting::automatic_width(const Columns& columns) const {
    if (!data_ || data_->kind() == DataKind::gram) return 1;
    const double total = data_->kind() == DataKind::dense ? dense_variance(data_->dense(), columns)
                                                          : sparse_variance(data_->sparse(), columns);
    return total > 0 && total < 1e300 ? 1 / total : 1 / static_cast<double>(column_count(columns));
}

}  // namespace dk
