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
    const auto count = static_cast<double>(column.size());
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
    const double position = fraction * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(position);
    const auto lower = values.begin() + below;
    std::nth_element(values.begin(), lower, values.end());
    const double remainder = position - static_cast<double>(below);
    if (remainder == 0) return *lower;
    return *lower + remainder * (*std::min_element(lower + 1, values.end()) - *lower);
}

Dataset Scaler::apply(const Dataset& data) const {
    if (identity()) return data;
    DenseMatrix matrix = data.dense();
    for (Index i = 0; i < matrix.rows; ++i) {
        double* row = matrix.values.data() + i * matrix.cols;
        for (Index j = 0; j < matrix.cols; ++j) {
            row[j] = (row[j] - shift[unsigned_of(j)]) / scale[unsigned_of(j)];
        }
    }
    Dataset out(std::move(matrix));
    require_finite(out.dense());
    out.labels = data.labels;
    out.targets = data.targets;
    out.sample_weights = data.sample_weights;
    out.feature_names = data.feature_names;
    return out;
}

void Scaler::restore(std::span<double> point) const {
    if (identity()) return;
    for (std::size_t j = 0; j < point.size(); ++j) point[j] = point[j] * scale[j] + shift[j];
}

Scaler fit_scaler(const std::string& kind, const Dataset& data) {
    Scaler scaler;
    if (kind == "none") return scaler;
    if (data.kind() != DataKind::dense) {
        fail(Status::unsupported, "scale=", kind, " works on dense data, these are ", name_of(data.kind()),
             "; use scale=none");
    }
    const DenseMatrix& matrix = data.dense();
    std::vector<double> column(unsigned_of(matrix.rows));
    for (Index j = 0; j < matrix.cols; ++j) {
        for (Index i = 0; i < matrix.rows; ++i) {
            column[unsigned_of(i)] = matrix.values[unsigned_of(i * matrix.cols + j)];
        }
        const Spread spread = kind == "standard" ? standard_spread(column)
                              : kind == "robust" ? robust_spread(column)
                                                 : minmax_spread(column);
        // A width that is rounding error of the centre is no spread.
        const bool spreads = std::isfinite(spread.width) && spread.width > 1e-14 * std::abs(spread.centre) &&
                             std::isfinite(1 / spread.width);
        scaler.shift.push_back(spread.centre);
        scaler.scale.push_back(spreads ? spread.width : 1.0);
    }
    return scaler;
}

}  // namespace dk
