// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/radial_kernel.hpp"

namespace dk {

KernelFamily cauchy_family() {
    return {.name = "cauchy",
            .doc = "k(x, z) = 1 / (1 + gamma |x - z|^2)",
            .reference = "Basak, A least square kernel machine with box constraints, ICPR 2008",
            .data = {DataKind::dense, DataKind::sparse},
            .positive_semidefinite = "always",
            .constant_diagonal = "always",
            .parameters = {width_parameter("auto", "inverse width")},
            .positional = "",
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(a.columns, {.text = text("cauchy(gamma=", a["gamma"], ")"),
                                                      .radial = {RadialFunction::cauchy, a["gamma"]}});
            }};
}

}  // namespace dk
