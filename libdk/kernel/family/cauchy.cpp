// SPDX-License-Identifier: Apache-2.0
// k(x, z) = 1 / (1 + gamma |x - z|^2).
//
// Basak, A least square kernel machine with box constraints, ICPR 2008.
#include "base/text.hpp"
#include "kernel/family/radial_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

KernelEntry cauchy_kernel() {
    return {.name = "cauchy",
            .doc = "k(x, z) = 1 / (1 + gamma |x - z|^2), the Cauchy kernel.",
            .reference = "Basak, A least square kernel machine with box constraints, ICPR 2008",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "always",
                      .differentiable = "always"},
            .parameters = {parameter::inverse_width},
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(a.columns,
                                          {.text = text("cauchy(gamma=", a[parameter::inverse_width], ")"),
                                           .radial = {RadialFunction::cauchy, a[parameter::inverse_width]}});
            }};
}

}  // namespace dk
