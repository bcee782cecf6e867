// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>

#include "base/types.hpp"

namespace dk {

/// What is noted of values while they pass by.
struct QuadrantScan {
    double sum = 0;      // of deviations from the centre
    double squares = 0;  // of these
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
    std::array<Index, 2> below = {};  // values less than each window
    std::array<Index, 2> held = {};   // values in each window, of the last call
};

/// Two closed ranges.
struct ScanWindows {
    std::array<double, 2> lowest;
    std::array<double, 2> highest;
};

/// The most values that one call looks at, and the room beyond them that buffers need.
inline constexpr Index scanned_at_once = 2048;
inline constexpr Index scan_slack = 16;

/// Adds to `scan` what is to be said of some values, and copies those in the windows to buffers of
/// scanned_at_once + scan_slack; without windows only the sums and extremes. Vectorised for the processor.
void scan_quadrant(const double* values, Index count, double centre, const ScanWindows* windows,
                   QuadrantScan& scan, const std::array<double*, 2>& buffers);

}  // namespace dk
