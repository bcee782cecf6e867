// SPDX-License-Identifier: Apache-2.0
#include "rank_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace command {
namespace {

std::vector<std::size_t> positions(std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

double normal_share(double z) {
    return 0.5 * std::erfc(-z * std::numbers::sqrt2 / 2);
}

// The probability that the range of so many normal numbers is below `range`: the integral over the least of
// them, by Simpson's rule.
double range_share(double range, std::size_t count) {
    constexpr int steps = 2000;
    constexpr double end = 9;
    const double width = 2 * end / steps;
    const auto numbers = static_cast<double>(count);
    const double scale = numbers / std::sqrt(2 * std::numbers::pi);
    double sum = 0;
    for (int k = 0; k <= steps; ++k) {
        const double z = -end + k * width;
        const double others = std::pow(normal_share(z + range) - normal_share(z), numbers - 1);
        const double weight = k == 0 || k == steps ? 1 : k % 2 == 1 ? 4 : 2;
        sum += weight * std::exp(-0.5 * z * z) * others;
    }
    return scale * sum * width / 3;
}

}  // namespace

std::vector<double> mean_ranks(std::span<const std::vector<double>> scores) {
    const std::size_t learners = scores.front().size();
    std::vector<double> ranks(learners);
    for (const std::vector<double>& of_set : scores) {
        for (std::size_t a = 0; a < learners; ++a) {
            double rank = 1;
            for (std::size_t b = 0; b < learners; ++b) {
                // Scores that only rounding tells apart are equal.
                if (of_set[b] > of_set[a] + 1e-12) {
                    rank += 1;
                } else if (b != a && of_set[b] >= of_set[a] - 1e-12) {
                    rank += 0.5;
                }
            }
            ranks[a] += rank / static_cast<double>(scores.size());
        }
    }
    return ranks;
}

double critical_difference(std::size_t learners, std::size_t sets) {
    double low = 0;
    double high = 20;
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = 0.5 * (low + high);
        (range_share(middle, learners) < 0.95 ? low : high) = middle;
    }
    const auto s = static_cast<double>(learners);
    return low / std::numbers::sqrt2 * std::sqrt(s * (s + 1) / (6 * static_cast<double>(sets)));
}

std::vector<Alike> groups_not_told_apart(std::span<const double> ranks, double difference) {
    std::vector<std::size_t> order = positions(ranks.size());
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
