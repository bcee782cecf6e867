// SPDX-License-Identifier: Apache-2.0
// Neyman-Pearson classification by order statistics (X. Tong, Y. Feng, J. J. Li, Neyman-Pearson
// classification algorithms and NP receiver operating characteristics, Science Advances 4, 2018, proposition
// 1), and thresholds by cost (C. Elkan, The foundations of cost-sensitive learning, IJCAI 2001, section 3).
//
//     Program: the smallest k with sum_{j=k}^n C(n, j) (1 - alpha)^j alpha^(n - j) <= delta;
//              the threshold is at or above the k-th smallest decision on rows of the first class.
//     alpha    goal.false_alarms
//     delta    1 - goal.sure
//     n        alarms, the rows of the first class, which training has not seen
//     k        order_of_bound(n, alpha, delta)
//
//     Program: the threshold t with the least  #{first class, f > t} + c #{second class, f <= t}.
//     c        goal.miss_cost
//     f        KnownDecision::value
#include "pipeline/threshold.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "base/scanning/assignments.hpp"
#include "base/text.hpp"
#include "pipeline/common_parameters.hpp"
#include "pipeline/score.hpp"

namespace dk {

namespace parameter {
constexpr RealKey sure{
    "sure",
    0.95,
    {0.5, 0.999999},
    "The bound of false alarms holds with this probability over the rows that the threshold is learned of."};
}  // namespace parameter

namespace {

/// A decision on a row, and whether the row is of the second class.
struct KnownDecision {
    double value;
    bool second;
};

/// Gives a threshold that tells decisions up to `below` from those above, of which `above` is the lowest. One
/// of 0, which changes nothing, is preferred.
double threshold_between(double below, double above) {
    if (below <= 0 && 0 < above) return 0;
    if (std::isinf(below)) return above - 1e-9 * std::max(1.0, std::abs(above));
    if (std::isinf(above)) return below + 1e-9 * std::max(1.0, std::abs(below));
    return below / 2 + above / 2;
}

/// Gives k for n rows, or 0 where n is too small for any. Terms are summed from the last one down, each by
/// its ratio to the one before, in logarithms because the last may be smaller than any number.
Index order_of_bound(Index n, double alpha, double delta) {
    const double rows = n;
    const double log_odds = std::log(alpha) - std::log1p(-alpha);
    double log_term = rows * std::log1p(-alpha);
    double tail = 0;
    for (Index k = n; k >= 1; --k) {
        tail += std::exp(log_term);
        if (tail > delta) return k == n ? 0 : k + 1;
        const double j = k;
        log_term += std::log(j) - std::log(rows - j + 1) + log_odds;
    }
    return n > 0 ? 1 : 0;
}

/// Gives how many rows of the first class a bound needs.
double rows_for(const ThresholdGoal& goal) {
    return std::ceil(std::log(1 - goal.sure) / std::log1p(-goal.false_alarms));
}

void require_rows_for(const ThresholdGoal& goal, Index of_first_class) {
    if (goal.false_alarms > 0 && order_of_bound(of_first_class, goal.false_alarms, 1 - goal.sure) == 0)
        fail(Status::unsupported, "a bound of ", goal.false_alarms, " for false alarms that is ", goal.sure,
             " sure needs ", rows_for(goal),
             " rows of the first class that training has not seen; there are ", of_first_class);
}

/// Sorts decisions in pieces, so that a cancel is answered soon.
void sort_by_value(std::vector<KnownDecision>& known, Control& control) {
    constexpr std::ptrdiff_t piece = 1 << 18;
    const auto lower = [](const KnownDecision& a, const KnownDecision& b) { return a.value < b.value; };
    const std::ptrdiff_t count = std::ssize(known);
    const auto at = [&](std::ptrdiff_t i) { return known.begin() + std::min(i, count); };
    for (std::ptrdiff_t first = 0; first < count; first += piece) {
        std::sort(at(first), at(first + piece), lower);
        control.check();
    }
    for (std::ptrdiff_t size = piece; size < count; size *= 2) {
        for (std::ptrdiff_t first = 0; first < count; first += 2 * size) {
            std::inplace_merge(at(first), at(first + size), at(first + 2 * size), lower);
            control.check();
        }
    }
}

/// Gives the lowest threshold for which false alarms are bounded. Decisions ascend.
double bounded_threshold(const ThresholdGoal& goal, std::span<const KnownDecision> known) {
    const Index alarms = std::ranges::count(known, false, &KnownDecision::second);
    require_rows_for(goal, alarms);
    Index left = order_of_bound(alarms, goal.false_alarms, 1 - goal.sure);
    std::size_t at = 0;
    while (known[at].second || --left > 0) ++at;
    const double last = known[at].value;
    while (at < known.size() && known[at].value == last) ++at;
    return threshold_between(last, at < known.size() ? known[at].value : infinity);
}

/// Gives the threshold, at least `lowest`, for which misses and false alarms cost least; of equal ones it is
/// the one nearest to 0. Decisions ascend.
double cheapest_threshold(double miss_cost, double lowest, std::span<const KnownDecision> known) {
    double alarms = std::ranges::count(known, false, &KnownDecision::second);
    double misses = 0;
    if (alarms == 0 || alarms == std::ssize(known))
        fail(Status::invalid_data, "all ", known.size(),
             " rows are of one class; what errors cost shows where "
             "there are rows of both");
    double best = lowest;
    double least = infinity;
    for (std::size_t i = 0; i <= known.size(); ++i) {
        const double below = i == 0 ? -infinity : known[i - 1].value;
        const double above = i == known.size() ? infinity : known[i].value;
        if (below < above) {
            const double threshold = threshold_between(below, above);
            const double cost = alarms + miss_cost * misses;
            const bool nearer = cost == least && std::abs(threshold) < std::abs(best);
            if (threshold >= lowest && (cost < least || nearer)) {
                least = cost;
                best = threshold;
            }
        }
        if (i == known.size()) break;
        alarms -= known[i].second ? 0 : 1;
        misses += known[i].second ? 1 : 0;
    }
    return best;
}

std::vector<KnownDecision> known_decisions(std::span<const double> decisions, std::span<const Index> classes,
                                           Control& control) {
    constexpr double with_room_to_merge = 2;
    control.memory().require(with_room_to_merge * sizeof(KnownDecision) * std::ssize(decisions),
                             "decisions of rows");
    std::vector<KnownDecision> known;
    known.reserve(decisions.size());
    for (std::size_t i = 0; i < decisions.size(); ++i) known.push_back({decisions[i], classes[i] == 1});
    sort_by_value(known, control);
    return known;
}

/// Reports how rows that training has not seen lie about the threshold.
Report report_of(const ThresholdGoal& goal, double threshold, std::span<const KnownDecision> known) {
    double of_first = 0;
    double of_second = 0;
    double alarms = 0;
    double misses = 0;
    for (const KnownDecision& one : known) {
        const bool told_second = one.value > threshold;
        (one.second ? of_second : of_first) += 1;
        if (one.second && !told_second) misses += 1;
        if (!one.second && told_second) alarms += 1;
    }
    Report report;
    report.add("moved_by", threshold).add("rows", Index(known.size()));
    if (goal.false_alarms > 0) report.add("bound_of_false_alarms", goal.false_alarms);
    if (goal.miss_cost > 0) report.add("miss_cost", goal.miss_cost);
    if (of_first > 0) report.add("false_alarms", alarms / of_first);
    if (of_second > 0) report.add("misses", misses / of_second);
    return report;
}

}  // namespace

void require_threshold(const Model& model) {
    if (model.task != "classification" || model.rule != DecisionRule::binary)
        fail(Status::unsupported, "a threshold is between two classes; this model is of ",
             model.task == "classification" ? text(model.classes.classes(), " classes") : model.task);
    if (model.elects_by_probability())
        fail(Status::unsupported,
             "the model predicts the most probable class (elect=probability), where a threshold of decisions "
             "changes nothing; train it with elect=decision");
    if (!model.nonconformity.empty())
        fail(Status::unsupported,
             "the model's sets of answers were learned with the threshold that it has; move the threshold "
             "first, and calibrate afterwards");
}

ThresholdGoal threshold_goal(const Parameters& parameters) {
    return {.false_alarms = parameters[parameter::false_alarms],
            .miss_cost = parameters[parameter::miss_cost]};
}

void require_reachable(const ThresholdGoal& goal, const Parameters& parameters, const Dataset& data) {
    if (goal.empty() || !data.labels) return;
    if (parameters[parameter::elect] == "probability")
        fail(Status::unsupported,
             "elect=probability predicts the most probable class, where a threshold of decisions changes "
             "nothing; leave it, or false_alarms and miss_cost, out");
    const Labels present = present_classes(*data.labels);
    if (present.classes() != 2)
        fail(Status::unsupported, "a threshold is between two classes; these rows are of ", present.classes(),
             present.classes() == 1 ? " class" : " classes");
    require_rows_for(goal, std::ranges::count(present.of_rows, Index{0}));
}

ThresholdGoal threshold_goal(std::string_view text) {
    Parameters parameters("threshold", {parameter::false_alarms, parameter::sure, parameter::miss_cost});
    for (const auto& [key, value] : split_assignments(text)) parameters.set(key, value);
    const ThresholdGoal goal{.false_alarms = parameters[parameter::false_alarms],
                             .sure = parameters[parameter::sure],
                             .miss_cost = parameters[parameter::miss_cost]};
    if (goal.empty())
        fail(Status::invalid_parameter,
             "a threshold needs a goal: false_alarms above 0, such as 0.05, or miss_cost above 0, such as 5");
    return goal;
}

Threshold threshold_for(const ThresholdGoal& goal, std::span<const double> decisions,
                        std::span<const Index> classes, Control& control) {
    const auto known = known_decisions(decisions, classes, control);
    double found = goal.false_alarms > 0 ? bounded_threshold(goal, known) : -infinity;
    if (goal.miss_cost > 0) found = cheapest_threshold(goal.miss_cost, found, known);
    return {found, report_of(goal, found, known)};
}

Model moved(const Model& model, const Threshold& threshold, Control& control) {
    Model out = model;
    out.predictor = model.predictor->with_threshold(threshold.value, control);
    // The probability of a row stays, whose decision is smaller by the threshold now.
    for (std::size_t f = 0; f < out.calibration.slopes.size(); ++f)
        out.calibration.offsets[f] += out.calibration.slopes[f] * threshold.value;
    out.threshold_report = json_text(threshold.report);
    return out;
}

Model with_threshold(const Model& model, const Dataset& data, const ThresholdGoal& goal, Control& control) {
    require_threshold(model);
    const auto truth = true_classes(model, data);
    const auto values = decisions(model, data, control);
    Threshold threshold = threshold_for(goal, values, truth, control);
    if (goal.false_alarms > 0) threshold.report.add("sure", goal.sure);
    return moved(model, threshold, control);
}

}  // namespace dk
