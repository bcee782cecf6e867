// SPDX-License-Identifier: Apache-2.0
// each_feature(k) is a bank that has the kernel k once for every column, each of them on its column alone. A
// column that is the same in all rows tells nothing and has no kernel. each_channel(k) is another name for
// it, which fits series.
#include "kernel/language/construction.hpp"
#include "kernel/language/kernel_call.hpp"

namespace dk {

namespace {

Bank make_each_column(const Expression& call, const Columns& columns, Construction& construction) {
    const Expression& kernel = only_kernel_of(call);
    require_all_columns(call, columns);
    const std::vector<Index> varying = construction.facts().varying_columns();
    if (varying.empty())
        fail_at(call.position, "every column is the same in all rows, so no kernel tells rows apart");
    Bank kernels;
    for (const Index j : varying) append(kernels, construction.expand(kernel, {j}), kernel.position);
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
            .doc =
                "each_feature(k) is a bank that has k once for every column but those that are the same in "
                "all rows.",
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
