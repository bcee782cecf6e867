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

/// A quadrant, row by row, where it lies in the kernel matrix.
using QuadrantRows = std::vector<std::span<const double>>;

/// Statistics of values that each stand `copies` times. A symmetric quadrant without its diagonal is its
/// strict upper triangle with two copies: order statistic t of the quadrant is order statistic t / 2 of
/// the triangle. Exact, in one pass over the values, which are neither copied nor moved: a sample tells where
/// the quartiles are to be looked for (Floyd and Rivest, CACM 18, 1975); more passes where it misleads.
/// `quartiles`: whether the interquartile range is found too, else it is zero.
QuadrantStatistics quadrant_statistics(const QuadrantRows& rows, Index copies, bool quartiles,
                                       Control& control);

}  // namespace dk
