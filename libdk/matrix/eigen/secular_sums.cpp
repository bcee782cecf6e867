// SPDX-License-Identifier: Apache-2.0
#include "matrix/eigen/secular_sums.hpp"

#include <algorithm>
#include <cmath>

// These are the three loops over the poles d_i in which the divide-and-conquer method spends its time; their
// formulas and their reference are in secular_sums.hpp.
//
// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "matrix/eigen/secular_sums.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "matrix/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A sum has eight lanes, whatever the processor has: they are one, two or four registers. The lanes are added
// in a fixed order at the end, so that the result does not depend on the processor.
using Doubles = hn::CappedTag<double, 8>;
using Lanes = hn::Vec<Doubles>;
constexpr Index sum_lanes = 8;
constexpr Index register_lanes = sizeof(Lanes) / sizeof(double);
constexpr Index registers = sum_lanes / register_lanes;

double sum_of(const Lanes* sums) {
    const Doubles d;
    double lane[sum_lanes];
    for (Index p = 0; p < registers; ++p) hn::StoreU(sums[p], d, lane + p * register_lanes);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/// Eight poles and the z_i that belong to them.
struct Eight {
    const double* poles;
    const double* z;
};

/// Copies the last `count` poles, of which there are fewer than eight, to a buffer, and fills the rest of it
/// with the pole `other`, whose z is 0. That pole must not be lambda, because a division by zero would spoil
/// the sum.
Eight last_eight(const double* poles, const double* z, Index count, double other, double* buffer) {
    for (Index i = 0; i < sum_lanes; ++i) {
        buffer[i] = i < count ? poles[i] : other;
        buffer[sum_lanes + i] = i < count ? z[i] : 0;
    }
    return {buffer, buffer + sum_lanes};
}

/// Computes secular_sum().
void sums(const double* poles, const double* z, Index count, double origin, double offset, double* value,
          double* slope) {
    const Doubles d;
    const auto from = hn::Set(d, origin);
    const auto by = hn::Set(d, offset);
    Lanes values[registers];
    Lanes slopes[registers];
    for (Index p = 0; p < registers; ++p) values[p] = slopes[p] = hn::Zero(d);
    const auto add = [&](const Eight& eight) {
        HWY_UNROLL(4)
        for (Index p = 0; p < registers; ++p) {
            const Lanes weight = hn::LoadU(d, eight.z + p * register_lanes);
            const Lanes gap = hn::Sub(hn::Sub(hn::LoadU(d, eight.poles + p * register_lanes), from), by);
            const Lanes ratio = hn::Div(weight, gap);
            values[p] = hn::MulAdd(weight, ratio, values[p]);
            slopes[p] = hn::MulAdd(ratio, ratio, slopes[p]);
        }
    };
    Index i = 0;
    for (; i + sum_lanes <= count; i += sum_lanes) add({poles + i, z + i});
    double buffer[2 * sum_lanes];
    if (i < count) add(last_eight(poles + i, z + i, count - i, origin + 4 * offset, buffer));
    *value = sum_of(values);
    *slope = sum_of(slopes);
}

/// Computes squared_weights() for the poles from `first` to `last` - 1, eight at a time. The results of lanes
/// behind the last pole are dropped.
void weights(const double* poles, const double* origins, const double* offsets, Index count, Index first,
             Index last, double* out) {
    const Doubles d;
    for (; first < last; first += sum_lanes) {
        const Index here = std::min(sum_lanes, last - first);
        double own[sum_lanes] = {};
        std::copy_n(poles + first, here, own);
        Lanes pole[registers];
        Lanes product[registers];
        for (Index p = 0; p < registers; ++p) {
            pole[p] = hn::LoadU(d, own + p * register_lanes);
            product[p] = hn::Set(d, 1.0);
        }
        for (Index j = 0; j < count; ++j) {
            const auto origin = hn::Set(d, origins[j]);
            const auto offset = hn::Set(d, offsets[j]);
            const auto other = hn::Set(d, poles[j]);
            HWY_UNROLL(4)
            for (Index p = 0; p < registers; ++p) {
                const Lanes gap = hn::Add(hn::Sub(origin, pole[p]), offset);
                const Lanes between = hn::Sub(other, pole[p]);
                const auto itself = hn::Eq(between, hn::Zero(d));
                const Lanes divisor = hn::IfThenElse(itself, hn::Set(d, 1.0), between);
                product[p] = hn::Mul(product[p], hn::Div(gap, divisor));
            }
        }
        double found[sum_lanes];
        for (Index p = 0; p < registers; ++p) hn::StoreU(product[p], d, found + p * register_lanes);
        std::copy_n(found, here, out);
        out += here;
    }
}

/// Computes secular_vector().
void vector(const double* poles, const double* z, Index count, double origin, double offset, double* out) {
    const Doubles d;
    const auto from = hn::Set(d, origin);
    const auto by = hn::Set(d, offset);
    Lanes squares[registers];
    for (Index p = 0; p < registers; ++p) squares[p] = hn::Zero(d);
    const auto divide = [&](const Eight& eight, double* to) {
        HWY_UNROLL(4)
        for (Index p = 0; p < registers; ++p) {
            const Lanes gap = hn::Sub(hn::Sub(hn::LoadU(d, eight.poles + p * register_lanes), from), by);
            const Lanes ratio = hn::Div(hn::LoadU(d, eight.z + p * register_lanes), gap);
            squares[p] = hn::MulAdd(ratio, ratio, squares[p]);
            hn::StoreU(ratio, d, to + p * register_lanes);
        }
    };
    Index i = 0;
    for (; i + sum_lanes <= count; i += sum_lanes) divide({poles + i, z + i}, out + i);
    if (i < count) {
        double buffer[2 * sum_lanes];
        double last[sum_lanes];
        divide(last_eight(poles + i, z + i, count - i, origin + 4 * offset, buffer), last);
        std::copy_n(last, count - i, out + i);
    }
    const double scale = 1 / std::sqrt(sum_of(squares));
    for (i = 0; i < count; ++i) out[i] *= scale;
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

SecularSum secular_sum(const ConstVectorRef& poles, const ConstVectorRef& z, double origin, double offset) {
    SecularSum sum{};
    DK_CHOSEN(sums)(poles.data(), z.data(), poles.size(), origin, offset, &sum.value, &sum.slope);
    return sum;
}

void squared_weights(const ConstVectorRef& poles, const ConstVectorRef& origins,
                     const ConstVectorRef& offsets, Index first, VectorRef out) {
    DK_CHOSEN(weights)
    (poles.data(), origins.data(), offsets.data(), poles.size(), first, first + out.size(), out.data());
}

void secular_vector(const ConstVectorRef& poles, const ConstVectorRef& z, double origin, double offset,
                    VectorRef out) {
    DK_CHOSEN(vector)(poles.data(), z.data(), poles.size(), origin, offset, out.data());
}

}  // namespace dk
#endif  // HWY_ONCE
