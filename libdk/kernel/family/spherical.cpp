// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/radial_kernel.hpp"

namespace dk {

// The overlap of two balls.
KernelFamily spherical_family() {
    return {.name = "spherical",
            .doc = "k(x, z) = 1 - 3/2 u + 1/2 u^3 for u = sqrt(gamma) |x - z| < 1, else 0",
            .reference = "Genton, Classes of kernels for machine learning, JMLR 2, 2001",
            .data = {DataKind::dense, DataKind::sparse},
            .positive_semidefinite = "up to 3 columns",
            .constant_diagonal = "always",
            .parameters = {width_parameter("auto", "inverse width")},
            .positional = "",
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(a.columns, {.text = text("spherical(gamma=", a["gamma"], ")"),
                                                      .radial = {RadialFunction::spherical, a["gamma"]},
                                                      .positive_semidefinite = a.column_count <= 3});
            }};
}

}  // namespace dk
