// SPDX-License-Identifier: Apache-2.0
// k(x, z) = x.z / (|x| |z|) is the cosine of the angle between x and z: the linear kernel, cosine-normalised.
#include "kernel/algebra/algebra.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

KernelEntry cosine_kernel() {
    return {.name = "cosine",
            .doc = "k(x, z) = x.z / (|x| |z|), the cosine of the angle between x and z.",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "always",
                      .differentiable = "never"},
            .make = [](const KernelArguments& a) {
                return normalised(std::get<MakeKernel>(find_entry("linear")->make)(a));
            }};
}

}  // namespace dk
