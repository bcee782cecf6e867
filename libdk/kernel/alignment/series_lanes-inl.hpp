// SPDX-License-Identifier: Apache-2.0
//
// What both recursions over pairs of steps share. Files that Highway compiles once for every set of
// instructions include this one again for each set. So its guard changes with Highway's target.
#if defined(DK_KERNEL_ALIGNMENT_SERIES_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef DK_KERNEL_ALIGNMENT_SERIES_LANES
#undef DK_KERNEL_ALIGNMENT_SERIES_LANES
#else
#define DK_KERNEL_ALIGNMENT_SERIES_LANES
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "base/types.hpp"
#include "kernel/alignment/alignment.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

constexpr Index most_lanes = hn::MaxLanes(D());

HWY_INLINE Index lane_count() {
    return static_cast<Index>(hn::Lanes(D()));
}

HWY_INLINE V constant(double value) {
    return hn::Set(D(), value);
}

/// Computes |x - y|^2 in every lane for a step x of its left and a step y of its right series.
HWY_INLINE V squared_distance(const double* x, const double* y, Index channels) {
    V sum = hn::Zero(D());
    for (Index c = 0; c < channels; ++c) {
        const V difference =
            hn::Sub(hn::LoadU(D(), x + c * lane_count()), hn::LoadU(D(), y + c * lane_count()));
        sum = hn::MulAdd(difference, difference, sum);
    }
    return sum;
}

}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
