// SPDX-License-Identifier: Apache-2.0
#include "kernel/language/data_facts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "data/scaling/scaler.hpp"
#include "kernel/engine/workspace.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

/// The variance, or 0 where it is no more than the rounding errors of the mean.
double true_variance(double variance, double mean) {
    const double rounding = 1e-13 * std::abs(mean);
    return variance > rounding * rounding ? variance : 0;
}

/// The sum of the variances of some columns, or of all where none are given.
double dense_variance(const DenseMatrix& matrix, const Columns& columns) {
    const auto x = view(matrix.values.data(), matrix.rows, matrix.cols);
    const double rows = matrix.rows;
    const Index count = columns.empty() ? matrix.cols : std::ssize(columns);
    const auto column = [&](Index c) { return columns.empty() ? c : columns[c]; };
    Vector means = Vector::Zero(count);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index c = 0; c < count; ++c) means(c) += x(i, column(c)) / rows;
    }
    Vector variances = Vector::Zero(count);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index c = 0; c < count; ++c) {
            const double deviation = x(i, column(c)) - means(c);
            variances(c) += deviation * deviation / rows;
        }
    }
    double total = 0;
    for (Index c = 0; c < count; ++c) total += true_variance(variances(c), means(c));
    return total;
}

/// The sum of the variances of some columns, which ascend, or of all where none are given. An element that is
/// not stored is 0, and its squared deviation is the squared mean.
double sparse_variance(const SparseMatrix& matrix, const Columns& columns) {
    const double rows = matrix.rows;
    const Index count = columns.empty() ? matrix.cols : std::ssize(columns);
    const auto position_of = [&](Index column) -> Index {
        if (columns.empty()) return column;
        const auto found = std::ranges::lower_bound(columns, column);
        return found != columns.end() && *found == column ? found - columns.begin() : -1;
    };
    Vector means = Vector::Zero(count);
    Vector zeros = Vector::Constant(count, rows);  // how many elements of a column are not stored
    for (Index e = 0; e < std::ssize(matrix.values); ++e) {
        const Index c = position_of(matrix.columns[e]);
        if (c < 0) continue;
        means(c) += matrix.values[e] / rows;
        --zeros(c);
    }
    Vector variances = zeros.array() / rows * means.array().square();
    for (Index e = 0; e < std::ssize(matrix.values); ++e) {
        const Index c = position_of(matrix.columns[e]);
        if (c < 0) continue;
        const double deviation = matrix.values[e] - means(c);
        variances(c) += deviation * deviation / rows;
    }
    double total = 0;
    for (Index c = 0; c < count; ++c) total += true_variance(variances(c), means(c));
    return total;
}

/// The columns that have two different values.
std::vector<Index> varying(const DenseMatrix& matrix) {
    const auto x = view(matrix.values.data(), matrix.rows, matrix.cols);
    std::vector<Index> columns;
    for (Index j = 0; j < matrix.cols; ++j) {
        Index i = 1;
        while (i < matrix.rows && x(i, j) == x(0, j)) ++i;
        if (i < matrix.rows) columns.push_back(j);
    }
    return columns;
}

/// The same, where an element that is not stored is 0. A file may have far more columns than elements.
std::vector<Index> varying(const SparseMatrix& matrix) {
    std::vector<Index> order(matrix.values.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index e) { return matrix.columns[e]; });
    std::vector<Index> columns;
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
        const Index column = matrix.columns[order[first]];
        const double value = matrix.values[order[first]];
        bool varies = false;
        for (; last < order.size() && matrix.columns[order[last]] == column; ++last)
            varies = varies || matrix.values[order[last]] != value;
        const bool has_zeros = std::cmp_less(last - first, matrix.rows);
        if (varies || (has_zeros && value != 0)) columns.push_back(column);
    }
    return columns;
}

/// The pair sums of all pairs of different rows; of many rows a sample is taken.
std::vector<double> sampled_pair_sums(const Dataset& data, PairSum sum, const Columns& columns) {
    constexpr Index most_rows = 512;
    std::vector<Index> rows(data.rows());
    std::iota(rows.begin(), rows.end(), Index{0});
    if (std::ssize(rows) > most_rows) {
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
    const auto sums = view(workspace.pair_sums({sum}, product), sample.rows(), sample.rows());
    std::vector<double> pairs;
    for (Index i = 0; i < sample.rows(); ++i) {
        for (Index j = 0; j < i; ++j) pairs.push_back(sums(i, j));
    }
    return pairs;
}

}  // namespace

Index DataFacts::column_count(const Columns& columns) const {
    if (!columns.empty()) return std::ssize(columns);
    return data_ ? data_->cols() : 1;
}

std::vector<Index> DataFacts::varying_columns() const {
    if (data_ && data_->kind() == DataKind::dense) return varying(data_->dense());
    if (data_ && data_->kind() == DataKind::sparse) return varying(data_->sparse());
    std::vector<Index> all(column_count({}));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
}

double DataFacts::total_variance(const Columns& columns) const {
    return data_->kind() == DataKind::dense ? dense_variance(data_->dense(), columns)
                                            : sparse_variance(data_->sparse(), columns);
}

double DataFacts::automatic_width(const Columns& columns) const {
    const double total = total_variance(columns);
    return total > 1e-300 && total < 1e300 ? 1 / total : 1.0 / column_count(columns);
}

double DataFacts::width(std::string_view rule, PairSum sum, const Columns& columns) const {
    if (!data_ || (data_->kind() != DataKind::dense && data_->kind() != DataKind::sparse)) return 1;
    if (rule == "auto" || data_->rows() < 2) return automatic_width(columns);
    if (rule == "mean" && sum == PairSum::squared) {
        // The mean of |x - z|^2 over pairs of different rows is twice the variance with N - 1.
        const double rows = data_->rows();
        const double mean = 2 * rows / (rows - 1) * total_variance(columns);
        return mean > 1e-300 && mean < 1e300 ? 1 / mean : automatic_width(columns);
    }
    return inverse_of_typical(sampled_pair_sums(*data_, sum, columns), rule, automatic_width(columns));
}

double inverse_of_typical(std::vector<double> distances, std::string_view rule, double otherwise) {
    if (distances.empty()) return otherwise;
    const double count = std::ssize(distances);
    double typical = 0;
    for (const double distance : distances) typical += distance / count;
    if (rule == "median") {
        const double median = quantile(distances, 0.5);
        if (median > 0) typical = median;
    }
    return typical > 1e-300 && typical < 1e300 ? 1 / typical : otherwise;
}

}  // namespace dk
