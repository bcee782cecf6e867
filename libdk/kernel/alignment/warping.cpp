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

/// Computes row i of the table in the columns from `first` to `last`, and gives its least value. Lanes have
/// infinity where the band, which is `reach` to each side, does not reach.
V warp_row(const SeriesLanes& left, const SeriesLanes& right, Index i, Index first, Index last, V reach,
           double* row) {
    const Index lanes = lane_count();
    const Index step = left.channels * lanes;
    const double* x = left.values.data() + (i - 1) * step;
    V diagonal = hn::LoadU(D(), row + (first - 1) * lanes);
    V before = constant(infinity);
    V least = before;
    hn::StoreU(before, D(), row + (first - 1) * lanes);
    for (Index j = first; j <= last; ++j) {
        const V above = hn::LoadU(D(), row + j * lanes);
        const V distance = squared_distance(x, right.values.data() + (j - 1) * step, left.channels);
        const V sum = hn::Add(distance, hn::Min(before, hn::Min(above, diagonal)));
        const V beside = constant(static_cast<double>(std::abs(i - j)));
        before = hn::IfThenElse(hn::Le(beside, reach), sum, constant(infinity));
        diagonal = above;
        least = hn::Min(least, before);
        hn::StoreU(before, D(), row + j * lanes);
    }
    return least;
}

void warping(Index band, const SeriesLanes& left, const SeriesLanes& right, const Control& control,
             double* out, double limit) {
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
        const V least = warp_row(left, right, i, first, last, reach, row.data());
        // Every alignment goes through this row, and sums never fall.
        if (hn::AllTrue(D(), hn::Gt(least, constant(limit)))) return;
        for (Index lane = 0; lane < lane_count(); ++lane) {
            const Index end = right.lengths[lane];
            if (left.lengths[lane] == i && first <= end && end <= last)
                out[lane] = row[end * lane_count() + lane];
        }
    }
}

/// Gives the square of how far y is outside of the range.
HWY_INLINE V squared_excess(const double* y, const double* low, const double* high, Index channels) {
    V sum = hn::Zero(D());
    for (Index c = 0; c < channels; ++c) {
        const V value = hn::LoadU(D(), y + c * lane_count());
        const V excess = hn::Max(hn::Sub(value, constant(high[c])), hn::Sub(constant(low[c]), value));
        const V outside = hn::Max(excess, hn::Zero(D()));
        sum = hn::MulAdd(outside, outside, sum);
    }
    return sum;
}

/// Gives |x - y|^2 for one step x and a step y of every lane.
HWY_INLINE V squared_distance_of_one(const double* x, const double* y, Index channels) {
    V sum = hn::Zero(D());
    for (Index c = 0; c < channels; ++c) {
        const V difference = hn::Sub(constant(x[c]), hn::LoadU(D(), y + c * lane_count()));
        sum = hn::MulAdd(difference, difference, sum);
    }
    return sum;
}

void bounds(const WarpingEnvelope& left, const SeriesLanes& right, double* out) {
    const Index channels = right.channels;
    const Index step = channels * lane_count();
    HWY_ALIGN double lengths[most_lanes];
    for (Index lane = 0; lane < lane_count(); ++lane)
        lengths[lane] = static_cast<double>(right.lengths[lane]);
    const V length = hn::Load(D(), lengths);
    const double* y = right.values.data();
    const V from_first = squared_distance_of_one(left.first.data(), y, channels);
    // Shorter series repeat their last step to the end.
    const V from_last = squared_distance_of_one(left.last.data(), y + (right.steps - 1) * step, channels);
    // Two series of one step have one pair, which is their first and their last one.
    const V pairs = hn::Max(length, constant(static_cast<double>(left.steps)));
    V sum = hn::Add(from_first, hn::IfThenElseZero(hn::Gt(pairs, constant(1)), from_last));
    for (Index j = 2; j < right.steps; ++j) {
        const V excess = squared_excess(y + (j - 1) * step, left.low.data() + (j - 1) * channels,
                                        left.high.data() + (j - 1) * channels, channels);
        const V inside = constant(static_cast<double>(j));
        sum = hn::Add(sum, hn::IfThenElseZero(hn::Lt(inside, length), excess));
    }
    hn::StoreU(sum, D(), out);
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

void warping_distances(Index band, const SeriesLanes& left, const SeriesLanes& right, const Control& control,
                       double* out, double limit) {
    DK_CHOSEN(warping)(band, left, right, control, out, limit);
}

void warping_bounds(const WarpingEnvelope& left, const SeriesLanes& right, double* out) {
    DK_CHOSEN(bounds)(left, right, out);
}

namespace {

/// Writes for j = 0, 1, ... the largest of sign x[i * stride], |i - j| <= reach, times sign. Positions whose
/// values can still be the largest wait in a queue, in which values fall (Lemire, Faster retrieval with a
/// two-pass dynamic-time-warping lower bound, Pattern Recognition 42, 2009).
void sliding_extremes(double sign, const double* x, Index count, Index stride, Index reach,
                      std::span<double> out) {
    std::vector<Index> queue(count);
    Index head = 0;
    Index tail = 0;
    Index next = 0;
    const auto value = [&](Index i) { return sign * x[i * stride]; };
    for (Index j = 0; j * stride < std::ssize(out); ++j) {
        for (; next < count && next <= j + reach; ++next) {
            while (tail > head && value(queue[tail - 1]) <= value(next)) --tail;
            queue[tail++] = next;
        }
        while (queue[head] < j - reach) ++head;
        out[j * stride] = sign * value(queue[head]);
    }
}

}  // namespace

WarpingEnvelope warping_envelope(const SeriesLanes& series, Index reach, Index steps) {
    const Index lanes = alignment_lanes();
    const Index count = series.lengths.front();
    const Index channels = series.channels;
    std::vector<double> x(count * channels);
    for (std::size_t e = 0; e < x.size(); ++e) x[e] = series.values[e * lanes];
    WarpingEnvelope out{.channels = channels, .steps = count};
    out.low.resize(steps * channels);
    out.high.resize(steps * channels);
    for (Index c = 0; c < channels; ++c) {
        sliding_extremes(-1, x.data() + c, count, channels, reach, std::span(out.low).subspan(c));
        sliding_extremes(1, x.data() + c, count, channels, reach, std::span(out.high).subspan(c));
    }
    out.first.assign(x.begin(), x.begin() + channels);
    out.last.assign(x.end() - channels, x.end());
    return out;
}

}  // namespace dk
#endif  // HWY_ONCE
