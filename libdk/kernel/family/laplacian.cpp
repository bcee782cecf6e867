// SPDX-License-Identifier: Apache-2.0
// k(x, z) = exp(-gamma sum_j |x_j - z_j|).
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
            .parameters = {width_parameter(
                "auto",
                "The inverse width gamma. The rules auto, median and mean find it on the training rows.")},
            .make =
                [](const KernelArguments& a) {
                    return make_pair_sum_kernel(a.columns, {"laplacian", PairSum::absolute, a["gamma"]});
                },
            .found_by_rule =
                [](std::string_view, std::string_view rule, const DataFacts& facts, const Columns& columns) {
                    return facts.width(rule, PairSum::absolute, columns);
                }};
}

}  // namespace dk
