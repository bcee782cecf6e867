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
#include <numbers>

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

/// Computes log M by the recursion on M itself. Values differ by more than a double can hold, but those of
/// neighbouring columns do not, so that every block of columns has a power of two as its scale in every lane.
class LinearRecursion {
  public:
    LinearRecursion(const GlobalAlignment& parameters, const SeriesLanes& left, const SeriesLanes& right)
        : parameters_(parameters),
          left_(left),
          right_(right),
          row_(border_row(right, 1, 0)),
          exponents_((right.steps / block_columns + 1) * lane_count(), nothing),
          shortest_(std::ranges::min(left.lengths)),
          ragged_(std::ranges::min(right.lengths) < right.steps) {
        std::fill_n(exponents_.begin(), lane_count(), 0.0);
        for (Index lane = 0; lane < lane_count(); ++lane) {
            left_ends_[lane] = left.lengths[lane];
            ends_[lane] = right.lengths[lane];
            least_[lane] = 1;
        }
    }

    /// Writes the results. A lane is `sound` where no value was so small beside its block that digits were
    /// lost.
    void run(const Control& control, double* out, bool* sound) {
        std::fill(out, out + lane_count(), -infinity);
        std::fill(sound, sound + lane_count(), true);
        // Pairs of steps that are a band apart weigh 0 already.
        const Index reach = parameters_.band > 0 ? parameters_.band - 1 : reach_of(0, left_, right_);
        for (Index i = 1; i <= std::min(left_.steps, right_.steps + reach); ++i) {
            if (control.stopping()) return;
            const Index first = std::max<Index>(1, i - reach);
            const Index last = std::min(right_.steps, i + reach);
            take_row(i, first, last);
            if (i >= shortest_) take_results(i, first, last, out, sound);
        }
    }

  private:
    static constexpr Index block_columns = 16;
    static constexpr double nothing = -1e6;         // the exponent of a block in which all values are 0
    static constexpr double least_kept = 0x1p-900;  // Beside it, what is lost below 2^-1022 is nothing.
    static constexpr double stride = 128;
    static constexpr double most_above = 200;  // log2 of how much larger than a block what comes in may be

    /// Gives 2^e for integers e, of which those outside a double's range are taken for its ends.
    static V power_of_two(V e) {
        const hn::RebindToSigned<D> integers;
        const V within = hn::Min(hn::Max(e, constant(-1022)), constant(1023));
        return hn::BitCast(
            D(), hn::ShiftLeft<52>(hn::Add(hn::ConvertTo(integers, within), hn::Set(integers, 1023))));
    }
    /// Gives x 2^e, also where 2^e is beyond the range and the product is not.
    static V scaled(V x, V e) {
        const V half = hn::Floor(hn::Mul(e, constant(0.5)));
        return hn::Mul(hn::Mul(x, power_of_two(half)), power_of_two(hn::Sub(e, half)));
    }
    /// Gives the integer part of log2 x, or less than any exponent where x is 0.
    static V size_of(V x) {
        const hn::RebindToSigned<D> integers;
        const auto bits = hn::ShiftRight<52>(hn::BitCast(integers, x));
        const V exponent = hn::Sub(hn::ConvertTo(D(), bits), constant(1023));
        return hn::IfThenElse(hn::Gt(x, hn::Zero(D())), exponent, constant(2 * nothing));
    }
    /// Gives the nearest exponent that blocks may have. They are few, so that neighbours often have the same.
    static V whole_strides(V e) {
        return hn::Mul(constant(stride), hn::Round(hn::Mul(e, constant(1 / stride))));
    }

    double* cell(Index j) { return row_.data() + j * lane_count(); }
    double* exponent(Index block) { return exponents_.data() + block * lane_count(); }

    /// Computes the cells from `first` to `last` of row i, block by block.
    void take_row(Index i, Index first, Index last) {
        // These are copies, since the compiler could not know that stores into the row leave members as they
        // are.
        const Index lanes = lane_count();
        const Index channels = left_.channels;
        const double* const x = left_.values.data() + (i - 1) * channels * lanes;
        const double* const y = right_.values.data();
        double* const row = row_.data();
        const V ends = hn::Load(D(), ends_);
        const V factor = constant(-0.5 / (parameters_.sigma * parameters_.sigma));
        const double band = parameters_.band;
        const auto local_kernel = [&](V distance, Index j) {
            V local = hn::Exp(D(), hn::Mul(factor, distance));
            if (band > 0) local = hn::Mul(local, constant(std::max(0.0, 1 - std::abs(1.0 * (i - j)) / band)));
            return parameters_.divisible ? hn::Div(local, hn::Sub(constant(2), local)) : local;
        };
        V before = hn::Zero(D());
        V diagonal = hn::LoadU(D(), cell(first - 1));
        V before_exponent = hn::LoadU(D(), exponent((first - 1) / block_columns));
        V diagonal_exponent = before_exponent;
        hn::StoreU(before, D(), cell(first - 1));
        for (Index block = first / block_columns; block <= last / block_columns; ++block) {
            const Index begin = std::max(first, block * block_columns);
            const Index end = std::min(last, (block + 1) * block_columns - 1);
            V own = hn::LoadU(D(), exponent(block));
            // No lane may decide for another: a lane whose exponents are equal stays as it is.
            const auto equal = hn::And(hn::Eq(own, before_exponent), hn::Eq(own, diagonal_exponent));
            if (!hn::AllTrue(D(), equal)) {
                // A block beyond a lane's end is there for other lanes alone.
                const auto beside = hn::Or(equal, hn::Gt(constant(begin), ends));
                note_least(
                    hn::IfThenElse(hn::Or(beside, hn::Eq(before, hn::Zero(D()))), constant(1), before));
                const V incoming = hn::Max(hn::Add(before_exponent, size_of(before)),
                                           hn::Add(diagonal_exponent, size_of(diagonal)));
                const auto raised = hn::AndNot(equal, hn::Gt(incoming, hn::Add(own, constant(most_above))));
                const V next = hn::IfThenElse(raised, whole_strides(incoming), own);
                if (!hn::AllFalse(D(), raised)) scale_cells(begin, end, hn::Sub(own, next));
                own = next;
                before = scaled(before, hn::Sub(before_exponent, own));
                diagonal = scaled(diagonal, hn::Sub(diagonal_exponent, own));
            }
            diagonal_exponent = own;
            for (Index j = begin; j <= end; ++j) {
                V local = local_kernel(squared_distance(x, y + (j - 1) * channels * lanes, channels), j);
                const V above = hn::LoadU(D(), row + j * lanes);
                // Columns beyond the end of a lane's own series must not decide its scale.
                if (ragged_) local = hn::IfThenElseZero(hn::Le(constant(j), ends), local);
                before = hn::Mul(local, hn::Add(hn::Add(above, diagonal), before));
                diagonal = above;
                hn::StoreU(before, D(), row + j * lanes);
            }
            // Rows grow by at most 2^27 each in a block, so that a few may be taken between two looks.
            if (i % 4 == 0 || i >= shortest_) {
                const V by = scale_of(i, begin, end);
                if (!hn::AllTrue(D(), hn::Eq(by, hn::Zero(D())))) scale_cells(begin, end, hn::Neg(by));
                before = hn::LoadU(D(), row + end * lanes);
                own = hn::Add(own, by);
            }
            hn::StoreU(own, D(), exponent(block));
            before_exponent = own;
        }
    }

    /// Gives the exponent by which cells are to be made smaller, which is 0 for most, and notes the least
    /// cell. Lanes are looked at in every fourth row and in the one in which they end.
    V scale_of(Index i, Index begin, Index end) {
        V largest = hn::Zero(D());
        V least = constant(1);
        for (Index j = begin; j <= end; ++j) {
            const V value = hn::LoadU(D(), cell(j));
            largest = hn::Max(largest, value);
            least = hn::Min(least, hn::IfThenElse(hn::Le(constant(j), hn::Load(D(), ends_)), value, least));
        }
        const auto looked_at =
            i % 4 == 0 ? hn::FirstN(D(), lane_count()) : hn::Eq(hn::Load(D(), left_ends_), constant(i));
        note_least(hn::IfThenElse(looked_at, least, constant(1)));
        const auto fine = hn::And(hn::Gt(largest, constant(0x1p-70)), hn::Lt(largest, constant(0x1p70)));
        const auto scaled_now = hn::AndNot(hn::Or(fine, hn::Eq(largest, hn::Zero(D()))), looked_at);
        return hn::IfThenElseZero(scaled_now, whole_strides(size_of(largest)));
    }

    void note_least(V values) { hn::Store(hn::Min(values, hn::Load(D(), least_)), D(), least_); }

    void scale_cells(Index begin, Index end, V e) {
        for (Index j = begin; j <= end; ++j) hn::StoreU(scaled(hn::LoadU(D(), cell(j)), e), D(), cell(j));
    }

    /// Takes the results of the lanes whose left series end with row i.
    void take_results(Index i, Index first, Index last, double* out, bool* sound) {
        for (Index lane = 0; lane < lane_count(); ++lane) {
            const Index end = right_.lengths[lane];
            if (left_.lengths[lane] != i || end < first || end > last) continue;
            sound[lane] = least_[lane] >= least_kept;
            out[lane] =
                (std::log2(cell(end)[lane]) + exponent(end / block_columns)[lane]) * std::numbers::ln2;
        }
    }

    const GlobalAlignment& parameters_;
    const SeriesLanes& left_;
    const SeriesLanes& right_;
    LargeArray<double> row_;
    std::vector<double> exponents_;  // log2 of the scale, blocks x lanes
    HWY_ALIGN double left_ends_[most_lanes] = {};
    HWY_ALIGN double ends_[most_lanes] = {};
    HWY_ALIGN double least_[most_lanes] = {};  // the least value of all, at the scale of its block
    Index shortest_;                           // the steps of the shortest left series
    bool ragged_;
};

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
    LinearRecursion(parameters, left, right).run(control, out, sound);
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
