// SPDX-License-Identifier: Apache-2.0
// each_feature(k) is a bank that has the kernel k once for every column, each of them on its column alone.
// each_channel(k) is another name for it, which fits series.
#include "kernel/language/construction.hpp"
#include "kernel/language/kernel_call.hpp"

namespace dk {

namespace {

Bank make_each_column(const Expression& call, const Columns& columns, Construction& construction) {
    const Expression& kernel = only_kernel_of(call);
    require_all_columns(call, columns);
    Bank kernels;
    for (Index j = 0; j < construction.facts().column_count({}); ++j)
        append(kernels, construction.expand(kernel, {j}), kernel.position);
    return kernels;
}

KernelFacts facts_of_each(std::vector<DataKind> data) {
    return {.data = std::move(data),
            .positive_semidefinite = "when k is",
            .constant_diagonal = "when k has one",
            .differentiable = "when k is"};
}

}  // namespace

KernelEntry each_feature_operator() {
    return {.name = "each_feature",
            .doc = "each_feature(k) is a bank that has k once for every column.",
            .facts = facts_of_each({DataKind::dense, DataKind::sparse, DataKind::series}),
            .make = make_each_column};
}

KernelEntry each_channel_operator() {
    return {.name = "each_channel",
            .doc = "each_channel(k) is a bank that has k once for every channel of the series.",
            .facts = facts_of_each({DataKind::dense, DataKind::sparse, DataKind::series}),
            .make = make_each_column};
}

}  // namespace dk
