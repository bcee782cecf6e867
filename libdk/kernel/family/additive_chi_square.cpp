// SPDX-License-Identifier: Apache-2.0
// k(x, z) = sum_j 2 x_j z_j / (x_j + z_j) compares histograms x and z, whose values are at least 0; j counts
// the columns.
//
// Vedaldi and Zisserman, Efficient additive kernels via explicit feature maps, PAMI 34, 2012.
#include "base/text.hpp"
#include "kernel/family/pair_sum_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

KernelEntry additive_chi_square_kernel() {
    return {.name = "additive_chi_square",
            .doc = "k(x, z) = sum 2 x z / (x + z) compares histograms, whose values are at least 0.",
            .reference =
                "Vedaldi and Zisserman, Efficient additive kernels via explicit feature maps, PAMI 34, 2012",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "never",
                      .differentiable = "never"},
            .make = [](const KernelArguments& a) {
                return make_pair_sum_kernel(a.columns, {"additive_chi_square", PairSum::harmonic});
            }};
}

}  // namespace dk
