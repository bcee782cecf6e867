// SPDX-License-Identifier: Apache-2.0
// k(x, z) = exp(-gamma sum_j |x_j - z_j|), where j counts the columns.
//
// Chapelle, Haffner, Vapnik, Support vector machines for histogram-based image classification, IEEE
// Transactions on Neural Networks 10, 1999.
#include "base/text.hpp"
#include "kernel/family/pair_sum_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

KernelEntry laplacian_kernel() {
    return {.name = "laplacian",
            .doc = "k(x, z) = exp(-gamma sum |x - z|), the Laplacian kernel.",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "always",
                      .differentiable = "never"},
            .parameters = {parameter::inverse_width},
            .make =
                [](const KernelArguments& a) {
                    return make_pair_sum_kernel(
                        a.columns, {"laplacian", PairSum::absolute, a[parameter::inverse_width]});
                },
            .found_by_rule =
                [](std::string_view, std::string_view rule, const DataFacts& facts, const Columns& columns) {
                    return facts.width(rule, PairSum::absolute, columns);
                }};
}

}  // namespace dk
