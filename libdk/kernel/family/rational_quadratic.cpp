// SPDX-License-Identifier: Apache-2.0
// k(x, z) = (1 + gamma |x - z|^2 / alpha)^-alpha, a mixture of Gaussians of many widths.
//
// Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2.
#include "base/text.hpp"
#include "kernel/family/radial_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

KernelEntry rational_quadratic_kernel() {
    return {
        .name = "rational_quadratic",
        .doc = "k(x, z) = (1 + gamma |x - z|^2 / alpha)^-alpha, a mixture of Gaussians of many widths.",
        .reference = "Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2",
        .facts = {.data = {DataKind::dense, DataKind::sparse},
                  .positive_semidefinite = "always",
                  .constant_diagonal = "always",
                  .differentiable = "always"},
        .parameters =
            {width_parameter(
                 "auto",
                 "The inverse width gamma. The rules auto, median and mean find it on the training rows."),
             positive_parameter(
                 "alpha", 1,
                 "The smaller it is, the more the widths of the mixture differ; infinite would be rbf.")},
        .make = [](const KernelArguments& a) {
            return make_radial_kernel(
                a.columns,
                {.text = text("rational_quadratic(gamma=", a["gamma"], ", alpha=", a["alpha"], ")"),
                 .radial = {RadialFunction::rational_quadratic, a["gamma"], a["alpha"]}});
        }};
}

}  // namespace dk
