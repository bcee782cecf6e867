// SPDX-License-Identifier: Apache-2.0
#include "solve/box_program.hpp"

#include <algorithm>

namespace dk {

BoxProgram zero_program(GramSource& gram, Index variables) {
    const std::vector<double> zeros(unsigned_of(variables));
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
        if (b[unsigned_of(t)] == 0) continue;
        rows.push_back(program.row(t));
        weights.push_back(b[unsigned_of(t)]);
    }
    std::vector<double> product(unsigned_of(program.gram.size()));
    if (!rows.empty()) program.gram.add_product(rows, weights, product, control);
    return product;
}

std::array<double, 2> group_sums(const BoxProgram& program, std::span<const double> b) {
    std::array<double, 2> sums{};
    for (Index t = 0; t < program.size(); ++t) sums[program.group(t)] += b[unsigned_of(t)];
    return sums;
}

void restore_sums(const BoxProgram& program, std::span<double> b) {
    const auto wanted = group_sums(program, program.start);
    auto excess = group_sums(program, b);
    for (std::size_t g = 0; g < excess.size(); ++g) excess[g] -= wanted[g];
    const auto shift = [&](std::size_t t) {
        double& left = excess[program.group(static_cast<Index>(t))];
        const double moved = std::clamp(b[t] - left, program.lower[t], program.upper[t]);
        left -= b[t] - moved;
        b[t] = moved;
    };
    for (std::size_t t = 0; t < b.size(); ++t) {  // whose gradients are those of the sums' multipliers
        if (b[t] > program.lower[t] && b[t] < program.upper[t]) shift(t);
    }
    for (std::size_t t = 0; t < b.size(); ++t) shift(t);
}

}  // namespace dk
