// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"
#include "data/kind/series_set.hpp"

namespace dk {

/// Several series side by side, one in each lane of a vector register, so that a vector instruction works on
/// several pairs: value(step, channel, lane) = values[(step * channels + channel) * lanes + lane]. Shorter
/// series repeat their last step to the end.
struct SeriesLanes {
    Index channels = 0;
    Index steps = 0;             // length of the longest series
    std::vector<Index> lengths;  // numbers of steps by lanes
    std::vector<double> values;
    /// The range of the values in blocks of steps. Step t, counted from 1, is in block t / alignment_block:
    /// low(block, channel, lane) = lows[(block * channels + channel) * lanes + lane].
    std::vector<double> lows;
    std::vector<double> highs;
};

/// So many steps are in a block.
inline constexpr Index alignment_block = 16;

/// Gives the number of series that fit side by side on this processor.
Index alignment_lanes();

/// Lays up to alignment_lanes() series of a set side by side, of which it takes the given channels, or all
/// where none are given. Lanes that are left over repeat the last series.
SeriesLanes series_lanes(const SeriesSet& set, std::span<const Index> rows,
                         const std::vector<Index>& channels);

/// The local kernel kappa of the global alignment kernel. It compares step i of one series with step j of
/// another, which are x and y, by k = exp(-|x - y|^2 / (2 sigma^2)).
struct GlobalAlignment {
    double sigma = 1;
    Index band = 0;         // weighs k by max(0, 1 - |i - j| / band); 0 weighs all alike
    bool divisible = true;  // kappa = k / (2 - k), which keeps the kernel positive semidefinite; else k
};

/// The steps of a series from `first` to `last`.
struct StepRange {
    Index first;
    Index last;
};

/// The pairs of steps that dynamic time warping may match; some alignment is always in the window.
struct WarpingWindow {
    Index band = 0;    // allows |i - j| <= max(band, difference of the lengths), and all for 0
    double slope = 0;  // of Itakura's parallelogram between both ends, at least 1; 0 allows all

    /// Gives the steps of a series of `right_length` that step i of one of `left_length` may be matched with.
    /// Steps are counted from 1.
    StepRange range(Index i, Index left_length, Index right_length) const;
};

// Both functions return early when the control is stopping, with values that mean nothing. The recursions and
// their references are in global_alignment.cpp and warping.cpp.

/// Writes for every lane the logarithm of the global alignment kernel: the sum over all alignments of the
/// left series with the right one of the products of kappa over matched steps. Where the band allows no
/// alignment, the logarithm is -infinity. A k below exp(-1e15) counts as that.
void global_alignment_logarithms(const GlobalAlignment& parameters, const SeriesLanes& left,
                                 const SeriesLanes& right, const Control& control, double* out);

/// Writes for every lane the distance of dynamic time warping, the least sum of |x_i - y_j|^2 over matched
/// steps of all alignments in the window. Where the distances of all lanes are above `limit`, it may leave
/// them at infinity.
void warping_distances(const WarpingWindow& window, const SeriesLanes& left, const SeriesLanes& right,
                       const Control& control, double* out, double limit = infinity);

/// The range of a series around each step of another one, which may match steps no more than `reach` away:
/// high[(j - 1) * channels + c] is the largest of x_i, |i - j| <= reach, in channel c.
struct WarpingEnvelope {
    Index channels = 0;
    std::vector<double> low = {};
    std::vector<double> high = {};
    std::vector<double> first = {};  // the series' first and last step, which match those of every other
    std::vector<double> last = {};
    Index steps = 0;  // length of the series
};

/// Makes the envelope of lane 0 for the first `steps` steps of other series. A reach is the band, or the
/// difference of the lengths where that is more.
WarpingEnvelope warping_envelope(const SeriesLanes& series, Index reach, Index steps);

/// Writes for every lane a number below its distance of dynamic time warping, or equal to it but for
/// rounding, if no pair reaches further than the envelope.
void warping_bounds(const WarpingEnvelope& left, const SeriesLanes& right, double* out);

}  // namespace dk
