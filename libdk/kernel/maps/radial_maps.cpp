// SPDX-License-Identifier: Apache-2.0
//
// The radial functions f(s) of radial_maps.hpp have these derivatives with respect to s, with u = gamma s:
//
//     gaussian              f'(s) = -gamma exp(-u)
//     cauchy                f'(s) = -gamma / (1 + u)^2
//     rational_quadratic    f'(s) = -gamma (1 + u / shape)^-(shape + 1)
//     matern32              f'(s) = -3 gamma exp(-t),             t = sqrt(6 u)
//     matern52              f'(s) = -5/3 gamma (1 + t) exp(-t),   t = sqrt(10 u)
//     bessel                f'(s) = -gamma / (4 (n + 1)) f_n+1(s)
//
// Each kernel's reference is in its file in kernel/family.
#include "kernel/maps/radial_maps.hpp"

#include <algorithm>
#include <cmath>

#include "base/system/bessel.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/maps/radial_maps.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// This header must come after highway.h.
#include <hwy/contrib/math/math-inl.h>

#include "matrix/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Computes out = map(in) by whole vectors. The last columns of a row pass through a padded copy.
template <typename T, typename Map>
void map_tile(const T* in, Index rows, Index cols, Index in_stride, T* out, Index stride, Map map) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    for (Index i = 0; i < rows; ++i) {
        const T* from = in + i * in_stride;
        T* to = out + i * stride;
        Index j = 0;
        for (; j + lanes <= cols; j += lanes) hn::StoreU(map(d, hn::LoadU(d, from + j)), d, to + j);
        if (j == cols) continue;
        HWY_ALIGN T rest[hn::MaxLanes(d)] = {};
        std::copy(from + j, from + cols, rest);
        hn::Store(map(d, hn::Load(d, rest)), d, rest);
        std::copy(rest, rest + (cols - j), to + j);
    }
}

template <class D>
auto constant(D d, double value) {
    return hn::Set(d, static_cast<hn::TFromD<D>>(value));
}

template <class D, class V>
V exp_of_minus(D d, V t) {
    return hn::Exp(d, hn::Neg(t));
}

template <class D, class V>
V circular(D d, V u) {
    const V one = constant(d, 1);
    const V t = hn::Sqrt(hn::Min(u, one));
    const V chord = hn::Mul(t, hn::Sqrt(hn::Sub(one, hn::Mul(t, t))));
    return hn::Mul(constant(d, 0.63661977236758134308), hn::Sub(hn::Acos(d, t), chord));
}

template <class D, class V>
V spherical(D d, V u) {
    const V t = hn::Sqrt(hn::Min(u, constant(d, 1)));
    const V cubic = hn::Mul(constant(d, 0.5), hn::Mul(t, hn::Mul(t, t)));
    return hn::Add(hn::NegMulAdd(constant(d, 1.5), t, constant(d, 1)), cubic);
}

/// Computes n! (2 / t)^n J_n(t) for t = sqrt(u). Up to t^2 = 4 (n + 1) the series sum (-u / 4)^k n! / (k!
/// (n + k)!) falls from its first term.
double bessel(double u, int n) {
    if (u <= 4.0 * (n + 1)) {
        double term = 1;
        double sum = 1;
        for (int k = 1; std::abs(term) > 1e-17; ++k) sum += term *= -0.25 * u / (k * (n + k));
        return sum;
    }
    const double t = std::sqrt(u);
    double factor = 1;  // n! (2 / t)^n
    for (int k = 1; k <= n; ++k) factor *= 2 * k / t;
    return factor * bessel_j(n, t);
}

template <typename T>
void bessel_tile(double gamma, int n, double factor, const T* in, Index rows, Index cols, Index in_stride,
                 T* out, Index stride) {
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j)
            out[i * stride + j] = static_cast<T>(factor * bessel(gamma * in[i * in_stride + j], n));
    }
}

template <typename T>
void radial_tile(const Radial& radial, const T* in, Index rows, Index cols, Index in_stride, T* out,
                 Index stride) {
    // Each function takes a multiple of s, such as u or the t^2 of a Matern function, which is factor * s.
    const double gamma = radial.gamma;
    const auto run = [&](double factor, auto function) {
        map_tile(in, rows, cols, in_stride, out, stride,
                 [&](auto d, auto s) { return function(d, hn::Mul(constant(d, factor), s)); });
    };
    switch (radial.function) {
        case RadialFunction::gaussian:
            return run(gamma, [](auto d, auto u) { return exp_of_minus(d, u); });
        case RadialFunction::cauchy:
            return run(gamma,
                       [](auto d, auto u) { return hn::Div(constant(d, 1), hn::Add(constant(d, 1), u)); });
        case RadialFunction::rational_quadratic:
            return run(gamma / radial.shape, [&](auto d, auto u) {
                return exp_of_minus(d, hn::Mul(constant(d, radial.shape), hn::Log1p(d, u)));
            });
        case RadialFunction::matern12:
            return run(2 * gamma, [](auto d, auto u) { return exp_of_minus(d, hn::Sqrt(u)); });
        case RadialFunction::matern32:
            return run(6 * gamma, [](auto d, auto u) {
                const auto t = hn::Sqrt(u);
                return hn::Mul(hn::Add(constant(d, 1), t), exp_of_minus(d, t));
            });
        case RadialFunction::matern52:
            return run(10 * gamma, [](auto d, auto u) {
                const auto t = hn::Sqrt(u);
                const auto factor = hn::MulAdd(u, constant(d, 1.0 / 3), hn::Add(constant(d, 1), t));
                return hn::Mul(factor, exp_of_minus(d, t));
            });
        case RadialFunction::circular:
            return run(gamma, [](auto d, auto u) { return circular(d, u); });
        case RadialFunction::spherical:
            return run(gamma, [](auto d, auto u) { return spherical(d, u); });
        case RadialFunction::bessel:
            return bessel_tile(gamma, static_cast<int>(radial.shape), 1, in, rows, cols, in_stride, out,
                               stride);
    }
}

template <typename T>
void radial_slope_tile(const Radial& radial, const T* in, Index rows, Index cols, Index in_stride, T* out,
                       Index stride) {
    const double gamma = radial.gamma;
    const auto run = [&](double factor, auto function) {
        map_tile(in, rows, cols, in_stride, out, stride,
                 [&](auto d, auto s) { return function(d, hn::Mul(constant(d, factor), s)); });
    };
    switch (radial.function) {
        case RadialFunction::gaussian:
            return run(gamma,
                       [&](auto d, auto u) { return hn::Mul(constant(d, -gamma), exp_of_minus(d, u)); });
        case RadialFunction::cauchy:
            return run(gamma, [&](auto d, auto u) {
                const auto sum = hn::Add(constant(d, 1), u);
                return hn::Div(constant(d, -gamma), hn::Mul(sum, sum));
            });
        case RadialFunction::rational_quadratic:
            return run(gamma / radial.shape, [&](auto d, auto u) {
                return hn::Mul(constant(d, -gamma),
                               exp_of_minus(d, hn::Mul(constant(d, radial.shape + 1), hn::Log1p(d, u))));
            });
        case RadialFunction::matern32:
            return run(6 * gamma, [&](auto d, auto u) {
                return hn::Mul(constant(d, -3 * gamma), exp_of_minus(d, hn::Sqrt(u)));
            });
        case RadialFunction::matern52:
            return run(10 * gamma, [&](auto d, auto u) {
                const auto t = hn::Sqrt(u);
                return hn::Mul(hn::Mul(constant(d, -5 * gamma / 3), hn::Add(constant(d, 1), t)),
                               exp_of_minus(d, t));
            });
        case RadialFunction::bessel: {
            const int above = static_cast<int>(radial.shape) + 1;
            return bessel_tile(gamma, above, -gamma / (4 * above), in, rows, cols, in_stride, out, stride);
        }
        case RadialFunction::matern12:
        case RadialFunction::circular:
        case RadialFunction::spherical:
            break;
    }
}

void radial_double(const Radial& radial, const double* in, Index rows, Index cols, Index in_stride,
                   double* out, Index stride) {
    radial_tile(radial, in, rows, cols, in_stride, out, stride);
}
void radial_single(const Radial& radial, const float* in, Index rows, Index cols, Index in_stride, float* out,
                   Index stride) {
    radial_tile(radial, in, rows, cols, in_stride, out, stride);
}
void slope_double(const Radial& radial, const double* in, Index rows, Index cols, Index in_stride,
                  double* out, Index stride) {
    radial_slope_tile(radial, in, rows, cols, in_stride, out, stride);
}
void slope_single(const Radial& radial, const float* in, Index rows, Index cols, Index in_stride, float* out,
                  Index stride) {
    radial_slope_tile(radial, in, rows, cols, in_stride, out, stride);
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

template <>
void radial_map(const Radial& radial, const double* in, Index rows, Index cols, Index in_stride, double* out,
                Index stride) {
    DK_CHOSEN(radial_double)(radial, in, rows, cols, in_stride, out, stride);
}
template <>
void radial_map(const Radial& radial, const float* in, Index rows, Index cols, Index in_stride, float* out,
                Index stride) {
    DK_CHOSEN(radial_single)(radial, in, rows, cols, in_stride, out, stride);
}
template <>
void radial_slope_map(const Radial& radial, const double* in, Index rows, Index cols, Index in_stride,
                      double* out, Index stride) {
    DK_CHOSEN(slope_double)(radial, in, rows, cols, in_stride, out, stride);
}
template <>
void radial_slope_map(const Radial& radial, const float* in, Index rows, Index cols, Index in_stride,
                      float* out, Index stride) {
    DK_CHOSEN(slope_single)(radial, in, rows, cols, in_stride, out, stride);
}

}  // namespace dk
#endif  // HWY_ONCE
