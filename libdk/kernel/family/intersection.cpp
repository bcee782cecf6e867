// SPDX-License-Identifier: Apache-2.0
// k(x, z) = sum_j min(x_j, z_j) compares histograms x and z, whose values are at least 0; j counts the
// columns.
//
// Barla, Odone, Verri, Histogram intersection kernel for image classification, ICIP 2003.
#include "base/text.hpp"
#include "kernel/family/pair_sum_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

KernelEntry intersection_kernel() {
    return {
        .name = "intersection",
        .doc = "k(x, z) = sum min(x, z) is the intersection of histograms, whose values are at least 0.",
        .reference = "Barla, Odone, Verri, Histogram intersection kernel for image classification, ICIP 2003",
        .facts = {.data = {DataKind::dense, DataKind::sparse},
                  .positive_semidefinite = "always",
                  .constant_diagonal = "never",
                  .differentiable = "never"},
        .make = [](const KernelArguments& a) {
            return make_pair_sum_kernel(a.columns, {"intersection", PairSum::minimum});
        }};
}

}  // namespace dk
