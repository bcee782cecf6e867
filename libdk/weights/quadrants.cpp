// SPDX-License-Identifier: Apache-2.0
#include "weights/quadrants.hpp"

#include <algorithm>
#include <cmath>

namespace dk {

namespace {

/// The order statistic `position` / copies, with linear interpolation between positions, of values
/// that each stand `copies` times.
double repeated_quantile(std::span<double> values, double fraction, Index copies) {
    const double position = fraction * static_cast<double>(copies * size_of(values) - 1);
    const auto below = static_cast<Index>(position);
    const double remainder = position - static_cast<double>(below);
    const auto lower = values.begin() + below / copies;
    std::nth_element(values.begin(), lower, values.end());
    const bool same_value = (below + 1) / copies == below / copies;
    if (remainder == 0 || same_value || lower + 1 == values.end()) return *lower;
    return *lower + remainder * (*std::min_element(lower + 1, values.end()) - *lower);
}

QuadrantStatistics statistics(std::span<double> values, Index copies) {
    QuadrantStatistics result;
    const auto count = static_cast<double>(values.size());
    double sum = 0;
    for (const double v : values) sum += v;
    result.mean = sum / count;
    double squares = 0;
    for (const double v : values) squares += (v - result.mean) * (v - result.mean);
    result.deviation = std::sqrt(squares / count);
    result.interquartile_range =
        repeated_quantile(values, 0.75, copies) - repeated_quantile(values, 0.25, copies);
    return result;
}

}  // namespace

QuadrantStatistics quadrant_statistics(std::span<double> values) {
    return statistics(values, 1);
}

QuadrantStatistics triangle_statistics(std::span<double> triangle) {
    return statistics(triangle, 2);
}

}  // namespace dk
