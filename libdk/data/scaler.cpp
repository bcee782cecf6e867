// SPDX-License-Identifier: Apache-2.0
#include "data/scaler.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

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

Dataset Scaler::apply(const Dataset& data) const {
    if (fill.empty()) require_complete(data);
    if (identity()) return data;
    DenseMatrix matrix{data.rows(), data.cols(), data.dense().values};
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto row = matrix.row(i);
        for (Index j = 0; j < matrix.cols; ++j) {
            if (!fill.empty() && std::isnan(row[j])) row[j] = fill[j];
            if (!shift.empty()) row[j] = (row[j] - shift[j]) / scale[j];
        }
    }
    Dataset::Features scaled(std::move(matrix));
    require_finite(scaled);
    return data.with_features(std::move(scaled));
}

void Scaler::restore(std::span<double> point) const {
    for (std::size_t j = 0; j < shift.size(); ++j) point[j] = point[j] * scale[j] + shift[j];
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

double filling(const std::string& impute, std::span<double> column) {
    return impute == "mean" ? standard_spread(column).centre : quantile(column, 0.5);
}

void require_dense(const std::string& parameter, const std::string& value, const Dataset& data) {
    if (value == "none" || data.kind() == DataKind::dense) return;
    fail(Status::unsupported, parameter, "=", value, " works on dense data, these are ", name_of(data.kind()),
         "; use ", parameter, "=none");
}

}  // namespace

Scaler fit_scaler(const std::string& kind, const std::string& impute, const Dataset& data) {
    Scaler scaler;
    require_dense("scale", kind, data);
    require_dense("impute", impute, data);
    if (impute == "none") require_complete(data);
    if (kind == "none" && impute == "none") return scaler;
    const DenseMatrix& matrix = data.dense();
    for (Index j = 0; j < matrix.cols; ++j) {
        auto column = present_values(matrix, j, data.feature_name(j));
        if (impute != "none") {
            scaler.fill.push_back(filling(impute, column));
            column.resize(matrix.rows, scaler.fill.back());  // Training sees the filled column.
        }
        if (kind == "none") continue;
        const Spread spread = kind == "standard" ? standard_spread(column)
                              : kind == "robust" ? robust_spread(column)
                                                 : minmax_spread(column);
        // A width this small is a rounding error of the centre, and the column is constant.
        const bool spreads = std::isfinite(spread.width) && spread.width > 1e-14 * std::abs(spread.centre) &&
                             std::isfinite(1 / spread.width);
        scaler.shift.push_back(spread.centre);
        scaler.scale.push_back(spreads ? spread.width : 1.0);
    }
    return scaler;
}

}  // namespace dk
