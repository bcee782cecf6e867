// SPDX-License-Identifier: Apache-2.0
// k(x, z) = exp(-gamma |x - z|^2), the Gaussian.
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
            .parameters = {width_parameter(
                "auto",
                "The inverse width gamma. The rules auto, median and mean find it on the training rows.")},
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(a.columns, {.text = text("rbf(gamma=", a["gamma"], ")"),
                                                      .radial = {RadialFunction::gaussian, a["gamma"]}});
            }};
}

}  // namespace dk
