// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/pair_sum_kernel.hpp"

namespace dk {

KernelFamily laplacian_family() {
    return {.name = "laplacian",
            .doc = "k(x, z) = exp(-gamma sum |x - z|)",
            .reference = "",
            .data = {DataKind::dense, DataKind::sparse},
            .positive_semidefinite = "always",
            .constant_diagonal = "always",
            .parameters = {width_parameter("auto", "inverse width")},
            .positional = "",
            .make =
                [](const KernelArguments& a) {
                    return make_pair_sum_kernel(a.columns, {"laplacian", PairSum::absolute, a["gamma"]});
                },
            .found_by_rule =
                [](std::string_view, std::string_view rule, const Setting& setting, const Columns& columns) {
                    return setting.width(rule, PairSum::absolute, columns);
                }};
}

}  // namespace dk
