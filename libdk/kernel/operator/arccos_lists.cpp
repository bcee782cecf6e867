// SPDX-License-Identifier: Apache-2.0
// arccos_lists(L) is a bank that has an arc-cosine kernel for every list of 1 to L different degrees from 0
// to 3, in every order. Work on deep kernels compares these kernels. Short lists come first.
//
//   formula     code
//   L           layers
//
// Cho, Saul, Kernel methods for deep learning, NIPS 2009.
#include <algorithm>

#include "kernel/language/construction.hpp"
#include "kernel/language/kernel_call.hpp"

namespace dk {

namespace {

using Degrees = std::vector<double>;

/// Every list of different degrees that has 1 to `layers` entries.
std::vector<Degrees> degree_lists(int layers) {
    std::vector<Degrees> all;
    std::vector<Degrees> last{{}};
    for (int layer = 0; layer < layers; ++layer) {
        std::vector<Degrees> longer;
        for (const auto& list : last) {
            for (const double degree : {0.0, 1.0, 2.0, 3.0}) {
                if (std::ranges::find(list, degree) != list.end()) continue;
                longer.push_back(list);
                longer.back().push_back(degree);
            }
        }
        all.insert(all.end(), longer.begin(), longer.end());
        last = std::move(longer);
    }
    return all;
}

/// The syntax tree of the call arccos(degrees).
Expression arccos_call(const Degrees& degrees, Index position) {
    Expression call{.kind = Expression::Kind::call, .name = "arccos", .position = position};
    for (const double degree : degrees) {
        Argument argument;
        argument.values.push_back({.number = degree});
        call.arguments.push_back(std::move(argument));
    }
    return call;
}

Bank make_arccos_lists(const Expression& call, const Columns& columns, Construction& construction) {
    const bool one = call.arguments.size() == 1 && call.arguments.front().key.empty() &&
                     !call.arguments.front().values.empty();
    const double written = one ? only_value(call.arguments.front()).number : 0;
    int layers = 0;
    for (const int allowed : {1, 2, 3, 4}) {
        if (written == allowed) layers = allowed;
    }
    if (layers == 0) fail_at(call.position, "arccos_lists takes the largest number of layers, 1 to 4");
    Bank kernels;
    for (const Degrees& degrees : degree_lists(layers))
        append(kernels, construction.expand(arccos_call(degrees, call.position), columns), call.position);
    return kernels;
}

}  // namespace

KernelEntry arccos_lists_operator() {
    return {.name = "arccos_lists",
            .doc = "arccos_lists(3) is a bank that has arccos with every list of 1 to 3 different degrees.",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "when a degree is 0",
                      .differentiable = "never"},
            .positional = "The largest number of layers is 1 to 4.",
            .make = make_arccos_lists};
}

}  // namespace dk
