// SPDX-License-Identifier: Apache-2.0
// k(x, z) = exp(-gamma |x - z|^2) is the Gaussian kernel, also called radial basis function.
//
// Boser, Guyon, Vapnik, A training algorithm for optimal margin classifiers, COLT 1992.
#include "base/text.hpp"
#include "kernel/family/radial_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

KernelEntry rbf_kernel() {
    return {.name = "rbf",
            .doc = "k(x, z) = exp(-gamma |x - z|^2), the Gaussian kernel.",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "always",
                      .differentiable = "always"},
            .parameters = {parameter::inverse_width},
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(
                    a.columns, {.text = text("rbf(gamma=", a[parameter::inverse_width], ")"),
                                .radial = {RadialFunction::gaussian, a[parameter::inverse_width]}});
            }};
}

}  // namespace dk
