// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kernel/maps.hpp"

// Highway compiles this file once for every instruction set and dispatches at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/arc_cosine_maps.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// after highway.h
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

constexpr double smallest_gap = 1e-300;  // not 0, because its sign tells blunt angles
constexpr double pi = 3.14159265358979323846;

V constant(double value) {
    return hn::Set(D(), value);
}

Index lane_count() {
    return static_cast<Index>(hn::Lanes(D()));
}

// The angle needs double precision even where products and results are single.
V load(const double* from) {
    return hn::LoadU(D(), from);
}
V load(const float* from) {
    return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<float, D>(), from));
}
void store(V value, double* to) {
    hn::StoreU(value, D(), to);
}
void store(V value, float* to) {
    const hn::Rebind<float, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, value), narrow, to);
}

/// Values padded to whole vectors.
std::vector<double> padded(const double* values, Index count) {
    std::vector<double> out(values, values + count);
    out.resize(static_cast<std::size_t>(count + lane_count()));
    return out;
}

/// Runs map(j, in) for whole vectors of a row; the rest through padded copies.
template <typename In, typename Out, typename Map>
void map_row(const In* in, Index cols, Out* out, Map map) {
    const Index lanes = lane_count();
    Index j = 0;
    for (; j + lanes <= cols; j += lanes) store(map(j, load(in + j)), out + j);
    if (j == cols) return;
    In rest_in[hn::MaxLanes(D())] = {};
    Out rest_out[hn::MaxLanes(D())];
    std::copy(in + j, in + cols, rest_in);
    store(map(j, load(rest_in)), rest_out);
    std::copy(rest_out, rest_out + (cols - j), out + j);
}

template <typename T>
bool angle_gap_tile(const T* in, const double* left_reciprocals, const double* right_reciprocals, Index rows,
                    Index cols, double* out) {
    const auto right = padded(right_reciprocals, cols);
    V least = constant(1);
    for (Index i = 0; i < rows; ++i) {
        map_row(in + i * cols, cols, out + i * cols, [&](Index j, V product) {
            const V scale = hn::Mul(constant(left_reciprocals[i]), load(right.data() + j));
            const V cosine = hn::Mul(product, scale);
            // never zero, so that the sign stays
            const V gap = hn::Max(hn::Sub(constant(1), hn::Abs(cosine)), constant(smallest_gap));
            least = hn::Min(least, gap);
            return hn::IfThenElse(hn::Lt(cosine, hn::Zero(D())), hn::Neg(gap), gap);
        });
    }
    return !hn::AllTrue(D(), hn::Ge(least, constant(close_gap)));
}

/// The next layer's t = 1 - cosine without cancellation: with the angle theta, s = sin theta and
/// c = cos theta, each degree's J_n(theta) / J_n(0) is subtracted from 1 analytically (Cho and Saul 2009,
/// eq. 3 to 6; degree 3 by the same integral). `signed_gap` is 1 - |c| with the sign of c.
V arc_cosine_layer(V signed_gap, int degree) {
    const auto blunt = hn::Lt(signed_gap, hn::Zero(D()));
    const V near = hn::Abs(signed_gap);
    const V acute = hn::Mul(constant(2), hn::Asin(D(), hn::Sqrt(hn::Mul(constant(0.5), near))));
    const V theta = hn::IfThenElse(blunt, hn::Sub(constant(pi), acute), acute);
    if (degree == 0) return hn::Mul(theta, constant(1 / pi));
    const V t = hn::IfThenElse(blunt, hn::Sub(constant(2), near), near);
    const V c = hn::Sub(constant(1), t);
    const V s = hn::Sqrt(hn::Mul(near, hn::Sub(constant(2), near)));
    const V c2 = hn::Mul(c, c);
    V gap = t;
    if (degree == 1) {
        gap = hn::MulAdd(hn::MulSub(theta, c, s), constant(1 / pi), t);
    } else if (degree == 2) {
        const V even = hn::Mul(constant(2 * pi), hn::Mul(t, hn::Sub(constant(2), t)));
        const V odd =
            hn::MulSub(theta, hn::MulAdd(constant(2), c2, constant(1)), hn::Mul(constant(3), hn::Mul(s, c)));
        gap = hn::Mul(hn::Add(even, odd), constant(1 / (3 * pi)));
    } else {
        const V even =
            hn::Mul(constant(pi),
                    hn::Mul(t, hn::MulAdd(constant(6), hn::Add(hn::Add(constant(1), c), c2), constant(9))));
        const V cubic = hn::Mul(c, hn::MulAdd(constant(6), c2, constant(9)));
        const V sines = hn::Mul(s, hn::NegMulAdd(constant(11), hn::Mul(s, s), constant(15)));
        gap = hn::Mul(hn::Add(even, hn::MulSub(theta, cubic, sines)), constant(1 / (15 * pi)));
    }
    return hn::Min(hn::Max(gap, hn::Zero(D())), constant(2));
}

template <typename T>
void arc_cosine_tile(const double* gaps, std::span<const int> degrees, const double* left_scales,
                     const double* right_scales, Index rows, Index cols, T* out, Index stride) {
    const auto right = padded(right_scales, cols);
    for (Index i = 0; i < rows; ++i) {
        map_row(gaps + i * cols, cols, out + i * stride, [&](Index j, V gap) {
            for (const int degree : degrees) gap = arc_cosine_layer(gap, degree);
            const V scale = hn::Mul(constant(left_scales[i]), load(right.data() + j));
            return hn::Mul(hn::Sub(constant(1), gap), scale);
        });
    }
}

bool gap_double(const double* in, const double* left, const double* right, Index rows, Index cols,
                double* out) {
    return angle_gap_tile(in, left, right, rows, cols, out);
}
bool gap_single(const float* in, const double* left, const double* right, Index rows, Index cols,
                double* out) {
    return angle_gap_tile(in, left, right, rows, cols, out);
}
void layers_double(const double* gaps, std::span<const int> degrees, const double* left, const double* right,
                   Index rows, Index cols, double* out, Index stride) {
    arc_cosine_tile(gaps, degrees, left, right, rows, cols, out, stride);
}
void layers_single(const double* gaps, std::span<const int> degrees, const double* left, const double* right,
                   Index rows, Index cols, float* out, Index stride) {
    arc_cosine_tile(gaps, degrees, left, right, rows, cols, out, stride);
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

HWY_EXPORT(gap_double);
HWY_EXPORT(gap_single);
HWY_EXPORT(layers_double);
HWY_EXPORT(layers_single);

template <>
bool angle_gap_map(const double* in, const double* left_reciprocals, const double* right_reciprocals,
                   Index rows, Index cols, double* out) {
    return HWY_DYNAMIC_DISPATCH(gap_double)(in, left_reciprocals, right_reciprocals, rows, cols, out);
}
template <>
bool angle_gap_map(const float* in, const double* left_reciprocals, const double* right_reciprocals,
                   Index rows, Index cols, double* out) {
    return HWY_DYNAMIC_DISPATCH(gap_single)(in, left_reciprocals, right_reciprocals, rows, cols, out);
}
template <>
void arc_cosine_map(const double* gaps, std::span<const int> degrees, const double* left_scales,
                    const double* right_scales, Index rows, Index cols, double* out, Index stride) {
    HWY_DYNAMIC_DISPATCH(layers_double)(gaps, degrees, left_scales, right_scales, rows, cols, out, stride);
}
template <>
void arc_cosine_map(const double* gaps, std::span<const int> degrees, const double* left_scales,
                    const double* right_scales, Index rows, Index cols, float* out, Index stride) {
    HWY_DYNAMIC_DISPATCH(layers_single)(gaps, degrees, left_scales, right_scales, rows, cols, out, stride);
}

}  // namespace dk
#endif  // HWY_ONCE
