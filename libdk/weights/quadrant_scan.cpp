// SPDX-License-Identifier: Apache-2.0
// One pass over the values x_i of a quadrant, vectorised with Highway for each set of instructions. It
// computes
//
//     sum = sum_i (x_i - c),   squares = sum_i (x_i - c)^2,   lowest = min_i x_i,   highest = max_i x_i
//
// for a centre c near the mean, which keeps the sums free of cancellation, and selects the values in two
// windows. Each sum has eight parts on every processor, so that its bits do not depend on the lanes.
#include "weights/quadrant_scan.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weights/quadrant_scan.cpp"
#include <hwy/foreach_target.h>  // This must come before highway.h.
#include <hwy/highway.h>

#include "matrix/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors have at most eight lanes, for which the buffers have room.
using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;
constexpr Index lanes = hn::MaxLanes(Doubles());
constexpr Index vectors = 8 / lanes;

/// Counts the values of a vector that are less than a window, and stores those in it behind the `held`
/// others.
void look_into_window(Vector v, double lowest, double highest, Index& below, Index& held, double* buffer) {
    const Doubles d;
    const auto less = hn::Lt(v, hn::Set(d, lowest));
    below += static_cast<Index>(hn::CountTrue(d, less));
    const auto inside = hn::AndNot(less, hn::Le(v, hn::Set(d, highest)));
    held += static_cast<Index>(hn::CompressStore(v, inside, d, buffer + held));
}

/// Adds the eight parts of a sum in a fixed tree.
double sum_of_parts(const Vector* parts) {
    const Doubles d;
    HWY_ALIGN double each[8];
    for (Index v = 0; v < vectors; ++v) hn::Store(parts[v], d, each + v * lanes);
    return ((each[0] + each[4]) + (each[2] + each[6])) + ((each[1] + each[5]) + (each[3] + each[7]));
}

/// Does what scan_quadrant() says, for one set of instructions.
void scan(const double* values, Index count, double centre, const ScanWindows* windows, QuadrantScan* out,
          double* first, double* second) {
    const Doubles d;
    const Vector middle = hn::Set(d, centre);
    Vector sum[vectors];
    Vector squares[vectors];
    HWY_UNROLL(8)
    for (Index v = 0; v < vectors; ++v) sum[v] = squares[v] = hn::Zero(d);
    Vector lowest = hn::Set(d, out->lowest);
    Vector highest = hn::Set(d, out->highest);
    out->held = {0, 0};
    Index i = 0;
    for (; i + 8 <= count; i += 8) {
        HWY_UNROLL(8)
        for (Index v = 0; v < vectors; ++v) {
            const Vector value = hn::LoadU(d, values + i + v * lanes);
            const Vector deviation = hn::Sub(value, middle);
            sum[v] = hn::Add(sum[v], deviation);
            squares[v] = hn::MulAdd(deviation, deviation, squares[v]);
            lowest = hn::Min(lowest, value);
            highest = hn::Max(highest, value);
            if (windows == nullptr) continue;
            look_into_window(value, windows->lowest[0], windows->highest[0], out->below[0], out->held[0],
                             first);
            look_into_window(value, windows->lowest[1], windows->highest[1], out->below[1], out->held[1],
                             second);
        }
    }
    out->sum += sum_of_parts(sum);
    out->squares += sum_of_parts(squares);
    out->lowest = hn::GetLane(hn::MinOfLanes(d, lowest));
    out->highest = hn::GetLane(hn::MaxOfLanes(d, highest));
    for (; i < count; ++i) {
        const double v = values[i];
        out->sum += v - centre;
        out->squares += (v - centre) * (v - centre);
        out->lowest = v < out->lowest ? v : out->lowest;
        out->highest = v > out->highest ? v : out->highest;
        if (windows == nullptr) continue;
        for (int w = 0; w < 2; ++w) {
            if (v < windows->lowest[w]) {
                ++out->below[w];
            } else if (v <= windows->highest[w]) {
                (w == 0 ? first : second)[out->held[w]++] = v;
            }
        }
    }
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

void scan_quadrant(const double* values, Index count, double centre, const ScanWindows* windows,
                   QuadrantScan& scan_of_part, const std::array<double*, 2>& buffers) {
    DK_CHOSEN(scan)(values, count, centre, windows, &scan_of_part, buffers[0], buffers[1]);
}

}  // namespace dk
#endif
