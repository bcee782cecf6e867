// SPDX-License-Identifier: Apache-2.0
#include "solve/box/box_program.hpp"

#include <algorithm>

namespace dk {

BoxProgram zero_program(GramMatrix& gram, Index variables) {
    const std::vector<double> zeros(variables);
    return {.gram = gram,
            .rows = {},
            .linear = zeros,
            .lower = zeros,
            .upper = zeros,
            .ridge = {},
            .start = zeros,
            .in_second = {},
            .start_product = {}};
}

std::vector<double> gram_product(const BoxProgram& program, std::span<const double> b, Control& control) {
    std::vector<Index> rows;
    std::vector<double> weights;
    for (Index t = 0; t < program.size(); ++t) {
        if (b[t] == 0) continue;
        rows.push_back(program.row(t));
        weights.push_back(b[t]);
    }
    std::vector<double> product(program.gram.size());
    if (!rows.empty()) program.gram.add_product(rows, weights, product, control);
    return product;
}

std::array<double, 2> group_sums(const BoxProgram& program, std::span<const double> b) {
    std::array<double, 2> sums{};
    for (Index t = 0; t < program.size(); ++t) sums[program.group(t)] += b[t];
    return sums;
}

void restore_sums(const BoxProgram& program, std::span<double> b) {
    const auto wanted = group_sums(program, program.start);
    auto excess = group_sums(program, b);
    for (std::size_t g = 0; g < excess.size(); ++g) excess[g] -= wanted[g];
    const auto shift = [&](Index t) {
        double& left = excess[program.group(t)];
        const double moved = std::clamp(b[t] - left, program.lower[t], program.upper[t]);
        left -= b[t] - moved;
        b[t] = moved;
    };
    // Free variables are shifted first: near the optimum their gradients are all but equal, so a shift of
    // theirs costs hardly more than the change of the sum itself.
    for (Index t = 0; t < program.size(); ++t) {
        if (b[t] > program.lower[t] && b[t] < program.upper[t]) shift(t);
    }
    for (Index t = 0; t < program.size(); ++t) shift(t);
}

}  // namespace dk
