// SPDX-License-Identifier: Apache-2.0
#include "data/scaling/column_scale.hpp"

#include <algorithm>
#include <cmath>

#include "base/control.hpp"
#include "base/text.hpp"
#include "data/scaling/deviations.hpp"

namespace dk {

namespace {

/// Widths of columns this many times apart are no longer comparable.
constexpr double comparable = 10;

/// Writes three digits of a number above 0.
std::string rounded(double value) {
    const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
    const double digits = std::round(value / unit);
    return format_number(unit < 1 ? digits / std::round(1 / unit) : digits * std::round(unit));
}

/// Says why widths need scaling, or nothing.
std::string reason_of(const Dataset& data, const std::vector<double>& widths, std::string_view what) {
    std::vector<double> varying;
    std::ranges::copy_if(widths, std::back_inserter(varying), [](double width) { return width > 0; });
    if (varying.size() < 2) return {};
    const auto middle = varying.begin() + (std::ssize(varying) - 1) / 2;
    std::ranges::nth_element(varying, middle);
    const auto widest = std::ranges::max_element(widths);
    // A deviation that overflows would scale nothing.
    if (!std::isfinite(*widest) || !(*widest > comparable * *middle)) return {};
    return text("the ", what, " of ", data.feature_name(widest - widths.begin()), " is ", rounded(*widest),
                ", that of the median column ", rounded(*middle));
}

}  // namespace

std::vector<double> largest_magnitudes(const SparseMatrix& matrix) {
    std::vector<double> largest(matrix.cols);
    for (std::size_t k = 0; k < matrix.values.size(); ++k) {
        double& of_column = largest[matrix.columns[k]];
        of_column = std::max(of_column, std::abs(matrix.values[k]));
    }
    return largest;
}

ColumnScale column_scale_of(const Dataset& data) {
    std::string name;
    std::string reason;
    if (data.kind() == DataKind::dense) {
        Control unheard;
        name = "standard";
        reason = reason_of(data, column_deviations(data.dense(), unheard), "deviation");
    } else if (data.kind() == DataKind::sparse) {
        name = "largest";
        reason = reason_of(data, largest_magnitudes(data.sparse()), "largest magnitude");
    }
    if (reason.empty()) return {};
    reason += text(": columns were scaled (", name, "); scale=none leaves them");
    return {std::move(name), std::move(reason)};
}

}  // namespace dk
