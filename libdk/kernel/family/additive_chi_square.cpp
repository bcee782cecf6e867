// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/pair_sum_kernel.hpp"

namespace dk {

KernelFamily additive_chi_square_family() {
    return {.name = "additive_chi_square",
            .doc = "k(x, z) = sum 2 x z / (x + z) of values >= 0",
            .reference =
                "Vedaldi and Zisserman, Efficient additive kernels via explicit feature maps, PAMI 34, 2012",
            .data = {DataKind::dense, DataKind::sparse},
            .positive_semidefinite = "always",
            .constant_diagonal = "never",
            .parameters = {},
            .positional = "",
            .make = [](const KernelArguments& a) {
                return make_pair_sum_kernel(a.columns, {"additive_chi_square", PairSum::harmonic});
            }};
}

}  // namespace dk
