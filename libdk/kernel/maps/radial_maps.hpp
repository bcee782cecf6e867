// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// Functions f of the squared distance s = |x - z|^2, where u = gamma s. All are 1 at s = 0.
enum class RadialFunction {
    gaussian,            // exp(-u)
    cauchy,              // 1 / (1 + u)
    rational_quadratic,  // (1 + u / shape)^-shape
    matern12,            // exp(-t), t = sqrt(2 u)
    matern32,            // (1 + t) exp(-t), t = sqrt(6 u)
    matern52,            // (1 + t + t^2 / 3) exp(-t), t = sqrt(10 u)
    circular,            // 2/pi (acos t - t sqrt(1 - t^2)) for t = sqrt(u) < 1, else 0
    spherical,           // 1 - 3/2 t + 1/2 t^3 for t = sqrt(u) < 1, else 0
    bessel               // n! (2 / t)^n J_n(t), t = sqrt(u), n = shape
};

/// A function with its parameters.
struct Radial {
    RadialFunction function = RadialFunction::gaussian;
    double gamma = 1;
    double shape = 1;  // parameter of the rational quadratic, and order of the Bessel function
};

/// Computes out = f(in) for a tile of squared distances, by the best instructions of this processor. `in` and
/// `out` may be the same memory when their strides are equal.
template <typename T>
void radial_map(const Radial& radial, const T* in, Index rows, Index cols, Index in_stride, T* out,
                Index stride);

/// Computes the derivative out = f'(in) with respect to s. It must not be asked for matern12, circular and
/// spherical, which have no derivative at 0.
template <typename T>
void radial_slope_map(const Radial& radial, const T* in, Index rows, Index cols, Index in_stride, T* out,
                      Index stride);

}  // namespace dk
