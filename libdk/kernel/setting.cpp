// SPDX-License-Identifier: Apache-2.0
#include "kernel/setting.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "data/scaler.hpp"
#include "kernel/workspace.hpp"

namespace dk {

namespace {

/// A variance that is only rounding of the mean is none.
double true_variance(double variance, double mean) {
    const double rounding = 1e-13 * std::abs(mean);
    return variance > rounding * rounding ? variance : 0;
}

/// Sum over the columns of their variances, by passes over the rows as they are stored.
double dense_variance(const DenseMatrix& matrix, const Columns& columns) {
    const double rows = static_cast<double>(matrix.rows);
    const Index count = columns.empty() ? matrix.cols : size_of(columns);
    std::vector<double> mean(unsigned_of(count));
    std::vector<double> variance(unsigned_of(count));
    const auto for_values = [&](auto visit) {
        for (Index i = 0; i < matrix.rows; ++i) {
            const double* row = matrix.values.data() + i * matrix.cols;
            for (Index c = 0; c < count; ++c)
                visit(unsigned_of(c), row[columns.empty() ? c : columns[unsigned_of(c)]]);
        }
    };
    for_values([&](std::size_t c, double value) { mean[c] += value / rows; });
    for_values([&](std::size_t c, double value) {
        const double deviation = value - mean[c];
        variance[c] += deviation * deviation / rows;
    });
    double total = 0;
    for (std::size_t c = 0; c < mean.size(); ++c) total += true_variance(variance[c], mean[c]);
    return total;
}

double sparse_variance(const SparseMatrix& matrix, const Columns& columns) {
    const double rows = static_cast<double>(matrix.rows);
    std::vector<double> mean(unsigned_of(matrix.cols));
    std::vector<double> zeros(unsigned_of(matrix.cols), rows);
    for (std::size_t e = 0; e < matrix.values.size(); ++e) {
        mean[unsigned_of(matrix.columns[e])] += matrix.values[e] / rows;
        --zeros[unsigned_of(matrix.columns[e])];
    }
    std::vector<double> variance(unsigned_of(matrix.cols));
    for (std::size_t e = 0; e < matrix.values.size(); ++e) {
        const auto j = unsigned_of(matrix.columns[e]);
        const double deviation = matrix.values[e] - mean[j];
        variance[j] += deviation * deviation / rows;
    }
    double total = 0;
    const auto add = [&](std::size_t j) {
        total += true_variance(variance[j] + zeros[j] / rows * mean[j] * mean[j], mean[j]);
    };
    for (const Index j : columns) add(unsigned_of(j));
    for (std::size_t j = 0; columns.empty() && j < mean.size(); ++j) add(j);
    return total;
}

/// The pair sums of all pairs of different rows, or of those of a sample of rows.
std::vector<double> sampled_pair_sums(const Dataset& data, PairSum sum, const Columns& columns) {
    constexpr std::size_t most_rows = 512;
    std::vector<Index> rows(unsigned_of(data.rows()));
    std::iota(rows.begin(), rows.end(), Index{0});
    if (rows.size() > most_rows) {
        Random(1).shuffle(std::span(rows));
        rows.resize(most_rows);
        std::ranges::sort(rows);
    }
    const Dataset sample = data.select(rows);
    std::iota(rows.begin(), rows.end(), Index{0});
    Operands<double> operands(sample, sample);
    const auto product = operands.request_product(columns);
    Workspace<double> workspace(operands);
    workspace.start({rows, 0, sample.rows()});
    const double* sums = workspace.pair_sums(sum, product);
    std::vector<double> pairs;
    for (Index i = 0; i < sample.rows(); ++i)
        pairs.insert(pairs.end(), sums + i * sample.rows(), sums + i * sample.rows() + i);
    return pairs;
}

}  // namespace

Index Setting::column_count(const Columns& columns) const {
    if (!columns.empty()) return size_of(columns);
    return data_ ? data_->cols() : 1;
}

double Setting::automatic_width(const Columns& columns) const {
    const double total = data_->kind() == DataKind::dense ? dense_variance(data_->dense(), columns)
                                                          : sparse_variance(data_->sparse(), columns);
    return total > 0 && total < 1e300 ? 1 / total : 1 / static_cast<double>(column_count(columns));
}

double Setting::width(std::string_view rule, PairSum sum, const Columns& columns) const {
    if (!data_ || (data_->kind() != DataKind::dense && data_->kind() != DataKind::sparse)) return 1;
    if (rule == "auto" || data_->rows() < 2) return automatic_width(columns);
    auto sums = sampled_pair_sums(*data_, sum, columns);
    double typical = 0;
    for (const double value : sums) typical += value / static_cast<double>(sums.size());
    if (rule == "median") {
        const double median = quantile(sums, 0.5);
        if (median > 0) typical = median;  // with many equal rows the mean is left
    }
    return typical > 1e-300 && typical < 1e300 ? 1 / typical : automatic_width(columns);
}

}  // namespace dk
