// SPDX-License-Identifier: Apache-2.0
#include "data/metrics/receiver_curve.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace dk {

namespace {

constexpr double without_both_kinds = std::numeric_limits<double>::quiet_NaN();

/// Scores that are no numbers have no order, so that no curve of them is defined.
bool have_order(std::span<const double> scores) {
    return std::ranges::none_of(scores, [](double score) { return std::isnan(score); });
}

/// Gives the corners of the ROC curve: the errors where nothing is accepted, and after each of the scores,
/// from the highest down; all rows of a score are accepted in one step. It is empty without rows of both
/// kinds.
std::vector<AcceptanceErrors> corners_of_curve(std::span<const double> scores,
                                               const std::vector<bool>& positive) {
    if (!have_order(scores)) return {};
    std::vector<Index> order(scores.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(order, std::greater<>(), [&](Index i) { return scores[i]; });
    const double positives = std::ranges::count(positive, true);
    const double negatives = scores.size() - positives;
    if (positives == 0 || negatives == 0) return {};
    std::vector<AcceptanceErrors> corners{{0, 1}};
    double hits = 0;
    double false_alarms = 0;
    for (std::size_t begin = 0; begin < order.size();) {
        const double score = scores[order[begin]];
        for (; begin < order.size() && scores[order[begin]] == score; ++begin)
            (positive[order[begin]] ? hits : false_alarms) += 1;
        corners.push_back({false_alarms / negatives, (positives - hits) / positives});
    }
    return corners;
}

}  // namespace

double area_under_curve(std::span<const double> scores, const std::vector<bool>& positive) {
    if (!have_order(scores)) return without_both_kinds;
    std::vector<Index> order(scores.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(order, {}, [&](Index i) { return scores[i]; });
    double positives = 0;
    double rank_sum = 0;
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin;
        while (end < order.size() && scores[order[end]] == scores[order[begin]]) ++end;
        const double mean_rank = 0.5 * (begin + 1 + end);
        for (; begin < end; ++begin) {
            if (!positive[order[begin]]) continue;
            positives += 1;
            rank_sum += mean_rank;
        }
    }
    const double negatives = scores.size() - positives;
    if (positives == 0 || negatives == 0) return without_both_kinds;
    return (rank_sum - 0.5 * positives * (positives + 1)) / (positives * negatives);
}

double equal_error_rate(std::span<const double> scores, const std::vector<bool>& positive) {
    const auto corners = corners_of_curve(scores, positive);
    for (std::size_t i = 1; i < corners.size(); ++i) {
        const double gap = corners[i].false_acceptance - corners[i].false_rejection;
        if (gap < 0) continue;
        const AcceptanceErrors& before = corners[i - 1];
        const double gap_before = before.false_rejection - before.false_acceptance;
        return before.false_acceptance +
               gap_before / (gap_before + gap) * (corners[i].false_acceptance - before.false_acceptance);
    }
    return without_both_kinds;  // The last corner accepts all rows, so that only a curve without corners ends
                                // here.
}

double area_under_curve_to(std::span<const double> scores, const std::vector<bool>& positive, double limit) {
    const auto corners = corners_of_curve(scores, positive);
    if (corners.empty()) return without_both_kinds;
    double area = 0;
    for (std::size_t i = 1; i < corners.size(); ++i) {
        const auto [begin, missed] = corners[i - 1];
        const auto [end, missed_then] = corners[i];
        if (end > limit) {
            const double missed_at_limit = missed + (limit - begin) / (end - begin) * (missed_then - missed);
            return (area + (limit - begin) * (1 - 0.5 * (missed + missed_at_limit))) / limit;
        }
        area += (end - begin) * (1 - 0.5 * (missed + missed_then));
    }
    return (area + limit - 1) / limit;  // Beyond the last corner all positive rows are accepted.
}

}  // namespace dk
