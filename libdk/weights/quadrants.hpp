// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// What describes the distribution of the kernel values in one quadrant.
struct QuadrantStatistics {
    double mean = 0;
    double deviation = 0;            // This is the deviation of the population: it divides by the number.
    double interquartile_range = 0;  // Its percentiles are interpolated linearly.
};

/// The rows of a quadrant, where they lie in the kernel matrix.
using QuadrantRows = std::vector<std::span<const double>>;

/// Computes the exact statistics of values that each count `copies` times, and neither copies nor moves them.
/// A symmetric quadrant without its diagonal is its strict upper triangle with two copies. The interquartile
/// range takes longer than the rest and is found only where `quartiles` asks for it; else it is 0.
QuadrantStatistics quadrant_statistics(const QuadrantRows& rows, Index copies, bool quartiles,
                                       Control& control);

}  // namespace dk
