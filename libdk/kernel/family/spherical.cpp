// SPDX-License-Identifier: Apache-2.0
// k(x, z) = 1 - 3/2 u + 1/2 u^3 where u = sqrt(gamma) |x - z| is less than 1, and 0 elsewhere. This is the
// share of a ball of diameter 1 that lies in another ball, whose centre is u away.
//
// Genton, Classes of kernels for machine learning, JMLR 2, 2001.
#include "base/text.hpp"
#include "kernel/family/radial_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

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
            .parameters = {parameter::inverse_width},
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(a.columns,
                                          {.text = text("spherical(gamma=", a[parameter::inverse_width], ")"),
                                           .radial = {RadialFunction::spherical, a[parameter::inverse_width]},
                                           .positive_semidefinite = a.column_count <= 3});
            }};
}

}  // namespace dk
