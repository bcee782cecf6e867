// SPDX-License-Identifier: Apache-2.0
#include "solve/simplex.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace dk {

std::vector<double> project_onto_simplex(std::span<const double> v) {
    std::vector<double> sorted(v.begin(), v.end());
    std::ranges::sort(sorted, std::ranges::greater());
    double sum = 0;
    double shift = 0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        sum += sorted[k];
        const double tried = (sum - 1) / static_cast<double>(k + 1);
        if (!(sorted[k] > tried)) break;
        shift = tried;
    }
    std::vector<double> point;
    point.reserve(v.size());
    for (const double x : v) point.push_back(std::max(x - shift, 0.0));
    return point;
}

namespace {

/// Positions by cost, the cheapest first, ties by position.
std::vector<std::size_t> by_cost(std::span<const double> costs) {
    std::vector<std::size_t> order(costs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return costs[i]; });
    return order;
}

}  // namespace

std::vector<double> cheapest_vertex(std::span<const double> costs) {
    return cheapest_equally(costs, 1);
}

std::vector<double> cheapest_equally(std::span<const double> costs, Index count) {
    const auto order = by_cost(costs);
    std::vector<double> point(costs.size());
    for (std::size_t r = 0; r < unsigned_of(count); ++r) point[order[r]] = 1 / static_cast<double>(count);
    return point;
}

std::vector<double> quadratic_simplex(std::span<const double> costs, double weight) {
    std::vector<double> scaled;
    scaled.reserve(costs.size());
    const double least = *std::ranges::min_element(costs);
    for (const double c : costs) scaled.push_back((least - c) / weight);
    return project_onto_simplex(scaled);
}

double quadratic_weight(std::span<const double> costs, Index count) {
    const auto order = by_cost(costs);
    const auto last = unsigned_of(std::min(count, size_of(costs) - 1));
    double weight = 0;
    for (std::size_t r = 0; r < last; ++r) weight += costs[order[last]] - costs[order[r]];
    // all shall stay: twice what would leave out the dearest; where costs are equal any weight does
    weight *= count >= size_of(costs) ? 2 : 1 - 1e-12;  // rounding shall not let another one in
    return weight > 0 ? weight : 1;
}

}  // namespace dk
