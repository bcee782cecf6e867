// SPDX-License-Identifier: Apache-2.0
// This file draws rows at random: `count` different ones that are all as likely, and one by given weights.
// The methods that choose landmarks by the data have files of their own (pivoted_landmarks.cpp,
// centre_landmarks.cpp).
#include "kernel/lowrank/landmarks.hpp"

#include <algorithm>
#include <numeric>

namespace dk {

std::vector<Index> uniform_landmarks(Index rows, Index count, std::uint64_t seed) {
    std::vector<Index> all(rows);
    std::iota(all.begin(), all.end(), Index{0});
    Random(seed).shuffle(std::span(all));
    all.resize(std::min(rows, count));
    std::ranges::sort(all);
    return all;
}

Index draw_by_weight(const Vector& weights, double sum, Random& random) {
    double rest = random.uniform() * sum;
    Index last = 0;
    for (Index i = 0; i < weights.size(); ++i) {
        if (weights(i) <= 0) continue;
        last = i;
        rest -= weights(i);
        if (rest < 0) break;
    }
    return last;
}

}  // namespace dk
