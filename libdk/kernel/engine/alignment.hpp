// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"
#include "data/structures.hpp"

namespace dk {

/// Several series side by side, one a vector lane, so that a vector instruction works on several pairs:
/// value(step, channel, lane) = values[(step * channels + channel) * lanes + lane]. Shorter series end
/// with repetitions of their last step.
struct SeriesLanes {
    Index channels = 0;
    Index steps = 0;  // of the longest
    std::vector<Index> lengths;
    std::vector<double> values;
};

/// How many series fit side by side on this processor.
Index alignment_lanes();

/// The channels named (empty: all) of up to alignment_lanes() series; lanes that are left over repeat the
/// last one.
SeriesLanes series_lanes(const SeriesSet& set, std::span<const Index> rows,
                         const std::vector<Index>& channels);

struct GlobalAlignment {
    double sigma = 1;
    Index band = 0;         // the triangular weight max(0, 1 - |i - j| / band); 0: none
    bool divisible = true;  // the local kernel k / (2 - k), which keeps the alignment kernel PSD; else k
};

// When the control is stopping both return early, with values that mean nothing.

/// For every lane the logarithm of the sum, over all alignments of the left with the right series, of the
/// products of the local kernel exp(-|x - y|^2 / (2 sigma^2)) (Cuturi, Fast global alignment kernels, ICML
/// 2011). -infinity where the band allows none.
void global_alignment_logarithms(const GlobalAlignment& parameters, const SeriesLanes& left,
                                 const SeriesLanes& right, const Control& control, double* out);

/// For every lane the least sum of |x - y|^2 over all alignments (dynamic time warping); with band > 0 only
/// those with |i - j| <= max(band, difference of the lengths).
void warping_distances(Index band, const SeriesLanes& left, const SeriesLanes& right, const Control& control,
                       double* out);

}  // namespace dk
