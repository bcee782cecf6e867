// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/radial_kernel.hpp"

namespace dk {

KernelFamily rational_quadratic_family() {
    return {.name = "rational_quadratic",
            .doc = "k(x, z) = (1 + gamma |x - z|^2 / alpha)^-alpha",
            .reference = "Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2",
            .data = {DataKind::dense, DataKind::sparse},
            .positive_semidefinite = "always",
            .constant_diagonal = "always",
            .parameters = {width_parameter("auto", "inverse width"),
                           positive_parameter("alpha", 1, "mixture of widths: infinite is rbf")},
            .positional = "",
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(
                    a.columns,
                    {.text = text("rational_quadratic(gamma=", a["gamma"], ", alpha=", a["alpha"], ")"),
                     .radial = {RadialFunction::rational_quadratic, a["gamma"], a["alpha"]}});
            }};
}

}  // namespace dk
