// SPDX-License-Identifier: Apache-2.0
//
// An alignment of a series x with a series y matches their steps in order, and may match a step several
// times. The distance of dynamic time warping is the least sum of |x_i - y_j|^2 over the matched steps of an
// alignment. A recursion over the pairs of steps (i, j) finds it row by row, and keeps one row of its table:
//
//     d(i, j) = |x_i - y_j|^2 + min(d(i-1, j), d(i, j-1), d(i-1, j-1))     d(0, 0) = 0, and infinity at the
//     border
//
// A window leaves out pairs far off the line between the first pair and the last one (Sakoe, Chiba), or those
// outside of a parallelogram between both (Itakura).
//
//     letter                   name
//     d(i-1, j), d(i, j-1)     above, before
//     d(i-1, j-1)              diagonal
//     d(i, 0), d(i, 1), ...    row
//
// H. Sakoe, S. Chiba, Dynamic programming algorithm optimization for spoken word recognition, IEEE
// Transactions on Acoustics, Speech, and Signal Processing 26, 1978. F. Itakura, Minimum prediction residual
// principle applied to speech recognition, same transactions, 23, 1975.
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

/// The columns that a row of the table has in any lane, and for each lane the first and the last one.
struct RowColumns {
    Index first = 0;
    Index last = 0;
    HWY_ALIGN double firsts[most_lanes] = {};
    HWY_ALIGN double lasts[most_lanes] = {};
};

/// Gives the columns of row i. Rows that a lane's left series has not get those of its last one.
RowColumns columns_of_row(const WarpingWindow& window, const SeriesLanes& left, const SeriesLanes& right,
                          Index i) {
    RowColumns columns{.first = right.steps, .last = 0};
    for (Index lane = 0; lane < lane_count(); ++lane) {
        const Index step = std::min(i, left.lengths[lane]);
        const StepRange range = window.range(step, left.lengths[lane], right.lengths[lane]);
        columns.first = std::min(columns.first, range.first);
        columns.last = std::max(columns.last, range.last);
        columns.firsts[lane] = static_cast<double>(range.first);
        columns.lasts[lane] = static_cast<double>(range.last);
    }
    return columns;
}

/// Computes row i of the table in its columns, and gives its least value. Lanes have infinity in columns that
/// are not theirs.
V warp_row(const SeriesLanes& left, const SeriesLanes& right, Index i, const RowColumns& columns,
           double* row) {
    const Index lanes = lane_count();
    const Index step = left.channels * lanes;
    const double* x = left.values.data() + (i - 1) * step;
    const V firsts = hn::Load(D(), columns.firsts);
    const V lasts = hn::Load(D(), columns.lasts);
    V diagonal = hn::LoadU(D(), row + (columns.first - 1) * lanes);
    V before = constant(infinity);
    V least = before;
    hn::StoreU(before, D(), row + (columns.first - 1) * lanes);
    for (Index j = columns.first; j <= columns.last; ++j) {
        const V above = hn::LoadU(D(), row + j * lanes);
        const V distance = squared_distance(x, right.values.data() + (j - 1) * step, left.channels);
        const V sum = hn::Add(distance, hn::Min(before, hn::Min(above, diagonal)));
        const V column = constant(static_cast<double>(j));
        const auto inside = hn::And(hn::Le(firsts, column), hn::Le(column, lasts));
        before = hn::IfThenElse(inside, sum, constant(infinity));
        diagonal = above;
        least = hn::Min(least, before);
        hn::StoreU(before, D(), row + j * lanes);
    }
    return least;
}

void warping(const WarpingWindow& window, const SeriesLanes& left, const SeriesLanes& right,
             const Control& control, double* out, double limit) {
    auto row = border_row(right);
    std::fill(out, out + lane_count(), infinity);
    const bool moves = window.band > 0 || window.slope > 0;  // else all rows have the same columns
    RowColumns columns = columns_of_row(window, left, right, 1);
    for (Index i = 1; i <= left.steps; ++i) {
        if (control.stopping()) return;
        if (moves && i > 1) columns = columns_of_row(window, left, right, i);
        const V least = warp_row(left, right, i, columns, row.data());
        // Every alignment goes through this row, and sums never fall.
        if (hn::AllTrue(D(), hn::Gt(least, constant(limit)))) return;
        for (Index lane = 0; lane < lane_count(); ++lane) {
            if (left.lengths[lane] == i) out[lane] = row[right.lengths[lane] * lane_count() + lane];
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

StepRange WarpingWindow::range(Index i, Index left_length, Index right_length) const {
    StepRange steps{1, right_length};
    if (band > 0) {
        const Index reach = std::max(band, std::abs(left_length - right_length));
        steps = {std::max<Index>(1, i - reach), std::min(right_length, i + reach)};
    }
    if (slope == 0 || left_length == 1) return steps;
    // The parallelogram's corners are the first pair and the last one. Its sides have the slope's multiple
    // and its fraction of the steepness of the line between these, which is 1 for series of one length.
    const double steepness = static_cast<double>(right_length - 1) / static_cast<double>(left_length - 1);
    const auto from_first = static_cast<double>(i - 1);
    const auto to_last = static_cast<double>(left_length - i);
    const auto end = static_cast<double>(right_length - 1);
    const double low = std::max(from_first * steepness / slope, end - slope * to_last * steepness);
    const double high = std::min(slope * from_first * steepness, end - to_last * steepness / slope);
    // Between the sides may be no pair. What is less than a step off the line is an alignment at any slope.
    const double beside = std::max(1.0, steepness);
    const double line = from_first * steepness;
    constexpr double rounding = 1e-9;
    const double first = std::min(std::ceil(low - rounding), std::floor(line - beside + rounding) + 1);
    const double last = std::max(std::floor(high + rounding), std::ceil(line + beside - rounding) - 1);
    return {std::max(steps.first, 1 + static_cast<Index>(first)),
            std::min(steps.last, 1 + static_cast<Index>(last))};
}

void warping_distances(const WarpingWindow& window, const SeriesLanes& left, const SeriesLanes& right,
                       const Control& control, double* out, double limit) {
    DK_CHOSEN(warping)(window, left, right, control, out, limit);
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
