// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/radial_kernel.hpp"

namespace dk {

KernelFamily rbf_family() {
    return {.name = "rbf",
            .doc = "Gaussian: k(x, z) = exp(-gamma |x - z|^2)",
            .reference = "",
            .data = {DataKind::dense, DataKind::sparse},
            .positive_semidefinite = "always",
            .constant_diagonal = "always",
            .parameters = {width_parameter("auto", "inverse width")},
            .positional = "",
            .make = [](const KernelArguments& a) {
                return make_radial_kernel(a.columns, {.text = text("rbf(gamma=", a["gamma"], ")"),
                                                      .radial = {RadialFunction::gaussian, a["gamma"]}});
            }};
}

}  // namespace dk
