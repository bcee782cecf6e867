// SPDX-License-Identifier: Apache-2.0
#include "kernel/algebra.hpp"
#include "kernel/family.hpp"

namespace dk {

KernelFamily cosine_family() {
    return {.name = "cosine",
            .doc = "the cosine of the angle between x and z: normalize(linear)",
            .reference = "",
            .data = {DataKind::dense, DataKind::sparse},
            .positive_semidefinite = "always",
            .constant_diagonal = "always",
            .parameters = {},
            .positional = "",
            .make = [](const KernelArguments& a) { return normalised(linear_family().make(a)); }};
}

}  // namespace dk
