// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// The distribution of kernel values in one quadrant of the class-sorted kernel matrix.
struct QuadrantStatistics {
    double mean = 0;
    double deviation = 0;            // population
    double interquartile_range = 0;  // percentiles by linear interpolation
};

/// Of all values of a quadrant; reorders them.
QuadrantStatistics quadrant_statistics(std::span<double> values);

/// Of a symmetric quadrant without its diagonal, from its strict upper triangle. With every value
/// standing twice, order statistic t of the quadrant is order statistic t / 2 of the triangle.
QuadrantStatistics triangle_statistics(std::span<double> triangle);

}  // namespace dk
