// SPDX-License-Identifier: Apache-2.0
// k(x, z) = 1 - 3/2 u + 1/2 u^3 for u = sqrt(gamma) |x - z| < 1, else 0: the overlap of two balls.
//
// Genton, Classes of kernels for machine learning, JMLR 2, 2001.
#include "base/text.hpp"
#include "kernel/family/radial_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

// The overlap of two balls.
KernelEntry spherical_kernel() {
    return {.name = "spherical",
            .doc =
                "k(x, z) = 1 - 3/2 u + 1/2 u^3 for u = sqrt(gamma) |x - z| < 1, else 0: the overlap of two "
                "balls.",
            .reference = "Genton, Classes of kernels for machine learning, JMLR 2, 2001",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "up to 3 columns",
                      .constant_diagonal = "always",
                      .differentiable = "never"},
            .parameters = {width_parameter(
                "auto",
                "The inverse width gamma. The rules auto, median and mean find it on the training rows.")},
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(a.columns, {.text = text("spherical(gamma=", a["gamma"], ")"),
                                                      .radial = {RadialFunction::spherical, a["gamma"]},
                                                      .positive_semidefinite = a.column_count <= 3});
            }};
}

}  // namespace dk
