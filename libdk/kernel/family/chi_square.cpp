// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/pair_sum_kernel.hpp"

namespace dk {

KernelFamily chi_square_family() {
    return {.name = "chi_square",
            .doc = "k(x, z) = exp(-gamma sum (x - z)^2 / (x + z)) of values >= 0",
            .reference = "Zhang, Marszalek, Lazebnik, Schmid, Local features and kernels, IJCV 73, 2007",
            .data = {DataKind::dense, DataKind::sparse},
            .positive_semidefinite = "always",
            .constant_diagonal = "always",
            .parameters = {width_parameter("auto", "inverse width")},
            .positional = "",
            .make =
                [](const KernelArguments& a) {
                    return make_pair_sum_kernel(a.columns, {"chi_square", PairSum::chi_square, a["gamma"]});
                },
            .found_by_rule =
                [](std::string_view, std::string_view rule, const Setting& setting, const Columns& columns) {
                    return setting.width(rule, PairSum::chi_square, columns);
                }};
}

}  // namespace dk
