// SPDX-License-Identifier: Apache-2.0
// lowrank(k, rank=100, method=..., seed=...) approximates k(x, z) by phi(x).phi(z), where phi has at most
// `rank` features. The folder kernel/lowrank has the methods that find phi; this file makes them an operator
// of the kernel language.
#include "kernel/lowrank/low_rank.hpp"

#include "kernel/language/construction.hpp"
#include "kernel/language/kernel_call.hpp"

namespace dk {

KernelEntry lowrank_operator() {
    return {
        .name = "lowrank",
        .doc = "lowrank(k, rank=100) approximates k by the products of at most that many features.",
        .facts = {.positive_semidefinite = "always", .constant_diagonal = "never", .differentiable = "never"},
        .parameters = low_rank_parameters(),
        .make = [](const Expression& call, const Columns& columns, Construction& construction) {
            const Parameters parameters = operator_parameters(entry_named(call.name, call.position), call);
            return construction.expand_learned(
                call, *call.arguments.front().expression, columns,
                [&](const KernelPointer& kernel, const Dataset& data, Control& control) {
                    return low_rank(kernel, parameters, data, control);
                },
                [&](const KernelPointer& kernel, KernelState state) {
                    return restore_low_rank(kernel, parameters, std::move(state));
                });
        }};
}

}  // namespace dk
