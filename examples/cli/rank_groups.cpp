// SPDX-License-Identifier: Apache-2.0
#include "rank_groups.hpp"

#include <algorithm>
#include <numeric>

namespace command {

std::vector<Alike> groups_not_told_apart(std::span<const double> ranks, double difference) {
    std::vector<std::size_t> order(ranks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
    std::vector<Alike> groups;
    std::size_t covered = 0;  // the end of the last group
    for (std::size_t begin = 0; begin < order.size(); ++begin) {
        std::size_t end = begin + 1;
        while (end < order.size() && ranks[order[end]] - ranks[order[begin]] < difference) ++end;
        if (end - begin < 2 || end <= covered) continue;
        covered = end;
        groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(begin),
                            order.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return groups;
}

}  // namespace command
