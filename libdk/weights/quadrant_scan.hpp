// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "base/types.hpp"

namespace dk {

/// What a scan has found out about the values that it passed.
struct QuadrantScan {
    double sum = 0;      // It adds the values' deviations from the centre.
    double squares = 0;  // It adds the squares of these deviations.
    double lowest = infinity;
    double highest = -infinity;
    std::array<Index, 2> below = {};  // So many values are less than each window.
    std::array<Index, 2> held = {};   // So many values of the last call lie in each window.
};

/// Two closed intervals, in which the quartiles are expected.
struct ScanWindows {
    std::array<double, 2> lowest;
    std::array<double, 2> highest;
};

/// One call scans at most this many values, which stay in the nearest cache.
inline constexpr Index scanned_at_once = 2048;
/// Buffers have room for so many values more, because whole vectors are stored.
inline constexpr Index scan_slack = 16;

/// Adds `count` values to `scan`, and copies the values in each window to its buffer, which has room for
/// scanned_at_once + scan_slack. Without windows it computes only the sums and extremes.
void scan_quadrant(const double* values, Index count, double centre, const ScanWindows* windows,
                   QuadrantScan& scan, const std::array<double*, 2>& buffers);

}  // namespace dk
