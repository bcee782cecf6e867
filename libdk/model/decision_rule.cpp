// SPDX-License-Identifier: Apache-2.0
#include "model/decision_rule.hpp"

#include <algorithm>
#include <cmath>

namespace dk {

namespace {

/// Runs body(function, a, b) over the pairs of one-vs-one.
template <typename Body>
void for_pairs(Index classes, Body body) {
    Index function = 0;
    for (Index a = 0; a < classes; ++a) {
        for (Index b = a + 1; b < classes; ++b) body(function++, a, b);
    }
}

/// 1 / (1 + exp(x)) without overflow.
double falling_sigmoid(double x) {
    return x >= 0 ? std::exp(-x) / (1 + std::exp(-x)) : 1 / (1 + std::exp(x));
}

/// p minimising sum over pairs of (r_ba p_a - r_ab p_b)^2 on the simplex, by the fixed-point
/// iteration of the paper; r(a, b) = P(a | a or b).
void couple_pairs(Index classes, std::span<const double> r, std::span<double> p) {
    const auto at = [classes](Index a, Index b) { return unsigned_of(a * classes + b); };
    std::vector<double> q(r.size());
    for (Index a = 0; a < classes; ++a) {
        for (Index b = 0; b < classes; ++b) {
            if (a == b) continue;
            q[at(a, a)] += r[at(b, a)] * r[at(b, a)];
            q[at(a, b)] = -r[at(b, a)] * r[at(a, b)];
        }
    }
    std::ranges::fill(p, 1 / static_cast<double>(classes));
    std::vector<double> product(unsigned_of(classes));
    for (int iteration = 0; iteration < 100; ++iteration) {
        double quadratic = 0;
        for (Index a = 0; a < classes; ++a) {
            product[unsigned_of(a)] = 0;
            for (Index b = 0; b < classes; ++b) product[unsigned_of(a)] += q[at(a, b)] * p[unsigned_of(b)];
            quadratic += p[unsigned_of(a)] * product[unsigned_of(a)];
        }
        double worst = 0;
        for (const double v : product) worst = std::max(worst, std::abs(v - quadratic));
        if (worst < 1e-10) return;
        for (Index a = 0; a < classes; ++a) {
            const double step = (quadratic - product[unsigned_of(a)]) / q[at(a, a)];
            p[unsigned_of(a)] += step;
            quadratic = (quadratic + step * (step * q[at(a, a)] + 2 * product[unsigned_of(a)])) /
                        ((1 + step) * (1 + step));
            for (Index b = 0; b < classes; ++b) {
                product[unsigned_of(b)] = (product[unsigned_of(b)] + step * q[at(b, a)]) / (1 + step);
                p[unsigned_of(b)] /= 1 + step;
            }
        }
    }
}

/// Negative log-likelihood of Platt's targets, in the form that does not overflow.
double sigmoid_loss(std::span<const double> decisions, std::span<const double> targets, Sigmoid s) {
    double loss = 0;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        const double x = s.slope * decisions[i] + s.offset;
        loss += x >= 0 ? targets[i] * x + std::log1p(std::exp(-x))
                       : (targets[i] - 1) * x + std::log1p(std::exp(x));
    }
    return loss;
}

struct NewtonStep {
    double slope;
    double offset;
    double gradient_slope;
    double gradient_offset;
};

NewtonStep newton_step(std::span<const double> decisions, std::span<const double> targets, Sigmoid s) {
    double h11 = 1e-12;  // keeps the Hessian positive definite
    double h22 = 1e-12;
    double h21 = 0;
    double g1 = 0;
    double g2 = 0;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        const double f = decisions[i];
        const double p = falling_sigmoid(s.slope * f + s.offset);
        const double curvature = p * (1 - p);
        h11 += f * f * curvature;
        h22 += curvature;
        h21 += f * curvature;
        g1 += f * (targets[i] - p);
        g2 += targets[i] - p;
    }
    const double determinant = h11 * h22 - h21 * h21;
    return {-(h22 * g1 - h21 * g2) / determinant, -(h11 * g2 - h21 * g1) / determinant, g1, g2};
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
    if (rule == DecisionRule::one_vs_rest || rule == DecisionRule::largest) {
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
        return norms[unsigned_of(f)] > 0 ? decisions[unsigned_of(f)] / norms[unsigned_of(f)]
                                         : decisions[unsigned_of(f)];
    };
    if (rule == DecisionRule::binary) {
        scores[0] = 0;
        scores[1] = decisions[0];
        return;
    }
    if (rule == DecisionRule::one_vs_rest) {
        for (Index c = 0; c < classes; ++c) scores[unsigned_of(c)] = distance(c);
        return;
    }
    if (rule == DecisionRule::largest) {
        std::ranges::copy(decisions, scores.begin());
        return;
    }
    // Votes, and a part below one half that orders equal votes by summed distances: among the classes with
    // most votes, over the pairs of these classes alone.
    std::ranges::fill(scores, 0.0);
    for_pairs(classes, [&](Index f, Index a, Index b) {
        scores[unsigned_of(decisions[unsigned_of(f)] >= 0 ? a : b)] += 1;
    });
    const double most = std::ranges::max(scores);
    std::vector<double> summed(unsigned_of(classes));
    for_pairs(classes, [&](Index f, Index a, Index b) {
        const bool a_leads = scores[unsigned_of(a)] == most;
        const bool b_leads = scores[unsigned_of(b)] == most;
        if (!a_leads || b_leads) summed[unsigned_of(a)] += distance(f);
        if (!b_leads || a_leads) summed[unsigned_of(b)] -= distance(f);
    });
    for (Index c = 0; c < classes; ++c)
        scores[unsigned_of(c)] += 0.5 * summed[unsigned_of(c)] / (1 + std::abs(summed[unsigned_of(c)]));
}

Index first_largest(std::span<const double> values) {
    return std::ranges::max_element(values) - values.begin();
}

Sigmoid fit_sigmoid(std::span<const double> decisions, const std::vector<bool>& positive) {
    const auto positives = static_cast<double>(std::ranges::count(positive, true));
    const double negatives = static_cast<double>(positive.size()) - positives;
    std::vector<double> targets;
    targets.reserve(positive.size());
    for (const bool is_positive : positive) {
        targets.push_back(is_positive ? (positives + 1) / (positives + 2) : 1 / (negatives + 2));
    }
    Sigmoid best{0, std::log((negatives + 1) / (positives + 1))};
    double loss = sigmoid_loss(decisions, targets, best);
    for (int iteration = 0; iteration < 100; ++iteration) {
        const NewtonStep step = newton_step(decisions, targets, best);
        if (std::abs(step.gradient_slope) < 1e-5 && std::abs(step.gradient_offset) < 1e-5) break;
        const double descent = step.gradient_slope * step.slope + step.gradient_offset * step.offset;
        double size = 1;
        while (size >= 1e-10) {
            const Sigmoid candidate{best.slope + size * step.slope, best.offset + size * step.offset};
            const double candidate_loss = sigmoid_loss(decisions, targets, candidate);
            if (candidate_loss < loss + 1e-4 * size * descent) {
                best = candidate;
                loss = candidate_loss;
                break;
            }
            size /= 2;
        }
        if (size < 1e-10) break;
    }
    return best;
}

void class_probabilities(DecisionRule rule, Index classes, std::span<const double> decisions,
                         const Calibration& calibration, std::span<double> probabilities) {
    const auto positive = [&](Index f) {
        return falling_sigmoid(calibration.slopes[unsigned_of(f)] * decisions[unsigned_of(f)] +
                               calibration.offsets[unsigned_of(f)]);
    };
    if (rule == DecisionRule::binary) {
        probabilities[1] = positive(0);
        probabilities[0] = 1 - probabilities[1];
        return;
    }
    if (rule != DecisionRule::one_vs_one) {
        double sum = 0;
        for (Index c = 0; c < classes; ++c) sum += probabilities[unsigned_of(c)] = positive(c);
        for (double& p : probabilities) p = sum > 0 ? p / sum : 1 / static_cast<double>(classes);
        return;
    }
    std::vector<double> pairs(unsigned_of(classes * classes));
    for_pairs(classes, [&](Index f, Index a, Index b) {
        const double p = std::clamp(positive(f), 1e-7, 1 - 1e-7);
        pairs[unsigned_of(a * classes + b)] = p;
        pairs[unsigned_of(b * classes + a)] = 1 - p;
    });
    couple_pairs(classes, pairs, probabilities);
}

}  // namespace dk
