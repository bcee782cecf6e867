// SPDX-License-Identifier: Apache-2.0
// Nemenyi's test tells two of k learners apart where their mean ranks over N data sets differ by at least
//
//     CD = q sqrt(k (k + 1) / (6 N)),
//
// where q is the quantile 1 - level of the range of k normal numbers, divided by sqrt(2). The range is below
// r with the probability
//
//     P(r) = k int phi(z) [Phi(z + r) - Phi(z)]^(k - 1) dz,
//
// the integral over the least of the numbers.
//
//     letter    name
//     k, N      learners, sets
//     P(r)      range_share()
//
// J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006, section 3.2.2.
#include "pipeline/validation/rank_comparison.hpp"

#include <cmath>
#include <numbers>

namespace dk {

namespace {

constexpr double rounding = 1e-12;  // Scores that only rounding tells apart are equal.

double normal_share(double z) {
    return 0.5 * std::erfc(-z * std::numbers::sqrt2 / 2);
}

/// Computes P(range) by Simpson's rule.
double range_share(double range, Index learners) {
    constexpr int steps = 2000;
    constexpr double end = 9;
    const double width = 2 * end / steps;
    double sum = 0;
    for (int k = 0; k <= steps; ++k) {
        const double z = -end + k * width;
        const double others = std::pow(normal_share(z + range) - normal_share(z), learners - 1);
        const double weight = k == 0 || k == steps ? 1 : k % 2 == 1 ? 4 : 2;
        sum += weight * std::exp(-0.5 * z * z) * others;
    }
    return learners / std::sqrt(2 * std::numbers::pi) * sum * width / 3;
}

}  // namespace

Vector mean_ranks(const ConstMatrixRef& scores, Control& control) {
    const Index learners = scores.cols();
    Vector ranks = Vector::Zero(learners);
    for (Index set = 0; set < scores.rows(); ++set) {
        const auto own = scores.row(set).array();
        for (Index learner = 0; learner < learners; ++learner) {
            control.check();
            const double score = own[learner];
            const Index better = (own > score + rounding).count();
            const Index equal = (own >= score - rounding).count() - better - 1;
            ranks[learner] += 1 + better + 0.5 * equal;
        }
    }
    return ranks / scores.rows();
}

double critical_difference(Index learners, Index sets, double level) {
    double low = 0;
    double high = 18;  // No range is larger, as far as the integral goes.
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = 0.5 * (low + high);
        (range_share(middle, learners) < 1 - level ? low : high) = middle;
    }
    const double q = low / std::numbers::sqrt2;
    return q * std::sqrt(learners * (learners + 1.0) / (6.0 * sets));
}

}  // namespace dk
