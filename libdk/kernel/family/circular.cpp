// SPDX-License-Identifier: Apache-2.0
// k(x, z) = 2/pi (acos u - u sqrt(1 - u^2)) where u = sqrt(gamma) |x - z| is less than 1, and 0 elsewhere.
// This is the share of a disc of diameter 1 that lies in another disc, whose centre is u away. Some texts
// print acos(-u) in place of acos u, with which the kernel is not positive semidefinite.
//
// Genton, Classes of kernels for machine learning, JMLR 2, 2001.
#include "base/text.hpp"
#include "kernel/family/radial_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

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
            .parameters = {parameter::inverse_width},
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(a.columns,
                                          {.text = text("circular(gamma=", a[parameter::inverse_width], ")"),
                                           .radial = {RadialFunction::circular, a[parameter::inverse_width]},
                                           .positive_semidefinite = a.column_count <= 2});
            }};
}

}  // namespace dk
