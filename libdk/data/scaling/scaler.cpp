// SPDX-License-Identifier: Apache-2.0
#include "data/scaling/scaler.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "data/scaling/column_scale.hpp"

namespace dk {

namespace {

struct Spread {
    double centre;
    double width;
};

Spread standard_spread(std::span<const double> column) {
    const double count = column.size();
    double mean = 0;
    for (const double x : column) mean += x / count;
    double variance = 0;
    for (const double x : column) variance += (x - mean) * (x - mean) / count;
    return {mean, std::sqrt(variance)};
}

Spread robust_spread(std::span<double> column) {
    const double lower = quantile(column, 0.25);
    const double median = quantile(column, 0.5);
    return {median, quantile(column, 0.75) - lower};
}

Spread minmax_spread(std::span<const double> column) {
    const auto [lowest, highest] = std::ranges::minmax(column);
    return {lowest, highest - lowest};
}

/// Halves come first, so that their sum and difference are finite.
Spread symmetric_spread(std::span<const double> column) {
    const auto [lowest, highest] = std::ranges::minmax(column);
    return {highest / 2 + lowest / 2, highest / 2 - lowest / 2};
}

double largest_magnitude(std::span<const double> values) {
    double largest = 0;
    for (const double x : values) largest = std::max(largest, std::abs(x));
    return largest;
}

Spread spread_of(const std::string& kind, std::span<double> column) {
    if (kind == "standard") return standard_spread(column);
    if (kind == "robust") return robust_spread(column);
    if (kind == "symmetric") return symmetric_spread(column);
    if (kind == "largest") return {0, largest_magnitude(column)};
    return minmax_spread(column);
}

}  // namespace

double quantile(std::span<double> values, double fraction) {
    const double position = fraction * (values.size() - 1);
    const auto below = static_cast<Index>(position);
    const auto lower = values.begin() + below;
    std::nth_element(values.begin(), lower, values.end());
    const double remainder = position - below;
    if (remainder == 0) return *lower;
    return *lower + remainder * (*std::min_element(lower + 1, values.end()) - *lower);
}

std::string_view name_of(RowScale how) {
    return row_scale_names[static_cast<std::size_t>(how)];
}

std::optional<RowScale> row_scale_named(std::string_view name) {
    const auto found = std::ranges::find(row_scale_names, name);
    if (found == row_scale_names.end()) return std::nullopt;
    return static_cast<RowScale>(found - row_scale_names.begin());
}

void scale_row(RowScale how, std::span<double> row) {
    if (how == RowScale::none) return;
    const double largest = largest_magnitude(row);
    if (largest == 0) return;
    if (how == RowScale::standard) {
        const Spread spread = standard_spread(row);
        const bool constant = !(spread.width > 1e-14 * largest);
        for (double& x : row) x = constant ? 0 : (x - spread.centre) / spread.width;
        return;
    }
    // Dividing by the largest first keeps squares and sums finite.
    for (double& x : row) x /= largest;
    if (how == RowScale::max) return;
    double sum = 0;
    for (const double x : row) sum += how == RowScale::l2 ? x * x : std::abs(x);
    const double length = how == RowScale::l2 ? std::sqrt(sum) : sum;
    for (double& x : row) x /= length;
}

namespace {

/// Scales sparse rows, and then columns unless there are no divisors.
Dataset with_sparse_rows_scaled(RowScale how, std::span<const double> divisors, const Dataset& data) {
    SparseMatrix matrix = data.sparse();
    for (Index i = 0; i < matrix.rows; ++i) {
        const Index first = matrix.row_offsets[i];
        scale_row(how, std::span(matrix.values).subspan(first, matrix.row_offsets[i + 1] - first));
    }
    for (std::size_t k = 0; k < matrix.values.size() && !divisors.empty(); ++k)
        matrix.values[k] /= divisors[matrix.columns[k]];
    return data.with_features(std::move(matrix));
}

}  // namespace

Dataset Scaler::apply(const Dataset& data) const {
    if (fill.empty()) require_complete(data);
    if (identity()) return data;
    if (data.kind() == DataKind::sparse) return with_sparse_rows_scaled(rows, scale, data);
    DenseMatrix matrix{data.rows(), data.cols(), data.dense().values};
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto row = matrix.row(i);
        for (Index j = 0; j < std::ssize(fill); ++j) {
            if (std::isnan(row[j])) row[j] = fill[j];
        }
        scale_row(rows, row);
        for (Index j = 0; j < std::ssize(shift) && !ranks.empty(); ++j) row[j] = ranks.rank(j, row[j]);
        for (Index j = 0; j < std::ssize(shift); ++j) row[j] -= shift[j];
        for (Index j = 0; j < std::ssize(scale); ++j) row[j] /= scale[j];
    }
    Dataset::Features scaled(std::move(matrix));
    require_finite(scaled);
    return data.with_features(std::move(scaled));
}

void Scaler::restore(std::span<double> point) const {
    for (std::size_t j = 0; j < scale.size(); ++j) point[j] *= scale[j];
    for (std::size_t j = 0; j < shift.size(); ++j) point[j] += shift[j];
    for (Index j = 0; j < std::ssize(shift) && !ranks.empty(); ++j) point[j] = ranks.value(j, point[j]);
}

std::vector<double> Scaler::units() const {
    if (ranks.empty()) return scale;
    std::vector<double> upper(scale.size(), 0.5);
    std::vector<double> lower(scale.size(), -0.5);
    restore(upper);
    restore(lower);
    for (std::size_t j = 0; j < scale.size(); ++j) upper[j] -= lower[j];
    return upper;
}

namespace {

/// Gives the values of a column that are not missing; throws Error(invalid_data) when all are.
std::vector<double> present_values(const DenseMatrix& matrix, Index column, const std::string& name) {
    std::vector<double> values;
    for (Index i = 0; i < matrix.rows; ++i) {
        const double value = matrix.row(i)[column];
        if (!std::isnan(value)) values.push_back(value);
    }
    if (values.empty())
        fail(Status::invalid_data, "every value of column ", column, " (", name, ") is missing");
    return values;
}

void require_dense(const std::string& parameter, const std::string& value, const Dataset& data) {
    if (value == "none" || data.kind() == DataKind::dense) return;
    if (value == "largest" && data.kind() == DataKind::sparse) return;
    fail(Status::unsupported, parameter, "=", value, " works on dense data, these are ", name_of(data.kind()),
         "; use ", parameter, "=none");
}

void require_rows_that_scale(RowScale how, const Dataset& data) {
    if (how == RowScale::none || data.kind() == DataKind::dense) return;
    if (data.kind() != DataKind::sparse)
        fail(Status::unsupported, "scale_rows works on dense and sparse rows, these are ",
             name_of(data.kind()), "; use scale_rows=none");
    if (how == RowScale::standard)
        fail(Status::unsupported,
             "scale_rows=standard takes the mean from every element and works on dense rows, these are "
             "sparse; l2, l1 and max leave zeros as they are");
}

std::vector<double> fillings(const std::string& impute, const Dataset& data) {
    std::vector<double> fill;
    for (Index j = 0; j < data.cols(); ++j) {
        auto column = present_values(data.dense(), j, data.feature_name(j));
        fill.push_back(impute == "mean" ? standard_spread(column).centre : quantile(column, 0.5));
    }
    return fill;
}

/// Gives what a column is divided by. A width that is no more than a rounding error of the centre means that
/// the column is constant.
double divisor_of(Spread spread) {
    const bool spreads = std::isfinite(spread.width) && spread.width > 1e-14 * std::abs(spread.centre) &&
                         std::isfinite(1 / spread.width);
    return spreads ? spread.width : 1.0;
}

void fit_columns(Scaler& scaler, const std::string& kind, const DenseMatrix& matrix) {
    std::vector<double> column(matrix.rows);
    for (Index j = 0; j < matrix.cols; ++j) {
        for (Index i = 0; i < matrix.rows; ++i) column[i] = matrix.row(i)[j];
        const Spread spread = spread_of(kind, column);
        scaler.shift.push_back(spread.centre);
        scaler.scale.push_back(divisor_of(spread));
    }
}

}  // namespace

Scaler fit_scaler(const ScalerChoice& choice, const Dataset& data) {
    Scaler scaler;
    require_dense("impute", choice.impute, data);
    require_rows_that_scale(choice.rows, data);
    if (choice.impute == "none") require_complete(data);
    if (choice.impute != "none") scaler.fill = fillings(choice.impute, data);
    scaler.rows = choice.rows;
    if (choice.columns == "none") return scaler;
    // Columns are learned as they are after what comes before them.
    const Dataset before = scaler.apply(data);
    const std::string columns = choice.columns == "auto" ? column_scale_of(before).name : choice.columns;
    require_dense("scale", columns, data);
    if (columns == "none") return scaler;
    if (columns == "ranks") {
        scaler.ranks = fit_ranks(before.dense());
        DenseMatrix ranked = before.dense();
        for (Index i = 0; i < ranked.rows; ++i) {
            for (Index j = 0; j < ranked.cols; ++j) ranked.row(i)[j] = scaler.ranks.rank(j, ranked.row(i)[j]);
        }
        fit_columns(scaler, "standard", ranked);
    } else if (before.kind() == DataKind::dense) {
        fit_columns(scaler, columns, before.dense());
    } else {
        for (const double width : largest_magnitudes(before.sparse()))
            scaler.scale.push_back(divisor_of({0, width}));
    }
    return scaler;
}

}  // namespace dk
