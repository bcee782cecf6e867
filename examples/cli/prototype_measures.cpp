// SPDX-License-Identifier: Apache-2.0
// Purity and compactness are those of
//
//     Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation
//     and feature selection, CIKM 2019, section 5.2.
//
// A convex combination p = sum_s c_s Phi(x_s) of rows of length 1 has
//
//     sum_s c_s |Phi(x_s) - p|^2 = 1 - |p|^2,
//
// so its distances to rows tell its length, and the prototype of length 1 is u = c / |p|, with
//
//     sum_st u_s u_t |Phi(x_s) - Phi(x_t)|^2 = 2 (1 / |p|^2 - 1).
//
// The stability of M subsets of d features, which select feature f in a share p_f and k features on average,
// is
//
//     1 - [ 1/d sum_f M / (M - 1) p_f (1 - p_f) ] / [ k/d (1 - k/d) ]
//
// by Nogueira, Sechidis, Brown, On the stability of feature selection algorithms, JMLR 18, 2018,
// definition 4.
#include "prototype_measures.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace command {
namespace {

std::vector<int64_t> intersection(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
    std::vector<int64_t> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

std::optional<double> jaccard_of_shared(const ChosenRows& a, const ChosenRows& b) {
    const std::vector<int64_t> shared = intersection(a.rows, b.rows);
    const std::vector<int64_t> of_a = intersection(a.chosen, shared);
    const std::vector<int64_t> of_b = intersection(b.chosen, shared);
    const size_t both = intersection(of_a, of_b).size();
    const size_t any = of_a.size() + of_b.size() - both;
    if (any == 0) return std::nullopt;
    return static_cast<double>(both) / static_cast<double>(any);
}

}  // namespace

std::optional<double> purity(std::span<const double> coefficients, std::span<const int64_t> labels) {
    std::map<int64_t, double> mass_of;
    double mass = 0;
    for (size_t i = 0; i < coefficients.size(); ++i) {
        mass_of[labels[i]] += std::abs(coefficients[i]);
        mass += std::abs(coefficients[i]);
    }
    if (mass == 0) return std::nullopt;
    double largest = 0;
    for (const auto& of_class : mass_of) largest = std::max(largest, of_class.second);
    return largest / mass;
}

std::optional<double> compactness(std::span<const double> coefficients, std::span<const double> distances,
                                  bool unit_rows) {
    constexpr double kRounding = 1e-6;  // Coefficients of models have sums that are exact to this.
    const auto made_of =
        std::count_if(coefficients.begin(), coefficients.end(), [](double c) { return c != 0; });
    const bool negative =
        std::any_of(coefficients.begin(), coefficients.end(), [](double c) { return c < 0; });
    if (made_of == 0 || negative) return std::nullopt;
    if (made_of == 1) return 1.0;
    double sum = 0;
    for (const double c : coefficients) sum += c;
    if (!unit_rows || distances.size() != coefficients.size() || std::abs(sum - 1) > kRounding)
        return std::nullopt;
    double squared_length = 1;
    for (size_t i = 0; i < coefficients.size(); ++i)
        squared_length -= coefficients[i] * distances[i] * distances[i];
    if (squared_length <= 0) return std::nullopt;
    return std::exp(-2 * std::max(0.0, 1 / squared_length - 1));
}

std::optional<double> row_stability(std::span<const ChosenRows> halves) {
    double sum = 0;
    double pairs = 0;
    for (size_t a = 0; a < halves.size(); ++a) {
        for (size_t b = 0; b < a; ++b) {
            const std::optional<double> index = jaccard_of_shared(halves[a], halves[b]);
            if (!index) continue;
            sum += *index;
            pairs += 1;
        }
    }
    if (pairs == 0) return std::nullopt;
    return sum / pairs;
}

std::optional<double> selection_stability(std::span<const std::vector<bool>> subsets) {
    if (subsets.size() < 2) return std::nullopt;
    const auto count = static_cast<double>(subsets.size());
    const size_t features = subsets[0].size();
    double variance = 0;
    double selected = 0;  // This is k/d.
    for (size_t f = 0; f < features; ++f) {
        const auto times =
            std::count_if(subsets.begin(), subsets.end(), [&](const std::vector<bool>& s) { return s[f]; });
        const double share = static_cast<double>(times) / count;
        variance += count / (count - 1) * share * (1 - share) / static_cast<double>(features);
        selected += share / static_cast<double>(features);
    }
    const double by_chance = selected * (1 - selected);
    // The mean of shares that are all 1 may miss 1 by rounding.
    if (variance == 0 && std::min(selected, 1 - selected) < 1e-12) return std::nullopt;
    return 1 - variance / by_chance;
}

}  // namespace command
