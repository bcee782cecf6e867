// SPDX-License-Identifier: Apache-2.0
#include "model/decision/decision_rule.hpp"

#include <algorithm>
#include <cmath>

#include "matrix/matrix.hpp"
#include "model/decision/sigmoid_fit.hpp"

namespace dk {

namespace {

/// Beyond this, sums of distances would be no numbers.
constexpr double farthest = 1e300;

/// Calls body(function, a, b) for each pair of one_vs_one.
template <typename Body>
void for_pairs(Index classes, Body body) {
    Index function = 0;
    for (Index a = 0; a < classes; ++a) {
        for (Index b = a + 1; b < classes; ++b) body(function++, a, b);
    }
}

/// Finds the class probabilities p that agree best with the probabilities r(a, b) = P(a | a or b) of pairs:
///     min sum over pairs a != b of (r(b, a) p_a - r(a, b) p_b)^2 on the simplex,
/// which is min p' Q p, where r(a, a) = 0, by the fixed-point iteration of Wu, Lin, Weng (2004).
void couple_pairs(const ConstMatrixRef& r, VectorRef p) {
    const Index classes = r.rows();
    Matrix Q(classes, classes);
    for (Index a = 0; a < classes; ++a) {
        for (Index b = 0; b < classes; ++b) Q(a, b) = a == b ? r.col(a).squaredNorm() : -r(b, a) * r(a, b);
    }
    Vector Qp(classes);
    p.setConstant(1.0 / classes);
    for (int iteration = 0; iteration < 100; ++iteration) {
        Qp.noalias() = Q * p;
        double pQp = p.dot(Qp);
        if ((Qp.array() - pQp).abs().maxCoeff() < 1e-10) return;
        for (Index a = 0; a < classes; ++a) {
            const double step = (pQp - Qp(a)) / Q(a, a);
            p(a) += step;
            pQp = (pQp + step * (step * Q(a, a) + 2 * Qp(a))) / ((1 + step) * (1 + step));
            Qp = (Qp + step * Q.col(a)) / (1 + step);
            p /= 1 + step;
        }
    }
}

}  // namespace

std::string_view name_of(DecisionRule rule) {
    switch (rule) {
        case DecisionRule::binary:
            return "binary";
        case DecisionRule::one_vs_one:
            return "ovo";
        case DecisionRule::one_vs_rest:
            return "ovr";
        case DecisionRule::largest:
            return "largest";
        case DecisionRule::labels:
            return "labels";
        case DecisionRule::regression:
            return "regression";
    }
    return "";
}

std::vector<FunctionSides> function_sides(DecisionRule rule, Index classes) {
    std::vector<FunctionSides> sides;
    if (rule == DecisionRule::binary) sides.push_back({1, 0});
    if (rule == DecisionRule::one_vs_one)
        for_pairs(classes, [&](Index, Index a, Index b) { sides.push_back({a, b}); });
    if (rule == DecisionRule::one_vs_rest || rule == DecisionRule::largest || rule == DecisionRule::labels) {
        for (Index c = 0; c < classes; ++c) sides.push_back({c, -1});
    }
    return sides;
}

Index decision_count(DecisionRule rule, Index classes) {
    if (rule == DecisionRule::binary || rule == DecisionRule::regression) return 1;
    return rule == DecisionRule::one_vs_one ? classes * (classes - 1) / 2 : classes;
}

void class_scores(DecisionRule rule, Index classes, std::span<const double> decisions,
                  std::span<const double> norms, std::span<double> scores) {
    const auto distance = [&](Index f) {
        return std::clamp(norms[f] > 0 ? decisions[f] / norms[f] : decisions[f], -farthest, farthest);
    };
    if (rule == DecisionRule::binary) {
        scores[0] = 0;
        scores[1] = decisions[0];
        return;
    }
    if (rule == DecisionRule::one_vs_rest) {
        for (Index c = 0; c < classes; ++c) scores[c] = distance(c);
        return;
    }
    if (rule == DecisionRule::largest || rule == DecisionRule::labels) {
        std::ranges::copy(decisions, scores.begin());
        return;
    }
    // A score is a number of votes, and a part below one half orders classes of equal votes by the sums of
    // their distances. Among the classes that lead, these sums go over the pairs of these classes alone.
    // Factors of 0 and 1 stand for conditions, which processors would guess wrongly half of the time.
    std::ranges::fill(scores, 0.0);
    for_pairs(classes, [&](Index f, Index a, Index b) {
        const double for_a = decisions[f] >= 0 ? 1 : 0;
        scores[a] += for_a;
        scores[b] += 1 - for_a;
    });
    const double leading = std::ranges::max(scores);
    std::vector<double> leads(classes);
    std::vector<double> summed(classes);
    for (Index c = 0; c < classes; ++c) leads[c] = scores[c] == leading ? 1 : 0;
    for_pairs(classes, [&](Index f, Index a, Index b) {
        const double apart = distance(f);
        summed[a] += (1 - leads[a] * (1 - leads[b])) * apart;
        summed[b] -= (1 - leads[b] * (1 - leads[a])) * apart;
    });
    for (Index c = 0; c < classes; ++c) scores[c] += 0.5 * summed[c] / (1 + std::abs(summed[c]));
}

void ranking_scores(DecisionRule rule, Index classes, std::span<const double> decisions,
                    std::span<const double> norms, std::span<double> scores) {
    class_scores(rule, classes, decisions, norms, scores);
    if (rule != DecisionRule::one_vs_one) return;
    // The part stays below one half, so that no rounding takes it to the next number of votes.
    constexpr double most = 0.49;
    std::vector<double> votes(classes);
    std::vector<double> summed(classes);
    for_pairs(classes, [&](Index f, Index a, Index b) {
        votes[decisions[f] >= 0 ? a : b] += 1;
        const double apart = std::clamp(decisions[f], -farthest, farthest);
        summed[a] += apart;
        summed[b] -= apart;
    });
    const double leading = std::ranges::max(votes);
    const bool tie = std::ranges::count(votes, leading) > 1;
    for (Index c = 0; c < classes; ++c) {
        // Among classes that lead together distances decide, as they elect.
        const double part =
            tie && votes[c] == leading ? 2 * (scores[c] - votes[c]) : summed[c] / (1 + std::abs(summed[c]));
        scores[c] = votes[c] + most * part;
    }
}

Index first_largest(std::span<const double> values) {
    return std::ranges::max_element(values) - values.begin();
}

void class_probabilities(DecisionRule rule, Index classes, std::span<const double> decisions,
                         const Calibration& calibration, std::span<double> probabilities) {
    const auto positive = [&](Index f) {
        return probability_of_positive({calibration.slopes[f], calibration.offsets[f]}, decisions[f]);
    };
    if (rule == DecisionRule::binary) {
        probabilities[1] = positive(0);
        probabilities[0] = 1 - probabilities[1];
        return;
    }
    if (rule == DecisionRule::labels) {
        for (Index c = 0; c < classes; ++c) probabilities[c] = positive(c);
        return;
    }
    if (rule != DecisionRule::one_vs_one) {
        double sum = 0;
        for (Index c = 0; c < classes; ++c) sum += probabilities[c] = positive(c);
        for (double& p : probabilities) p = sum > 0 ? p / sum : 1.0 / classes;
        return;
    }
    Matrix pairs = Matrix::Zero(classes, classes);
    for_pairs(classes, [&](Index f, Index a, Index b) {
        const double p = std::clamp(positive(f), 1e-7, 1 - 1e-7);
        pairs(a, b) = p;
        pairs(b, a) = 1 - p;
    });
    couple_pairs(pairs, as_vector(probabilities));
}

}  // namespace dk
