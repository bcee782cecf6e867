// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/radial_kernel.hpp"

namespace dk {

// The overlap of two discs; printed elsewhere with acos(-u), which is not positive semidefinite.
KernelFamily circular_family() {
    return {.name = "circular",
            .doc = "k(x, z) = 2/pi (acos u - u sqrt(1 - u^2)) for u = sqrt(gamma) |x - z| < 1, else 0",
            .reference = "Genton, Classes of kernels for machine learning, JMLR 2, 2001",
            .data = {DataKind::dense, DataKind::sparse},
            .positive_semidefinite = "up to 2 columns",
            .constant_diagonal = "always",
            .parameters = {width_parameter("auto", "inverse width")},
            .positional = "",
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(a.columns, {.text = text("circular(gamma=", a["gamma"], ")"),
                                                      .radial = {RadialFunction::circular, a["gamma"]},
                                                      .positive_semidefinite = a.column_count <= 2});
            }};
}

}  // namespace dk
