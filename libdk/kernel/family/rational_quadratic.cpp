// SPDX-License-Identifier: Apache-2.0
// k(x, z) = (1 + gamma |x - z|^2 / alpha)^-alpha is a mixture of Gaussians of many widths.
//
//   book             code
//   1 / (2 l^2)      parameter::inverse_width
//   alpha            parameter::alpha
//
// Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2.
#include "base/text.hpp"
#include "kernel/family/radial_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr RealKey alpha{"alpha", 1, Range::positive(),
                        "The smaller alpha is, the more the widths of the mixture differ; with an infinite "
                        "alpha the kernel would be rbf."};
}  // namespace parameter

KernelEntry rational_quadratic_kernel() {
    return {.name = "rational_quadratic",
            .doc = "k(x, z) = (1 + gamma |x - z|^2 / alpha)^-alpha, a mixture of Gaussians of many widths.",
            .reference = "Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "always",
                      .differentiable = "always"},
            .parameters = {parameter::inverse_width, parameter::alpha},
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(
                    a.columns, {.text = text("rational_quadratic(gamma=", a[parameter::inverse_width],
                                             ", alpha=", a[parameter::alpha], ")"),
                                .radial = {RadialFunction::rational_quadratic, a[parameter::inverse_width],
                                           a[parameter::alpha]}});
            }};
}

}  // namespace dk
