// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/pair_sum_kernel.hpp"

namespace dk {

KernelFamily intersection_family() {
    return {
        .name = "intersection",
        .doc = "histogram intersection: k(x, z) = sum min(x, z) of values >= 0",
        .reference = "Barla, Odone, Verri, Histogram intersection kernel for image classification, ICIP 2003",
        .data = {DataKind::dense, DataKind::sparse},
        .positive_semidefinite = "always",
        .constant_diagonal = "never",
        .parameters = {},
        .positional = "",
        .make = [](const KernelArguments& a) {
            return make_pair_sum_kernel(a.columns, {"intersection", PairSum::minimum});
        }};
}

}  // namespace dk
