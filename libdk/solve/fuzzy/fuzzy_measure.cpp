// SPDX-License-Identifier: Apache-2.0
// Fuzzy measures and the integrals with them:
//
//     C_g(f)  = sum_j v_j (g(A_j) - g(A_{j-1}))
//     phi_k   = sum over A without k of  |A|! (m - |A| - 1)! / m!  (g(A + k) - g(A))
//     I_jk    = sum over A without j, k of  |A|! (m - |A| - 2)! / (m - 1)!
//                                           (g(A + j + k) - g(A + j) - g(A + k) + g(A))
//
//     letter    name
//     m         g.sources
//     v, A_j    the values in descending order, `mask`
//
// G. Choquet, Theory of capacities, Annales de l'institut Fourier 5, 1954; L. S. Shapley, A value for
// n-person games, 1953; M. Grabisch, k-order additive discrete fuzzy measures, Fuzzy Sets and Systems 92,
// 1997.
#include "solve/fuzzy/fuzzy_measure.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace dk {

namespace {

constexpr std::size_t bit(Index source) {
    return std::size_t{1} << static_cast<std::size_t>(source);
}

/// Gives the share |A|! (n - |A| - 1)! / n! of orders of n in which a set of this size comes first and then
/// one that is given.
double share_of_orders(int size, int n) {
    return std::tgamma(size + 1.0) * std::tgamma(n - size + 0.0) / std::tgamma(n + 1.0);
}

}  // namespace

std::vector<Index> descending_order(std::span<const double> values) {
    std::vector<Index> order(values.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](Index k) { return values[k]; });
    return order;
}

void local_weights(const FuzzyMeasure& g, std::span<const double> values, std::span<double> out) {
    std::size_t mask = 0;
    double before = 0;
    for (const Index source : descending_order(values)) {
        mask |= bit(source);
        out[source] = g(mask) - before;
        before = g(mask);
    }
}

double choquet_integral(const FuzzyMeasure& g, std::span<const double> values) {
    std::vector<double> weights(values.size());
    local_weights(g, values, weights);
    return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0);
}

Vector shapley_values(const FuzzyMeasure& g) {
    Vector values = Vector::Zero(g.sources);
    for (std::size_t mask = 0; mask < g.all(); ++mask) {
        const double share = share_of_orders(std::popcount(mask), static_cast<int>(g.sources));
        for (Index k = 0; k < g.sources; ++k) {
            if ((mask & bit(k)) == 0) values[k] += share * (g(mask | bit(k)) - g(mask));
        }
    }
    return values;
}

Matrix interaction_indices(const FuzzyMeasure& g) {
    Matrix indices = Matrix::Zero(g.sources, g.sources);
    for (Index j = 0; j < g.sources; ++j) {
        for (Index k = 0; k < j; ++k) {
            double sum = 0;
            for (std::size_t mask = 0; mask <= g.all(); ++mask) {
                if ((mask & (bit(j) | bit(k))) != 0) continue;
                sum += share_of_orders(std::popcount(mask), static_cast<int>(g.sources) - 1) *
                       (g(mask | bit(j) | bit(k)) - g(mask | bit(j)) - g(mask | bit(k)) + g(mask));
            }
            indices(j, k) = indices(k, j) = sum;
        }
    }
    return indices;
}

void make_monotone(FuzzyMeasure& g) {
    g.worth.front() = 0;
    for (std::size_t mask = 1; mask < g.all(); ++mask) {
        for (Index k = 0; k < g.sources; ++k) {
            if ((mask & bit(k)) != 0) g.worth[mask] = std::max(g.worth[mask], g(mask & ~bit(k)));
        }
        g.worth[mask] = std::min(g.worth[mask], 1.0);
    }
    g.worth[g.all()] = 1;
}

}  // namespace dk
