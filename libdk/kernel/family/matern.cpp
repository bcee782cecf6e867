// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernel/family.hpp"
#include "kernel/radial_kernel.hpp"

namespace dk {

namespace {

RadialFunction function_of(double smoothness) {
    if (smoothness == 0.5) return RadialFunction::matern12;
    if (smoothness == 1.5) return RadialFunction::matern32;
    if (smoothness == 2.5) return RadialFunction::matern52;
    fail(Status::invalid_kernel, "matern: nu = ", smoothness, " is not allowed; it must be 0.5, 1.5 or 2.5");
}

}  // namespace

KernelFamily matern_family() {
    return {
        .name = "matern",
        .doc =
            "Matern of smoothness nu = 0.5, 1.5 or 2.5; gamma = 1 / (2 length^2), so that infinite nu is rbf",
        .reference = "Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2",
        .data = {DataKind::dense, DataKind::sparse},
        .positive_semidefinite = "always",
        .constant_diagonal = "always",
        .parameters = {width_parameter("auto", "inverse width, 1 / (2 length^2)"),
                       real_parameter("nu", 1.5, 0.5, 2.5, "smoothness: 0.5, 1.5 or 2.5")},
        .positional = "",
        .make = [](const KernelArguments& a) {
            return make_radial_kernel(a.columns,
                                      {.text = text("matern(gamma=", a["gamma"], ", nu=", a["nu"], ")"),
                                       .radial = {function_of(a["nu"]), a["gamma"]}});
        }};
}

}  // namespace dk
