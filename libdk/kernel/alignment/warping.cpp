// SPDX-License-Identifier: Apache-2.0
//
// An alignment of a series x with a series y matches their steps in order, and may match a step several
// times. The distance of dynamic time warping is the least sum of |x_i - y_j|^2 over the matched steps of an
// alignment. A recursion over the pairs of steps (i, j) finds it row by row, and keeps one row of its table:
//
//     d(i, j) = |x_i - y_j|^2 + min(d(i-1, j), d(i, j-1), d(i-1, j-1))     d(0, 0) = 0, and infinity at the
//     border
//
//     letter                   name
//     d(i-1, j), d(i, j-1)     above, before
//     d(i-1, j-1)              diagonal
//     d(i, 0), d(i, 1), ...    row
//
// H. Sakoe, S. Chiba, Dynamic programming algorithm optimization for spoken word recognition, IEEE
// Transactions on Acoustics, Speech, and Signal Processing 26, 1978.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/large_array.hpp"
#include "kernel/alignment/alignment.hpp"

// Highway compiles this file once for every set of instructions.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/alignment/warping.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

// These headers must come after highway.h.
#include "kernel/alignment/series_lanes-inl.hpp"
#include "matrix/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

/// Makes row 0 of the table.
LargeArray<double> border_row(const SeriesLanes& right) {
    LargeArray<double> row((right.steps + 1) * lane_count());
    std::fill_n(row.data(), row.size(), infinity);
    std::fill_n(row.data(), lane_count(), 0.0);
    return row;
}

/// Computes row i of the table in the columns from `first` to `last`. Lanes have infinity where the band,
/// which is `reach` to each side, does not reach.
void warp_row(const SeriesLanes& left, const SeriesLanes& right, Index i, Index first, Index last, V reach,
              double* row) {
    const Index lanes = lane_count();
    const Index step = left.channels * lanes;
    const double* x = left.values.data() + (i - 1) * step;
    V diagonal = hn::LoadU(D(), row + (first - 1) * lanes);
    V before = constant(infinity);
    hn::StoreU(before, D(), row + (first - 1) * lanes);
    for (Index j = first; j <= last; ++j) {
        const V above = hn::LoadU(D(), row + j * lanes);
        const V distance = squared_distance(x, right.values.data() + (j - 1) * step, left.channels);
        const V sum = hn::Add(distance, hn::Min(before, hn::Min(above, diagonal)));
        const V beside = constant(static_cast<double>(std::abs(i - j)));
        before = hn::IfThenElse(hn::Le(beside, reach), sum, constant(infinity));
        diagonal = above;
        hn::StoreU(before, D(), row + j * lanes);
    }
}

void warping(Index band, const SeriesLanes& left, const SeriesLanes& right, const Control& control,
             double* out) {
    // Lengths that differ by more than the band widen it, and every lane has lengths of its own.
    HWY_ALIGN double reaches[most_lanes];
    Index widest = 0;
    for (Index lane = 0; lane < lane_count(); ++lane) {
        const Index gap = std::abs(left.lengths[lane] - right.lengths[lane]);
        const Index reach = band > 0 ? std::max(band, gap) : std::max(left.steps, right.steps);
        reaches[lane] = static_cast<double>(reach);
        widest = std::max(widest, reach);
    }
    const V reach = hn::Load(D(), reaches);
    auto row = border_row(right);
    std::fill(out, out + lane_count(), infinity);
    for (Index i = 1; i <= std::min(left.steps, right.steps + widest); ++i) {
        if (control.stopping()) return;
        const Index first = std::max<Index>(1, i - widest);
        const Index last = std::min(right.steps, i + widest);
        warp_row(left, right, i, first, last, reach, row.data());
        for (Index lane = 0; lane < lane_count(); ++lane) {
            const Index end = right.lengths[lane];
            if (left.lengths[lane] == i && first <= end && end <= last)
                out[lane] = row[end * lane_count() + lane];
        }
    }
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

void warping_distances(Index band, const SeriesLanes& left, const SeriesLanes& right, const Control& control,
                       double* out) {
    DK_CHOSEN(warping)(band, left, right, control, out);
}

}  // namespace dk
#endif  // HWY_ONCE
