// SPDX-License-Identifier: Apache-2.0
// k(x, z) = exp(-gamma sum_j (x_j - z_j)^2 / (x_j + z_j)) compares histograms x and z, whose values are at
// least 0; j counts the columns.
//
// Zhang, Marszalek, Lazebnik, Schmid, Local features and kernels, IJCV 73, 2007.
#include "base/text.hpp"
#include "kernel/family/pair_sum_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

KernelEntry chi_square_kernel() {
    return {
        .name = "chi_square",
        .doc =
            "k(x, z) = exp(-gamma sum (x - z)^2 / (x + z)) compares histograms, whose values are at least 0.",
        .reference = "Zhang, Marszalek, Lazebnik, Schmid, Local features and kernels, IJCV 73, 2007",
        .facts = {.data = {DataKind::dense, DataKind::sparse},
                  .positive_semidefinite = "always",
                  .constant_diagonal = "always",
                  .differentiable = "never"},
        .parameters = {parameter::inverse_width},
        .make =
            [](const KernelArguments& a) {
                return make_pair_sum_kernel(a.columns,
                                            {"chi_square", PairSum::chi_square, a[parameter::inverse_width]});
            },
        .found_by_rule =
            [](std::string_view, std::string_view rule, const DataFacts& facts, const Columns& columns) {
                return facts.width(rule, PairSum::chi_square, columns);
            }};
}

}  // namespace dk
