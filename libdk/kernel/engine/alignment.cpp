// SPDX-License-Identifier: Apache-2.0
//
// An alignment of a series x with a series y matches their steps in order, and may match a step several
// times. Two recursions go over the pairs of steps (i, j) row by row, and keep one row of their table:
//
//     M(i, j) = kappa(i, j) (M(i-1, j) + M(i, j-1) + M(i-1, j-1))          M(0, 0) = 1, and 0 at the border
//     d(i, j) = |x_i - y_j|^2 + min(d(i-1, j), d(i, j-1), d(i-1, j-1))     d(0, 0) = 0, and infinity there
//
// The last M is the global alignment kernel, of which log M is the result, and the last d is the distance of
// dynamic time warping. The local kernel is kappa = k / (2 - k), or k itself, for
//
//     k(i, j) = w exp(-|x_i - y_j|^2 / (2 sigma^2)),     w = max(0, 1 - |i - j| / T), or 1 without a band T.
//
//     letter                   name
//     sigma, T                 GlobalAlignment::sigma, GlobalAlignment::band
//     kappa(i, j)              local, or its logarithm
//     M(i-1, j), M(i, j-1)     above, before (likewise for d)
//     M(i-1, j-1)              diagonal
//     M(i, 0), M(i, 1), ...    row
//
// M. Cuturi, Fast global alignment kernels, ICML 2011; H. Sakoe, S. Chiba, Dynamic programming algorithm
// optimization for spoken word recognition, IEEE Transactions on Acoustics, Speech, and Signal Processing 26,
// 1978.
#include "kernel/engine/alignment.hpp"

#include <algorithm>
#include <cmath>

#include "base/large_array.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/engine/alignment.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// This header must come after highway.h.
#include <hwy/contrib/math/math-inl.h>

#include "matrix/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

constexpr Index most_lanes = hn::MaxLanes(D());

Index lane_count() {
    return static_cast<Index>(hn::Lanes(D()));
}

V constant(double value) {
    return hn::Set(D(), value);
}

/// Computes |x - y|^2 in every lane for a step x of its left and a step y of its right series.
V squared_distance(const double* x, const double* y, Index channels) {
    V sum = hn::Zero(D());
    for (Index c = 0; c < channels; ++c) {
        const V difference =
            hn::Sub(hn::LoadU(D(), x + c * lane_count()), hn::LoadU(D(), y + c * lane_count()));
        sum = hn::MulAdd(difference, difference, sum);
    }
    return sum;
}

/// Runs a recursion over all pairs of steps (i, j) with |i - j| <= reach, counted from 1: `cell` gives each
/// value, and row_done(i, first j, last j) runs after each row. `row` holds the values of the last row by j,
/// and `border` is the value at j = 0, or just outside the reach.
template <typename Cell, typename RowDone>
void for_cells(const SeriesLanes& left, const SeriesLanes& right, const Control& control, double* row,
               V border, Index reach, Cell cell, RowDone row_done) {
    const Index lanes = lane_count();
    const Index step = left.channels * lanes;
    for (Index i = 1; i <= std::min(left.steps, right.steps + reach); ++i) {
        if (control.stopping()) return;
        const double* x = left.values.data() + (i - 1) * step;
        const Index first = std::max<Index>(1, i - reach);
        const Index last = std::min(right.steps, i + reach);
        V diagonal = hn::LoadU(D(), row + (first - 1) * lanes);
        V before = border;
        hn::StoreU(border, D(), row + (first - 1) * lanes);
        for (Index j = first; j <= last; ++j) {
            const V above = hn::LoadU(D(), row + j * lanes);
            const V distance = squared_distance(x, right.values.data() + (j - 1) * step, left.channels);
            before = cell(i, j, distance, above, before, diagonal);
            diagonal = above;
            hn::StoreU(before, D(), row + j * lanes);
        }
        row_done(i, first, last);
    }
}

/// Gives the largest |i - j| that a band allows. A band of 0 allows all.
Index reach_of(Index band, const SeriesLanes& left, const SeriesLanes& right) {
    return band > 0 ? band : std::max(left.steps, right.steps);
}

/// Writes the results of the lanes whose left series end with this row, each at the end of its right series.
/// A lane's result is `missing` where that end is outside the reach.
void take_results(const SeriesLanes& left, const SeriesLanes& right, Index row_index, const double* row,
                  Index first, Index last, double missing, double* out) {
    for (Index lane = 0; lane < lane_count(); ++lane) {
        const Index end = right.lengths[lane];
        if (left.lengths[lane] != row_index) continue;
        out[lane] = end < first || end > last ? missing : row[end * lane_count() + lane];
    }
}

/// Makes row 0 of the table, which has `corner` at j = 0 and `border` elsewhere.
LargeArray<double> border_row(const SeriesLanes& right, double corner, double border) {
    LargeArray<double> row((right.steps + 1) * lane_count());
    std::fill_n(row.data(), row.size(), border);
    std::fill_n(row.data(), lane_count(), corner);
    return row;
}

/// Gives the logarithm to base 2 of a bound on the number of alignments of a steps with b steps, a Delannoy
/// number. The generating function 1 / (1 - x - y - x y) at its saddle point gives its growth, and 20 bits
/// are enough for the factors that this leaves out.
double alignment_count_bound(Index a, Index b) {
    if (a <= 0 || b <= 0) return 20;
    const double p = a;
    const double q = b;
    return 1.4426950408889634 * (p * std::asinh(q / p) + q * std::asinh(p / q)) + 20;
}

/// Computes log M by the recursion on M itself, where every lane has a power of two as its scale. Values far
/// below the largest of their row underflow. A bound on all that was lost tells which lanes are `sound`,
/// whose results have their digits.
void linear_recursion(const GlobalAlignment& parameters, const SeriesLanes& left, const SeriesLanes& right,
                      const Control& control, double* out, bool* sound) {
    const Index lanes = lane_count();
    constexpr double least_kept = -900;  // log2 of the most that a cell loses where the largest is near 1
    auto storage = border_row(right, 1, 0);
    double* row = storage.data();
    const V factor = constant(-0.5 / (parameters.sigma * parameters.sigma));
    HWY_ALIGN double ends[most_lanes];
    for (Index lane = 0; lane < lanes; ++lane) ends[lane] = right.lengths[lane];
    const V end = hn::Load(D(), ends);
    V largest = hn::Zero(D());
    const bool ragged = std::ranges::min(right.lengths) < right.steps;
    std::vector<double> exponent(lanes, 0.0);    // log2 of the scale
    std::vector<double> lost(lanes, -infinity);  // log2 of the largest factor of a loss
    std::fill(out, out + lanes, -infinity);
    std::fill(sound, sound + lanes, true);
    const double band = parameters.band;
    const Index reach = reach_of(parameters.band, left, right);
    const auto cell = [&](Index i, Index j, V distance, V above, V before, V diagonal) {
        V local = hn::Exp(D(), hn::Mul(factor, distance));
        if (parameters.band > 0) {
            const double weight = 1 - std::abs(1.0 * (i - j)) / band;
            local = hn::Mul(local, constant(std::max(0.0, weight)));
        }
        if (parameters.divisible) local = hn::Div(local, hn::Sub(constant(2), local));
        // Columns beyond the end of a lane's own series must not decide its scale.
        if (ragged) local = hn::IfThenElseZero(hn::Le(constant(j), end), local);
        const V value = hn::Mul(local, hn::Add(hn::Add(above, diagonal), before));
        largest = hn::Max(largest, value);
        return value;
    };
    // What a cell of row i loses is multiplied by at most the number of alignments of the steps that follow.
    // So the first row after a change of scale has the largest loss, and no other is noted.
    const auto note_loss = [&](Index lane, Index i) {
        const auto at = lane;
        lost[at] =
            std::max(lost[at], exponent[at] + alignment_count_bound(left.lengths[at] - i, right.lengths[at]));
    };
    for (Index lane = 0; lane < lanes; ++lane) note_loss(lane, 0);
    const auto rescale = [&](Index i) {
        HWY_ALIGN double sizes[most_lanes];
        HWY_ALIGN double factors[most_lanes];
        hn::Store(largest, D(), sizes);
        for (Index lane = 0; lane < lanes; ++lane) {
            factors[lane] = 1;
            if (!(sizes[lane] > 0 && sizes[lane] < infinity) || i > left.lengths[lane]) continue;
            const int size = std::clamp(std::ilogb(sizes[lane]), -1000, 1000);
            factors[lane] = std::ldexp(1.0, -size);
            exponent[lane] += size;
            note_loss(lane, i);
        }
        const V scale = hn::Load(D(), factors);
        for (Index j = 0; j <= right.steps; ++j)
            hn::Store(hn::Mul(scale, hn::Load(D(), row + j * lanes)), D(), row + j * lanes);
    };
    const Index shortest = std::ranges::min(left.lengths);
    const double cells = 1.0 * left.steps * right.steps;
    const auto row_done = [&](Index i, Index first, Index last) {
        const auto fine = hn::And(hn::Gt(largest, constant(0x1p-100)), hn::Lt(largest, constant(0x1p100)));
        if (!hn::AllTrue(D(), fine)) rescale(i);
        largest = hn::Zero(D());
        if (i < shortest) return;
        HWY_ALIGN double results[most_lanes] = {};
        take_results(left, right, i, row, first, last, 0, results);
        for (Index lane = 0; lane < lanes; ++lane) {
            if (left.lengths[lane] != i) continue;
            const double result = std::log2(results[lane]) + exponent[lane];
            sound[lane] = lost[lane] + least_kept + std::log2(cells) < result - 50;
            out[lane] = result * 0.69314718055994530942;
        }
    };
    for_cells(left, right, control, row, hn::Zero(D()), reach, cell, row_done);
}

/// Computes log M by the recursion on logarithms, which is slower but neither underflows nor overflows.
void logarithmic_recursion(const GlobalAlignment& parameters, const SeriesLanes& left,
                           const SeriesLanes& right, const Control& control, double* out) {
    auto storage = border_row(right, 0, -infinity);
    const V factor = constant(-0.5 / (parameters.sigma * parameters.sigma));
    const double band = parameters.band;
    const V lowest = constant(-1e300);  // It replaces -infinity, whose differences are NaN.
    std::fill(out, out + lane_count(), -infinity);
    const Index reach = reach_of(parameters.band, left, right);
    const auto cell = [&](Index i, Index j, V distance, V above, V before, V diagonal) {
        V local = hn::Mul(factor, distance);
        if (parameters.band > 0)
            local = hn::Add(local, constant(std::log(std::max(0.0, 1 - std::abs(1.0 * (i - j)) / band))));
        if (parameters.divisible)
            local = hn::Sub(local, hn::Log(D(), hn::Sub(constant(2), hn::Exp(D(), local))));
        const V largest = hn::Max(lowest, hn::Max(above, hn::Max(before, diagonal)));
        const V sum = hn::Add(hn::Add(hn::Exp(D(), hn::Max(lowest, hn::Sub(above, largest))),
                                      hn::Exp(D(), hn::Max(lowest, hn::Sub(before, largest)))),
                              hn::Exp(D(), hn::Max(lowest, hn::Sub(diagonal, largest))));
        const V value = hn::Add(local, hn::Add(largest, hn::Log(D(), hn::Max(sum, constant(1e-300)))));
        return hn::IfThenElse(hn::Gt(largest, lowest), value, constant(-infinity));
    };
    double* row = storage.data();
    for_cells(left, right, control, row, constant(-infinity), reach, cell,
              [&](Index i, Index first, Index last) {
                  take_results(left, right, i, row, first, last, -infinity, out);
              });
}

void global_alignment(const GlobalAlignment& parameters, const SeriesLanes& left, const SeriesLanes& right,
                      const Control& control, double* out) {
    bool sound[most_lanes];
    linear_recursion(parameters, left, right, control, out, sound);
    for (Index lane = 0; lane < lane_count(); ++lane) {
        const Index gap = left.lengths[lane] - right.lengths[lane];
        if (parameters.band == 0 || std::abs(gap) < parameters.band) continue;
        out[lane] = -infinity;  // No alignment stays within the band, so this is exact.
        sound[lane] = true;
    }
    if (std::all_of(sound, sound + lane_count(), [](bool s) { return s; })) return;
    HWY_ALIGN double exact[most_lanes];
    logarithmic_recursion(parameters, left, right, control, exact);
    for (Index lane = 0; lane < lane_count(); ++lane) {
        if (!sound[lane]) out[lane] = exact[lane];
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
        reaches[lane] = reach;
        widest = std::max(widest, reach);
    }
    const V lane_reach = hn::Load(D(), reaches);
    auto storage = border_row(right, 0, infinity);
    double* row = storage.data();
    std::fill(out, out + lane_count(), infinity);
    const auto cell = [&](Index i, Index j, V distance, V above, V before, V diagonal) {
        const V value = hn::Add(distance, hn::Min(before, hn::Min(above, diagonal)));
        const V beside = constant(std::abs(i - j));
        return hn::IfThenElse(hn::Le(beside, lane_reach), value, constant(infinity));
    };
    for_cells(left, right, control, row, constant(infinity), widest, cell,
              [&](Index i, Index first, Index last) {
                  take_results(left, right, i, row, first, last, infinity, out);
              });
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

Index alignment_lanes() {
    return DK_CHOSEN(lane_count)();
}

SeriesLanes series_lanes(const SeriesSet& set, std::span<const Index> rows,
                         const std::vector<Index>& channels) {
    const Index lanes = alignment_lanes();
    SeriesLanes out;
    out.channels = channels.empty() ? set.channels : std::ssize(channels);
    for (Index lane = 0; lane < lanes; ++lane) {
        out.lengths.push_back(set.length(rows[std::min(lane, std::ssize(rows) - 1)]));
        out.steps = std::max(out.steps, out.lengths.back());
    }
    out.values.resize(out.steps * out.channels * lanes);
    for (Index lane = 0; lane < lanes; ++lane) {
        const auto steps = set.series(rows[std::min(lane, std::ssize(rows) - 1)]);
        for (Index t = 0; t < out.steps; ++t) {
            const Index step = std::min(t, out.lengths[lane] - 1);
            for (Index c = 0; c < out.channels; ++c) {
                const Index channel = channels.empty() ? c : channels[c];
                out.values[(t * out.channels + c) * lanes + lane] = steps[step * set.channels + channel];
            }
        }
    }
    return out;
}

void global_alignment_logarithms(const GlobalAlignment& parameters, const SeriesLanes& left,
                                 const SeriesLanes& right, const Control& control, double* out) {
    DK_CHOSEN(global_alignment)(parameters, left, right, control, out);
}

void warping_distances(Index band, const SeriesLanes& left, const SeriesLanes& right, const Control& control,
                       double* out) {
    DK_CHOSEN(warping)(band, left, right, control, out);
}

}  // namespace dk
#endif  // HWY_ONCE
