// SPDX-License-Identifier: Apache-2.0
// The Matern kernel of smoothness nu is a function of r = |x - z| sqrt(2 gamma), the distance in units of a
// length l for which gamma = 1 / (2 l^2). The maps of kernel/maps/radial_maps.cpp compute it for three nu:
//   nu = 0.5:  k(x, z) = exp(-r)
//   nu = 1.5:  k(x, z) = (1 + sqrt(3) r) exp(-sqrt(3) r)
//   nu = 2.5:  k(x, z) = (1 + sqrt(5) r + 5 r^2 / 3) exp(-sqrt(5) r).
//
//   book       code
//   r / l      r = |x - z| sqrt(2 gamma)
//   nu         parameter::nu
//
// Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2.
#include "base/error.hpp"
#include "kernel/family/radial_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr RealKey nu{"nu", 1.5, {0.5, 2.5}, "nu is the smoothness: 0.5, 1.5 or 2.5."};
}  // namespace parameter

namespace {

RadialFunction function_of(double smoothness) {
    if (smoothness == 0.5) return RadialFunction::matern12;
    if (smoothness == 1.5) return RadialFunction::matern32;
    if (smoothness == 2.5) return RadialFunction::matern52;
    fail(Status::invalid_kernel, "matern: nu = ", smoothness, " is not allowed; it must be 0.5, 1.5 or 2.5");
}

}  // namespace

KernelEntry matern_kernel() {
    return {
        .name = "matern",
        .doc =
            "The Matern kernel has the smoothness nu = 0.5, 1.5 or 2.5; gamma is 1 / (2 length^2), so that "
            "infinite nu would be rbf.",
        .reference = "Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2",
        .facts = {.data = {DataKind::dense, DataKind::sparse},
                  .positive_semidefinite = "always",
                  .constant_diagonal = "always",
                  .differentiable = "when nu > 0.5"},
        .parameters = {parameter::inverse_width, parameter::nu},
        .make = [](const KernelArguments& a) {
            return make_radial_kernel(
                a.columns,
                {.text = text("matern(gamma=", a[parameter::inverse_width], ", nu=", a[parameter::nu], ")"),
                 .radial = {function_of(a[parameter::nu]), a[parameter::inverse_width]}});
        }};
}

}  // namespace dk
