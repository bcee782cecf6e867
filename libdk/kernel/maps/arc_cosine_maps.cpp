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
// Where weights have the variance w and biases the variance b, a layer sees products p_ij = w k_ij + b, whose
// cosine is p_ij / sqrt(p_i p_j) = u_i u_j cos theta' + v_i v_j with u = sqrt(w q / p), v = sqrt(b / p), q
// and p the rows' own values. As u^2 + v^2 = 1, t becomes ((u_i - u_j)^2 + (v_i - v_j)^2) / 2 + u_i u_j t, in
// which nothing cancels and nothing overflows.
//
// The tangent kernel of such a network is T' = w T J_0(theta) / pi + p' from layer to layer, where p' is what
// the next layer sees, and T = p at the first. It is computed as A = T / sqrt(p_i p_j), for which the step is
// A' = u_i u_j A J_0(theta) / pi + cos theta'.
//
//     letter          name
//     t               Angle::t, near (of an acute angle), gap (of the next layer)
//     theta           Angle::theta
//     sin theta       Angle::sine, s
//     cos theta       c
//     n               ArcCosineRow::degrees, one for each layer
//     u, v            LayerMix::left_weight, left_bias, and right_weights, right_biases
//     A               tangent
//
// Y. Cho, L. Saul, Kernel methods for deep learning, NIPS 2009, eq. 3 to 6; J_3 comes from the same integral.
// Jacot, Gabriel, Hongler, Neural tangent kernel, NeurIPS 2018, Theorem 1.
#include <algorithm>
#include <array>
#include <utility>

#include "kernel/maps/arc_cosine_maps.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/maps/arc_cosine_maps.cpp"
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

/// Computes both rows anew by whole vectors: map(j, a[j], b[j]) gives the new pair.
template <typename B, typename Map>
void map_two_rows(double* a, B* b, Index cols, Map map) {
    const Index lanes = lane_count();
    const auto step = [&](Index j, double* at_a, B* at_b) {
        const auto [new_a, new_b] = map(j, load(at_a), load(at_b));
        store(new_a, at_a);
        store(new_b, at_b);
    };
    Index j = 0;
    for (; j + lanes <= cols; j += lanes) step(j, a + j, b + j);
    if (j == cols) return;
    double rest_a[hn::MaxLanes(D())] = {};
    B rest_b[hn::MaxLanes(D())] = {};
    std::copy(a + j, a + cols, rest_a);
    std::copy(b + j, b + cols, rest_b);
    step(j, rest_a, rest_b);
    std::copy(rest_a, rest_a + (cols - j), a + j);
    std::copy(rest_b, rest_b + (cols - j), b + j);
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

using M = hn::Mask<D>;

/// The cosine of an angle that may be blunt: near = 1 - |cosine|, and where the cosine is negative.
struct Nearness {
    V near;
    M blunt;
};

Nearness nearness_of_gap(V gap) {
    return {hn::Abs(gap), hn::Lt(gap, hn::Zero(D()))};
}

/// Mixes the constant of the biases into what a layer sees. A blunt angle may become acute, and an acute one
/// stays so.
Nearness mixed(const Nearness& seen, const LayerMix& mix, Index j) {
    const V u = constant(mix.left_weight);
    const V v = constant(mix.left_bias);
    const V right_u = load(mix.right_weights + j);
    const V right_v = load(mix.right_biases + j);
    const V du = hn::Sub(u, right_u);
    const V dv = hn::Sub(v, right_v);
    const V apart = hn::Mul(constant(0.5), hn::MulAdd(du, du, hn::Mul(dv, dv)));
    const V acute = hn::MulAdd(hn::Mul(u, right_u), seen.near, apart);
    const V blunt = hn::MulAdd(hn::Mul(constant(2), v), right_v, acute);  // 1 + cosine, where that is < 0
    const M still_blunt = hn::And(seen.blunt, hn::Le(blunt, constant(1)));
    const V turned = hn::Max(hn::Sub(constant(2), blunt), hn::Zero(D()));
    const V near = hn::IfThenElse(still_blunt, blunt, hn::IfThenElse(seen.blunt, turned, acute));
    return {near, still_blunt};
}

/// Makes the angle of a cosine that may be negative.
template <typename T>
Angle any_angle(const Nearness& of) {
    const auto& [near, blunt] = of;
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

/// Computes what the first layer makes of a cosine: the t of the second.
template <typename T>
V first_layer(const Nearness& of, const ArcCosineRow& row, Index j) {
    return arc_cosine_layer(any_angle<T>(row.mixes.empty() ? of : mixed(of, row.mixes.front(), j)),
                            row.degrees.front());
}

/// Computes what a later layer makes of t. Its angle is acute.
template <typename T>
V later_layer(V t, const ArcCosineRow& row, std::size_t layer, Index j) {
    if (!row.mixes.empty()) t = mixed(nearness_of_gap(t), row.mixes[layer], j).near;
    return arc_cosine_layer(acute_angle<T>(t), row.degrees[layer]);
}

/// Runs the layers after the first on a row of t, and writes the kernel's values to `out`. Each layer is a
/// pass over the row, because one pass for all layers would wait for its long chain of operations.
template <typename T>
void remaining_layers(double* t, const ArcCosineRow& row, Index cols, T* out) {
    for (std::size_t l = 1; l < row.degrees.size(); ++l) {
        map_row(t, cols, t, [&](Index j, V gap) { return later_layer<T>(gap, row, l, j); });
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
        return first_layer<T>({near, hn::Lt(cosine, hn::Zero(D()))}, row, j);
    });
    if (!hn::AllTrue(D(), hn::Ge(least, constant(close_gap)))) return false;
    remaining_layers(scratch, row, cols, out);
    return true;
}

template <typename T>
void gap_row(double* gaps, const ArcCosineRow& row, Index cols, T* out) {
    map_row(gaps, cols, gaps, [&](Index j, V gap) { return first_layer<T>(nearness_of_gap(gap), row, j); });
    remaining_layers(gaps, row, cols, out);
}

/// Computes a row of the tangent kernel. `out` holds A until the lengths come in at the end.
template <typename T>
void tangent_row(double* gaps, const ArcCosineRow& row, Index cols, T* out) {
    const bool biased = !row.mixes.empty();
    const V one = constant(1);
    // The sign of a gap tells blunt angles, so that it is not 0.
    map_two_rows(gaps, out, cols, [&](Index j, V gap, V) {
        Nearness seen = nearness_of_gap(gap);
        if (biased) seen = mixed(seen, row.mixes.front(), j);
        const V near = hn::Max(seen.near, constant(1e-300));
        const V cosine = hn::Sub(one, near);
        return std::pair(hn::IfThenElse(seen.blunt, hn::Neg(near), near),
                         hn::IfThenElse(seen.blunt, hn::Neg(cosine), cosine));
    });
    for (std::size_t l = 1; l <= row.degrees.size(); ++l) {
        map_two_rows(gaps, out, cols, [&](Index j, V gap, V tangent) {
            const Angle angle = any_angle<T>(nearness_of_gap(gap));
            V t = arc_cosine_layer(angle, 1);
            V passed = hn::Mul(tangent, hn::NegMulAdd(angle.theta, constant(1 / pi), one));
            if (biased) {
                const LayerMix& mix = row.mixes[l];
                passed = hn::Mul(passed, hn::Mul(constant(mix.left_weight), load(mix.right_weights + j)));
                t = mixed(nearness_of_gap(t), mix, j).near;
            }
            return std::pair(t, hn::Add(passed, hn::Sub(one, t)));
        });
    }
    map_row(out, cols, out, [&](Index j, V tangent) {
        return hn::Mul(tangent, hn::Mul(constant(row.left_scale), load(row.right_scales + j)));
    });
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
void tangents_double(double* gaps, const ArcCosineRow& row, Index cols, double* out) {
    tangent_row(gaps, row, cols, out);
}
void tangents_single(double* gaps, const ArcCosineRow& row, Index cols, float* out) {
    tangent_row(gaps, row, cols, out);
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
template <>
void tangent_of_gaps(double* gaps, const ArcCosineRow& row, Index cols, double* out) {
    DK_CHOSEN(tangents_double)(gaps, row, cols, out);
}
template <>
void tangent_of_gaps(double* gaps, const ArcCosineRow& row, Index cols, float* out) {
    DK_CHOSEN(tangents_single)(gaps, row, cols, out);
}

}  // namespace dk
#endif  // HWY_ONCE
