// SPDX-License-Identifier: Apache-2.0
//
// Where theta is the angle between two rows, a layer of degree n of the arc-cosine kernel gives them features
// whose angle theta' has cos theta' = J_n(theta) / J_n(0), with
//
//     J_0 = pi - theta
//     J_1 = sin theta + (pi - theta) cos theta
//     J_2 = 3 sin theta cos theta + (pi - theta) (1 + 2 cos^2 theta)
//     J_3 = (15 - 11 sin^2 theta) sin theta + (pi - theta) (9 + 6 cos^2 theta) cos theta
//
// and J_n(0) = pi, pi, 3 pi, 15 pi. The kernel is cos theta' of the last layer times sqrt(k(x, x) k(z, z)).
// Nearly parallel rows would lose their digits in cos theta, so each layer computes with t = 1 - cos theta.
//
//     letter          name
//     t               Angle::t, near (of an acute angle), gap (of the next layer)
//     theta           Angle::theta
//     sin theta       Angle::sine, s
//     cos theta       c
//     n               ArcCosineRow::degrees, one for each layer
//
// Y. Cho, L. Saul, Kernel methods for deep learning, NIPS 2009, eq. 3 to 6; J_3 comes from the same integral.
#include <algorithm>
#include <array>

#include "kernel/engine/arc_cosine_maps.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/engine/arc_cosine_maps.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "matrix/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

constexpr double pi = 3.14159265358979323846;

V constant(double value) {
    return hn::Set(D(), value);
}

Index lane_count() {
    return static_cast<Index>(hn::Lanes(D()));
}

// The angle needs double precision, so the maps have it even where products and results are single.
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

/// Computes out[j] = map(j, in[j]) by whole vectors. The last columns pass through padded copies.
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

/// For an acute angle, theta / sin theta is the series sum_n 2^n n!^2 / (2 n + 1)! t^n, t = 1 - cos theta in
/// [0, 1]. These coefficients are those of its Chebyshev interpolation, a polynomial in 2 t - 1 whose
/// relative error is 4e-17 for results in double precision and 8e-9 in single. It is faster than an arc sine,
/// because it takes no root but that of the sine, which a layer needs anyway.
template <typename T>
struct AngleOverSine {
    static constexpr std::array<double, 21> coefficients{
        1.2091995761561452,     0.2636001412812842,     0.06973319205204692,   0.019837146922537297,
        0.00586162897495759,    0.0017729284598458914,  0.0005447739881301811, 0.0001693099599106564,
        5.307370323056482e-05,  1.6749075082645974e-05, 5.314287188091921e-06, 1.693862205113952e-06,
        5.418581985727714e-07,  1.7342788123244604e-07, 5.575738842888287e-08, 1.855750185293783e-08,
        6.0331600097782334e-09, 1.495978611795642e-09,  4.681011903625551e-10, 3.5522082207382583e-10,
        1.1890151456850346e-10};
};
template <>
struct AngleOverSine<float> {
    static constexpr std::array<double, 11> coefficients{
        1.209199575780444,     0.26360016626530397,   0.06973321884367324,   0.019836653438411515,
        0.005861320559752052,  0.00177564106920777,   0.0005460639278850627, 0.00016329768374555406,
        5.066672126632201e-05, 2.240253093255419e-05, 7.317167595870132e-06};
};

/// Evaluates the polynomial in y4 of every fourth coefficient from `first` on. Four such polynomials are
/// short chains of operations that overlap.
template <std::size_t count>
V every_fourth(const std::array<double, count>& coefficients, std::size_t first, V y4) {
    std::size_t k = first;
    while (k + 4 < count) k += 4;
    V sum = constant(coefficients[k]);
    for (; k > first; k -= 4) sum = hn::MulAdd(sum, y4, constant(coefficients[k - 4]));
    return sum;
}

/// Computes theta / sin theta from t for an acute angle.
template <typename T>
V angle_over_sine(V t) {
    const auto& all = AngleOverSine<T>::coefficients;
    const V y = hn::MulSub(constant(2), t, constant(1));
    const V y2 = hn::Mul(y, y);
    const V y4 = hn::Mul(y2, y2);
    const V even = hn::MulAdd(every_fourth(all, 2, y4), y2, every_fourth(all, 0, y4));
    const V odd = hn::MulAdd(every_fourth(all, 3, y4), y2, every_fourth(all, 1, y4));
    return hn::MulAdd(odd, y, even);
}

/// An angle theta as a layer uses it: t = 1 - cos theta, theta and sin theta.
struct Angle {
    V t;
    V theta;
    V sine;
};

/// Makes the acute angle of t, whose sine is sqrt(t (2 - t)).
template <typename T>
Angle acute_angle(V t) {
    const V sine = hn::Sqrt(hn::Mul(t, hn::Sub(constant(2), t)));
    return {t, hn::Mul(sine, angle_over_sine<T>(t)), sine};
}

/// Makes the angle of near = 1 - |cosine|; `blunt` tells where the cosine is negative.
template <typename T, class M>
Angle any_angle(V near, M blunt) {
    const Angle acute = acute_angle<T>(near);
    return {hn::IfThenElse(blunt, hn::Sub(constant(2), near), near),
            hn::IfThenElse(blunt, hn::Sub(constant(pi), acute.theta), acute.theta), acute.sine};
}

/// Computes the next layer's t = 1 - J_n(theta) / J_n(0). The difference is taken in the formulas, where it
/// cancels exactly, and not in numbers. The next angle is acute, because J_n is never negative.
V arc_cosine_layer(const Angle& angle, int degree) {
    const auto& [t, theta, s] = angle;
    if (degree == 0) return hn::Mul(theta, constant(1 / pi));
    const V c = hn::Sub(constant(1), t);
    if (degree == 1) return hn::Max(hn::MulAdd(hn::MulSub(theta, c, s), constant(1 / pi), t), hn::Zero(D()));
    const V c2 = hn::Mul(c, c);
    V gap = t;
    if (degree == 2) {
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
    return hn::Max(gap, hn::Zero(D()));
}

/// Runs the layers after the first on a row of t, and writes the kernel's values to `out`. Each layer is a
/// pass over the row, because one pass for all layers would wait for its long chain of operations.
template <typename T>
void remaining_layers(double* t, const ArcCosineRow& row, Index cols, T* out) {
    for (std::size_t l = 1; l < row.degrees.size(); ++l) {
        map_row(t, cols, t,
                [&](Index, V gap) { return arc_cosine_layer(acute_angle<T>(gap), row.degrees[l]); });
    }
    map_row(t, cols, out, [&](Index j, V gap) {
        const V scale = hn::Mul(constant(row.left_scale), load(row.right_scales + j));
        return hn::Mul(hn::Sub(constant(1), gap), scale);
    });
}

template <typename T>
bool product_row(const T* products, const ArcCosineRow& row, Index cols, double* scratch, T* out) {
    V least = constant(1);
    map_row(products, cols, scratch, [&](Index j, V product) {
        const V cosine =
            hn::Mul(product, hn::Mul(constant(row.left_reciprocal), load(row.right_reciprocals + j)));
        const V near = hn::Max(hn::Sub(constant(1), hn::Abs(cosine)), hn::Zero(D()));
        least = hn::Min(least, near);
        return arc_cosine_layer(any_angle<T>(near, hn::Lt(cosine, hn::Zero(D()))), row.degrees.front());
    });
    if (!hn::AllTrue(D(), hn::Ge(least, constant(close_gap)))) return false;
    remaining_layers(scratch, row, cols, out);
    return true;
}

template <typename T>
void gap_row(double* gaps, const ArcCosineRow& row, Index cols, T* out) {
    map_row(gaps, cols, gaps, [&](Index, V gap) {
        return arc_cosine_layer(any_angle<T>(hn::Abs(gap), hn::Lt(gap, hn::Zero(D()))), row.degrees.front());
    });
    remaining_layers(gaps, row, cols, out);
}

bool products_double(const double* products, const ArcCosineRow& row, Index cols, double* scratch,
                     double* out) {
    return product_row(products, row, cols, scratch, out);
}
bool products_single(const float* products, const ArcCosineRow& row, Index cols, double* scratch,
                     float* out) {
    return product_row(products, row, cols, scratch, out);
}
void gaps_double(double* gaps, const ArcCosineRow& row, Index cols, double* out) {
    gap_row(gaps, row, cols, out);
}
void gaps_single(double* gaps, const ArcCosineRow& row, Index cols, float* out) {
    gap_row(gaps, row, cols, out);
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

template <>
bool arc_cosine_of_products(const double* products, const ArcCosineRow& row, Index cols, double* scratch,
                            double* out) {
    return DK_CHOSEN(products_double)(products, row, cols, scratch, out);
}
template <>
bool arc_cosine_of_products(const float* products, const ArcCosineRow& row, Index cols, double* scratch,
                            float* out) {
    return DK_CHOSEN(products_single)(products, row, cols, scratch, out);
}
template <>
void arc_cosine_of_gaps(double* gaps, const ArcCosineRow& row, Index cols, double* out) {
    DK_CHOSEN(gaps_double)(gaps, row, cols, out);
}
template <>
void arc_cosine_of_gaps(double* gaps, const ArcCosineRow& row, Index cols, float* out) {
    DK_CHOSEN(gaps_single)(gaps, row, cols, out);
}

}  // namespace dk
#endif  // HWY_ONCE
