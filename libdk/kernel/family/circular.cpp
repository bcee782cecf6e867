// SPDX-License-Identifier: Apache-2.0
// k(x, z) = 2/pi (acos u - u sqrt(1 - u^2)) for u = sqrt(gamma) |x - z| < 1, else 0: the overlap of two discs
//
// It is also printed with acos(-u), which is not positive semidefinite.
//
// Genton, Classes of kernels for machine learning, JMLR 2, 2001.
#include "base/text.hpp"
#include "kernel/family/radial_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

// The overlap of two discs; printed elsewhere with acos(-u), which is not positive semidefinite.
KernelEntry circular_kernel() {
    return {.name = "circular",
            .doc =
                "k(x, z) = 2/pi (acos u - u sqrt(1 - u^2)) for u = sqrt(gamma) |x - z| < 1, else 0: the "
                "overlap of two discs.",
            .reference = "Genton, Classes of kernels for machine learning, JMLR 2, 2001",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "up to 2 columns",
                      .constant_diagonal = "always",
                      .differentiable = "never"},
            .parameters = {width_parameter(
                "auto",
                "The inverse width gamma. The rules auto, median and mean find it on the training rows.")},
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(a.columns, {.text = text("circular(gamma=", a["gamma"], ")"),
                                                      .radial = {RadialFunction::circular, a["gamma"]},
                                                      .positive_semidefinite = a.column_count <= 2});
            }};
}

}  // namespace dk
