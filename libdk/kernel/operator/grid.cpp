// SPDX-License-Identifier: Apache-2.0
// grid(rbf, gamma=a:b:c, ...) is a bank that has the kernel once for every combination of the values in the
// lists.
#include <map>

#include "kernel/language/construction.hpp"
#include "kernel/language/kernel_call.hpp"

namespace dk {

namespace {

/// The number of combinations of the lists. Throws Error(invalid_kernel) where an argument is no list, or
/// where there are too many combinations.
std::size_t count_combinations(std::span<const Argument> lists) {
    std::size_t combinations = 1;
    for (const Argument& list : lists) {
        if (list.key.empty()) fail_at(list.position, "expected key=a:b:c");
        combinations *= list.values.size();
        if (combinations > largest_bank) fail_at(list.position, "the grid is too large");
    }
    return combinations;
}

/// The combination of values with a number, where the last list runs fastest.
std::map<std::string, WrittenValue> combination_of(std::span<const Argument> lists, std::size_t number) {
    std::map<std::string, WrittenValue> chosen;
    for (std::size_t a = lists.size(); a-- > 0;) {
        const auto& values = lists[a].values;
        chosen[lists[a].key] = values[number % values.size()];
        number /= values.size();
    }
    return chosen;
}

Bank make_grid(const Expression& call, const Columns& columns, Construction& construction) {
    if (call.arguments.size() < 2 || !call.arguments.front().expression ||
        call.arguments.front().expression->kind != Expression::Kind::call)
        fail_at(call.position, "grid takes a kernel's name and lists: grid(rbf, gamma=0.1:1:10)");
    Expression prototype = *call.arguments.front().expression;
    const KernelEntry& entry = entry_named(prototype.name, prototype.position);
    if (entry.is_operator()) fail_at(prototype.position, "grid takes a kernel's name, not an operator's");
    const auto lists = std::span(call.arguments).subspan(1);
    const std::size_t combinations = count_combinations(lists);
    prototype.arguments.insert(prototype.arguments.end(), lists.begin(), lists.end());
    Bank kernels;
    for (std::size_t c = 0; c < combinations; ++c) {
        kernels.push_back(
            make_called_kernel(entry, prototype, columns, combination_of(lists, c), construction.facts()));
    }
    return kernels;
}

}  // namespace

KernelEntry grid_operator() {
    return {.name = "grid",
            .doc = "grid(rbf, gamma=0.1:1:10) is a bank with one kernel for every combination of the values.",
            .facts = {.positive_semidefinite = "when the kernel is",
                      .constant_diagonal = "when the kernel has one",
                      .differentiable = "when the kernel is"},
            .make = make_grid};
}

}  // namespace dk
