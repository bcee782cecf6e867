// SPDX-License-Identifier: Apache-2.0
#include "solve/smooth/simplex.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "matrix/matrix.hpp"

namespace dk {

/// The projection is max(v - shift, 0). With v sorted from the largest on, shift = (v_1 + ... + v_k - 1) / k
/// for the largest k with v_k > shift (Held, Wolfe, Crowder, Validation of subgradient optimization, Math.
/// Prog. 6, 1974).
std::vector<double> project_onto_simplex(std::span<const double> v) {
    std::vector<double> sorted(v.begin(), v.end());
    std::ranges::sort(sorted, std::ranges::greater());
    double sum = 0;
    double shift = 0;
    for (Index k = 1; k <= std::ssize(sorted); ++k) {
        const double largest_k = sorted[k - 1];
        sum += largest_k;
        const double tried = (sum - 1) / k;
        if (!(largest_k > tried)) break;
        shift = tried;
    }
    std::vector<double> point(v.size());
    as_vector(point) = (as_vector(v).array() - shift).max(0.0);
    return point;
}

namespace {

/// Gives the positions by cost, the cheapest first; equal ones keep their order.
std::vector<Index> by_cost(std::span<const double> costs) {
    std::vector<Index> order(costs.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index i) { return costs[i]; });
    return order;
}

}  // namespace

std::vector<double> cheapest_vertex(std::span<const double> costs) {
    return cheapest_equally(costs, 1);
}

std::vector<double> cheapest_equally(std::span<const double> costs, Index count) {
    const auto order = by_cost(costs);
    std::vector<double> point(costs.size());
    for (Index r = 0; r < count; ++r) point[order[r]] = 1.0 / count;
    return point;
}

/// The objective c'x + weight / 2 |x|^2 is weight / 2 |x + c / weight|^2 but for a constant, so the solution
/// is the projection of -c / weight. The least cost is subtracted from all, which changes no solution on the
/// simplex and lessens the rounding.
std::vector<double> quadratic_simplex(std::span<const double> costs, double weight) {
    const ConstVectorView c = as_vector(costs);
    const Vector scaled = (c.minCoeff() - c.array()) / weight;
    return project_onto_simplex(as_span(scaled));
}

double quadratic_weight(std::span<const double> costs, Index count) {
    const auto order = by_cost(costs);
    const Index last = std::min(count, std::ssize(costs) - 1);
    double weight = 0;
    for (Index r = 0; r < last; ++r) weight += costs[order[last]] - costs[order[r]];
    // Where all shall stay, the weight is twice the one that would leave out the dearest. Elsewhere it is a
    // little below the limit, so that rounding lets no other one in. Equal costs allow any weight.
    weight *= count >= std::ssize(costs) ? 2 : 1 - 1e-12;
    return weight > 0 ? weight : 1;
}

}  // namespace dk
