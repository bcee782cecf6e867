// SPDX-License-Identifier: Apache-2.0
//
// An alignment of a series x with a series y matches their steps in order, and may match a step several
// times. The global alignment kernel sums over all alignments the products of a local kernel of the matched
// steps. A recursion over the pairs of steps (i, j) computes it row by row, and keeps one row of its table:
//
//     M(i, j) = kappa(i, j) (M(i-1, j) + M(i, j-1) + M(i-1, j-1))          M(0, 0) = 1, and 0 at the border
//
// The last M is the kernel, of which log M is the result. The local kernel kappa is in
// local_kernel-inl.hpp.
//
//     letter                   name
//     kappa(i, j)              local
//     M(i-1, j), M(i, j-1)     above, before
//     M(i-1, j-1)              diagonal
//     M(i, 0), M(i, 1), ...    values_, times 2 to the power of exponents
//
// Values of a table differ by more than a double can hold, those of neighbours mostly do not. So 16 columns
// have a power of two in common: they are a narrow block. Where its values would not fit side by side, the
// block is wide: every cell has an exponent of its own, for twice the work. Powers of two change no digits,
// so that a value is the same in either, and pairs that are computed side by side do not depend on each
// other.
//
// M. Cuturi, Fast global alignment kernels, ICML 2011.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/large_array.hpp"
#include "kernel/alignment/alignment.hpp"

// Highway compiles this file once for every set of instructions.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/alignment/global_alignment.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// These headers must come after highway.h.
#include "kernel/alignment/local_kernel-inl.hpp"
#include "kernel/alignment/scaled_numbers-inl.hpp"
#include "kernel/alignment/series_lanes-inl.hpp"
#include "matrix/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

/// Holds one row of the table, in whose place the next one is computed.
class AlignmentTable {
  public:
    AlignmentTable(const GlobalAlignment& parameters, const SeriesLanes& left, const SeriesLanes& right)
        : local_kernel_(parameters),
          left_(left),
          right_(right),
          values_((right.steps + 1) * lane_count()),
          cell_exponents_(values_.size()),
          blocks_(static_cast<std::size_t>(right.steps / block_columns + 1)),
          ragged_(std::ranges::min(right.lengths) < right.steps) {
        std::fill_n(values_.data(), values_.size(), 0.0);
        std::fill_n(values_.data(), lane_count(), 1.0);
        std::fill_n(blocks_[0].exponent, lane_count(), 0.0);
        std::ranges::transform(right.lengths, ends_,
                               [](Index length) { return static_cast<double>(length); });
    }

    /// Computes the cells from `first` to `last` of row i, block by block.
    void take_row(Index i, Index first, Index last) {
        Scaled diagonal = read(first - 1);
        Scaled before{hn::Zero(D()), constant(nothing)};
        write(first - 1, before);
        for (Index block = first / block_columns; block <= last / block_columns; ++block) {
            const Index begin = std::max(first, first_of(block));
            const Index end = std::min(last, last_of(block));
            if (!blocks_[block].wide && !fit(i, block, before, diagonal)) widen(block);
            if (blocks_[block].wide) {
                take_wide(i, begin, end, before, diagonal);
                if (i % 8 == 0) narrow(block);
            } else {
                take_narrow(i, block, begin, end, before, diagonal);
            }
        }
    }

    /// Gives log M in a lane of the last row.
    double logarithm(Index column, Index lane) const {
        HWY_ALIGN double values[most_lanes];
        HWY_ALIGN double exponents[most_lanes];
        const Scaled number = normalised(read(column));
        hn::Store(number.value, D(), values);
        hn::Store(number.exponent, D(), exponents);
        return (std::log2(values[lane]) + exponents[lane]) * std::numbers::ln2;
    }

  private:
    static constexpr Index block_columns = alignment_block;
    // These are logarithms to base 2. Cells of narrow blocks stay above the least, beside which what is lost
    // below 2^-1022 is no digit, and below the largest. What comes in from the left is not much larger than
    // the block.
    static constexpr double least_kept = -960;
    static constexpr double largest_kept = 1000;
    static constexpr double empty_room = -least_kept - 64;  // Scales are up to 64 from what comes in.
    static constexpr double most_above = 200;
    // A new cell is at most the sum of what came in and twice all 16 cells above, 2^6 times the largest.
    static constexpr double growth = 6;

    struct Block {
        bool wide = false;
        HWY_ALIGN double exponent[most_lanes];   // log2 of the scale; `nothing` where all cells are 0
        HWY_ALIGN double room[most_lanes] = {};  // how far the least cell is above the least kept, or farther
        HWY_ALIGN double rows[most_lanes] = {};  // how many rows cannot let the largest grow too far

        Block() { std::fill_n(exponent, most_lanes, nothing); }
    };

    static Index first_of(Index block) { return block * block_columns; }
    Index last_of(Index block) const { return std::min(right_.steps, first_of(block + 1) - 1); }
    double* cell(Index j) { return values_.data() + j * lane_count(); }
    const double* cell(Index j) const { return values_.data() + j * lane_count(); }
    double* exponent_of(Index j) { return cell_exponents_.data() + j * lane_count(); }
    const double* exponent_of(Index j) const { return cell_exponents_.data() + j * lane_count(); }

    Scaled read(Index j) const {
        const Block& block = blocks_[j / block_columns];
        return {hn::LoadU(D(), cell(j)), hn::LoadU(D(), block.wide ? exponent_of(j) : block.exponent)};
    }
    /// Writes a cell of a wide block, or 0 in any.
    void write(Index j, const Scaled& number) {
        hn::StoreU(number.value, D(), cell(j));
        hn::StoreU(number.exponent, D(), exponent_of(j));
    }

    /// Bounds -log2 kappa in row i of a block. Lanes that end before it have nothing there.
    V most_shrinking(Index i, Index block) const {
        const Index lanes = lane_count();
        const double* x = left_.values.data() + (i - 1) * left_.channels * lanes;
        V distance = hn::Zero(D());
        for (Index c = 0; c < left_.channels; ++c) {
            const V value = hn::LoadU(D(), x + c * lanes);
            const Index range = (block * left_.channels + c) * lanes;
            const V low = hn::LoadU(D(), right_.lows.data() + range);
            const V high = hn::LoadU(D(), right_.highs.data() + range);
            const V farthest = hn::Max(hn::Sub(value, low), hn::Sub(high, value));
            distance = hn::MulAdd(farthest, farthest, distance);
        }
        const double begin = static_cast<double>(first_of(block));
        return hn::IfThenZeroElse(hn::Gt(constant(begin), hn::Load(D(), ends_)),
                                  local_kernel_.most_shrinking(distance));
    }

    /// Makes a narrow block's scale ready for row i; false where none would do for all its cells.
    bool fit(Index i, Index block, const Scaled& before, const Scaled& diagonal) {
        const V shrinking = most_shrinking(i, block);
        const V incoming = hn::Max(size_of(before), size_of(diagonal));
        for (const bool looked_at : {false, true}) {
            Block& own = blocks_[block];
            const V exponent = hn::Load(D(), own.exponent);
            const V room = hn::Load(D(), own.room);
            const V rows = hn::Load(D(), own.rows);
            const auto empty = hn::Eq(exponent, constant(nothing));
            const auto raised = hn::Gt(incoming, hn::Add(exponent, constant(most_above)));
            const V next = hn::IfThenElse(raised, whole_strides(incoming), exponent);
            const V lowered =
                hn::IfThenElse(empty, constant(empty_room), hn::Sub(room, hn::Sub(next, exponent)));
            // Where there is nothing above, each cell is made of the one before.
            const V factors = i == 1 ? constant(block_columns)
                                     : hn::IfThenElse(empty, constant(block_columns), constant(1));
            const V left = hn::NegMulAdd(factors, shrinking, lowered);
            const auto fits = hn::And(hn::Ge(left, hn::Zero(D())), hn::Ge(rows, constant(1)));
            if (hn::AllTrue(D(), fits)) {
                if (!hn::AllFalse(D(), raised)) scale_cells(block, hn::Sub(exponent, next));
                hn::Store(next, D(), own.exponent);
                hn::Store(left, D(), own.room);
                hn::Store(hn::Sub(rows, constant(1)), D(), own.rows);
                return true;
            }
            if (!looked_at) look_at(block);
        }
        return false;
    }

    /// Finds how much room a narrow block has, and scales it so that its largest cell is near 1.
    void look_at(Index block) {
        V largest = hn::Zero(D());
        V least = constant(infinity);
        for (Index j = first_of(block); j <= last_of(block); ++j) {
            const V value = hn::LoadU(D(), cell(j));
            largest = hn::Max(largest, value);
            least = hn::Min(least, hn::IfThenElse(hn::Gt(value, hn::Zero(D())), value, least));
        }
        const V highest = log2_of(largest);
        const V lowest = log2_of(least);
        const auto moved = hn::And(hn::Gt(largest, hn::Zero(D())), hn::Gt(hn::Abs(highest), constant(70)));
        V by = hn::IfThenElseZero(moved, whole_strides(highest));
        by = hn::IfThenElseZero(hn::Ge(hn::Sub(lowest, by), constant(least_kept)), by);  // else no cell moves
        if (!hn::AllTrue(D(), hn::Eq(by, hn::Zero(D())))) scale_cells(block, hn::Neg(by));
        Block& own = blocks_[block];
        hn::Store(hn::Add(hn::Load(D(), own.exponent), by), D(), own.exponent);
        const auto some = hn::Gt(largest, hn::Zero(D()));
        hn::Store(
            hn::IfThenElse(some, hn::Sub(hn::Sub(lowest, by), constant(least_kept)), constant(empty_room)),
            D(), own.room);
        const V height = hn::Max(hn::Sub(highest, hn::Sub(by, constant(1))), constant(most_above));
        hn::Store(hn::Mul(hn::Sub(constant(largest_kept), height), constant(1 / growth)), D(), own.rows);
    }

    void scale_cells(Index block, V e) {
        for (Index j = first_of(block); j <= last_of(block); ++j)
            hn::StoreU(times_power(hn::LoadU(D(), cell(j)), e), D(), cell(j));
    }

    void widen(Index block) {
        for (Index j = first_of(block); j <= last_of(block); ++j) write(j, normalised(read(j)));
        blocks_[block].wide = true;
    }

    /// Gives the cells of a wide block one scale, where all are close enough for it.
    void narrow(Index block) {
        V highest = constant(nothing);
        V lowest = constant(-nothing);
        for (Index j = first_of(block); j <= last_of(block); ++j) {
            const Scaled number = read(j);
            const auto some = hn::Gt(number.value, hn::Zero(D()));
            highest = hn::IfThenElse(some, hn::Max(highest, number.exponent), highest);
            lowest = hn::IfThenElse(some, hn::Min(lowest, number.exponent), lowest);
        }
        const auto close = hn::Lt(hn::Sub(highest, lowest), constant(300));
        if (!hn::AllTrue(D(), close)) return;
        Block& own = blocks_[block];
        const V exponent =
            hn::IfThenElse(hn::Eq(highest, constant(nothing)), highest, whole_strides(highest));
        for (Index j = first_of(block); j <= last_of(block); ++j) {
            const Scaled number = read(j);
            hn::StoreU(times_power(number.value, hn::Sub(number.exponent, exponent)), D(), cell(j));
        }
        hn::Store(exponent, D(), own.exponent);
        own.wide = false;
        look_at(block);
    }

    void take_narrow(Index i, Index block, Index begin, Index end, Scaled& before, Scaled& diagonal) {
        // These are copies, since the compiler could not know that stores leave members as they are.
        const LocalKernel local_kernel = local_kernel_;
        const Index lanes = lane_count();
        const Index channels = left_.channels;
        const double* const x = left_.values.data() + (i - 1) * channels * lanes;
        const double* const y = right_.values.data();
        double* const row = values_.data();
        const V ends = hn::Load(D(), ends_);
        const V own = hn::Load(D(), blocks_[block].exponent);
        V last = times_power(before.value, hn::Sub(before.exponent, own));
        V corner = times_power(diagonal.value, hn::Sub(diagonal.exponent, own));
        for (Index j = begin; j <= end; ++j) {
            V local = local_kernel.near(squared_distance(x, y + (j - 1) * channels * lanes, channels), i - j);
            const V above = hn::LoadU(D(), row + j * lanes);
            if (ragged_) local = hn::IfThenElseZero(hn::Le(constant(static_cast<double>(j)), ends), local);
            last = hn::Mul(local, hn::Add(hn::Add(above, corner), last));
            corner = above;
            hn::StoreU(last, D(), row + j * lanes);
        }
        before = {last, own};
        diagonal = {corner, own};
    }

    void take_wide(Index i, Index begin, Index end, Scaled& before, Scaled& diagonal) {
        const LocalKernel local_kernel = local_kernel_;
        const Index lanes = lane_count();
        const Index channels = left_.channels;
        const double* const x = left_.values.data() + (i - 1) * channels * lanes;
        const double* const y = right_.values.data();
        double* const row = values_.data();
        double* const exponents = cell_exponents_.data();
        const V ends = hn::Load(D(), ends_);
        Scaled last = normalised(before);
        Scaled corner = normalised(diagonal);
        for (Index j = begin; j <= end; ++j) {
            Scaled local =
                local_kernel.any(squared_distance(x, y + (j - 1) * channels * lanes, channels), i - j);
            const Scaled above{hn::LoadU(D(), row + j * lanes), hn::LoadU(D(), exponents + j * lanes)};
            if (ragged_)
                local.value = hn::IfThenElseZero(hn::Le(constant(static_cast<double>(j)), ends), local.value);
            last = normalised(product(local, sum(above, corner, last)));
            corner = above;
            hn::StoreU(last.value, D(), row + j * lanes);
            hn::StoreU(last.exponent, D(), exponents + j * lanes);
        }
        before = last;
        diagonal = corner;
    }

    LocalKernel local_kernel_;
    const SeriesLanes& left_;
    const SeriesLanes& right_;
    LargeArray<double> values_;
    LargeArray<double> cell_exponents_;  // of cells in wide blocks
    std::vector<Block> blocks_;
    HWY_ALIGN double ends_[most_lanes] = {};  // the columns in which the lanes end
    bool ragged_;
};

void global_alignment(const GlobalAlignment& parameters, const SeriesLanes& left, const SeriesLanes& right,
                      const Control& control, double* out) {
    std::fill(out, out + lane_count(), -infinity);
    AlignmentTable table(parameters, left, right);
    // Pairs of steps that are a band apart weigh 0 already.
    const Index reach = parameters.band > 0 ? parameters.band - 1 : std::max(left.steps, right.steps);
    for (Index i = 1; i <= std::min(left.steps, right.steps + reach); ++i) {
        if (control.stopping()) return;
        const Index first = std::max<Index>(1, i - reach);
        const Index last = std::min(right.steps, i + reach);
        table.take_row(i, first, last);
        for (Index lane = 0; lane < lane_count(); ++lane) {
            const Index end = right.lengths[lane];
            if (left.lengths[lane] == i && first <= end && end <= last)
                out[lane] = table.logarithm(end, lane);
        }
    }
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

}  // namespace dk
#endif  // HWY_ONCE
