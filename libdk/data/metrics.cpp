// SPDX-License-Identifier: Apache-2.0
#include "data/metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/rows.hpp"

namespace dk {

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

double squared_difference(double a, double b) {
    return (a - b) * (a - b);
}

/// Adds of(a_i, b_i) in the order of the rows.
template <typename Of>
double sum_over_rows(std::span<const double> a, std::span<const double> b, Of of) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(), of);
}

PrecisionRecall precision_recall_of(const ClassPredictions& rows) {
    return precision_recall(rows.confusion, rows.classes);
}

/// Averages a measure of the scores of each class against the rest. Of two classes only the second counts.
template <double (*measure)(std::span<const double> scores, const std::vector<bool>& positive)>
double mean_of_classes(const ClassPredictions& rows) {
    double sum = 0;
    double defined = 0;
    for (Index c = rows.classes == 2 ? 1 : 0; c < rows.classes; ++c) {
        std::vector<bool> positive;
        for (const Index truth : rows.truth) positive.push_back(truth == c);
        const double value = measure(rows.scores[c], positive);
        if (std::isnan(value)) continue;
        sum += value;
        defined += 1;
    }
    return sum / defined;  // This is NaN when the measure of no class is defined.
}

/// Averages the absolute difference of predicted and true labels, which says something where classes have an
/// order.
double mean_label_error(const ClassPredictions& rows) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.truth.size(); ++i)
        sum += std::abs(1.0 * rows.labels[rows.truth[i]] - 1.0 * rows.labels[rows.elected[i]]);
    return sum / rows.truth.size();
}

}  // namespace

std::span<const Metric> metrics() {
    static const std::array all{
        Metric{"accuracy", "Accuracy is the share of the rows whose class is predicted.", false,
               [](const ClassPredictions& rows) { return accuracy(rows.confusion, rows.classes); }, nullptr},
        Metric{"precision",
               "Precision is the share of the rows predicted to be of the second class that are of it. With "
               "more than two classes it is computed for each class and averaged.",
               false, [](const ClassPredictions& rows) { return precision_recall_of(rows).precision; },
               nullptr},
        Metric{"recall",
               "Recall is the share of the rows of the second class that are predicted to be of it. With "
               "more than two classes it is computed for each class and averaged.",
               false, [](const ClassPredictions& rows) { return precision_recall_of(rows).recall; }, nullptr},
        Metric{"f1",
               "F1 is the harmonic mean of precision and recall. With more than two classes it is computed "
               "for each class and averaged.",
               false, [](const ClassPredictions& rows) { return precision_recall_of(rows).f1; }, nullptr},
        Metric{"auc",
               "AUC is the area under the ROC curve of the decisions: the probability that a row of the "
               "second class scores above a row of the first. With more than two classes it is computed for "
               "each class against the others and averaged.",
               false, mean_of_classes<area_under_curve>, nullptr},
        Metric{"far",
               "FAR, the false acceptance rate, is the share of the rows of the first class that are "
               "predicted to be of the second. With more than two classes it is computed for each class "
               "against the others and averaged.",
               true,
               [](const ClassPredictions& rows) {
                   return acceptance_errors(rows.confusion, rows.classes).false_acceptance;
               },
               nullptr},
        Metric{"frr",
               "FRR, the false rejection rate, is the share of the rows of the second class that are "
               "predicted to be of the first. With more than two classes it is computed for each class "
               "against the others and averaged.",
               true,
               [](const ClassPredictions& rows) {
                   return acceptance_errors(rows.confusion, rows.classes).false_rejection;
               },
               nullptr},
        Metric{"eer",
               "EER, the equal error rate, is what the false acceptance and the false rejection rate are for "
               "the threshold of the decisions that makes them equal. With more than two classes it is "
               "computed for each class against the others and averaged.",
               true, mean_of_classes<equal_error_rate>, nullptr},
        Metric{"mae",
               "MAE is the mean absolute error: the mean absolute difference of predicted and true labels or "
               "targets.",
               true, mean_label_error,
               [](const ValuePredictions& rows) { return mean_absolute_error(rows.truth, rows.predicted); }},
        Metric{
            "rmse",
            "RMSE is the root of the mean squared error, the squared difference of predicted and true "
            "targets.",
            true, nullptr,
            [](const ValuePredictions& rows) { return root_mean_squared_error(rows.truth, rows.predicted); }},
        Metric{"r2",
               "R2 is the coefficient of determination, 1 - squared error / squared deviation of the targets "
               "from their mean. It is 1 for perfect predictions and 0 for predictions that are always the "
               "mean.",
               false, nullptr, [](const ValuePredictions& rows) {
                   return coefficient_of_determination(rows.truth, rows.predicted);
               }}};
    return all;
}

const Metric& metric_named(std::string_view name) {
    const auto found = std::ranges::find(metrics(), name, &Metric::name);
    if (found != metrics().end()) return *found;
    std::vector<std::string> names;
    for (const Metric& metric : metrics()) names.push_back(metric.name);
    fail(Status::invalid_parameter, "there is no metric ", in_quotes(name), "; nearest is ",
         in_quotes(nearest_name(name, names)), ", all are ", join(names, ", "));
}

std::vector<Index> confusion_counts(std::span<const Index> truth, std::span<const Index> predicted,
                                    Index classes) {
    std::vector<Index> counts(classes * classes);
    for (std::size_t i = 0; i < truth.size(); ++i) ++row_of(counts, classes, truth[i])[predicted[i]];
    return counts;
}

double accuracy(std::span<const Index> confusion, Index classes) {
    Index right = 0;
    for (Index c = 0; c < classes; ++c) right += row_of(confusion, classes, c)[c];
    return 1.0 * right / std::accumulate(confusion.begin(), confusion.end(), Index{0});
}

PrecisionRecall precision_recall(std::span<const Index> confusion, Index classes) {
    const auto ratio = [](double part, double whole) { return whole == 0 ? 0.0 : part / whole; };
    PrecisionRecall sum{0, 0, 0};
    double counted = 0;
    for (Index c = classes == 2 ? 1 : 0; c < classes; ++c) {
        const auto rows_of_class = row_of(confusion, classes, c);
        const Index right = rows_of_class[c];
        const Index truth = std::accumulate(rows_of_class.begin(), rows_of_class.end(), Index{0});
        Index predicted = 0;
        for (Index other = 0; other < classes; ++other) predicted += row_of(confusion, classes, other)[c];
        if (classes > 2 && truth + predicted == 0) continue;
        sum.precision += ratio(right, predicted);
        sum.recall += ratio(right, truth);
        sum.f1 += ratio(2 * right, truth + predicted);
        counted += 1;
    }
    return {sum.precision / counted, sum.recall / counted, sum.f1 / counted};
}

double area_under_curve(std::span<const double> scores, const std::vector<bool>& positive) {
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
    if (positives == 0 || negatives == 0) return undefined;
    return (rank_sum - 0.5 * positives * (positives + 1)) / (positives * negatives);
}

AcceptanceErrors acceptance_errors(std::span<const Index> confusion, Index classes) {
    const double all = std::accumulate(confusion.begin(), confusion.end(), Index{0});
    AcceptanceErrors sum{0, 0};
    double defined = 0;
    for (Index c = classes == 2 ? 1 : 0; c < classes; ++c) {
        const auto row = row_of(confusion, classes, c);
        const double positives = std::accumulate(row.begin(), row.end(), Index{0});
        if (positives == 0 || positives == all) continue;
        double accepted = 0;
        for (Index t = 0; t < classes; ++t) accepted += row_of(confusion, classes, t)[c];
        sum.false_acceptance += (accepted - row[c]) / (all - positives);
        sum.false_rejection += (positives - row[c]) / positives;
        defined += 1;
    }
    return {sum.false_acceptance / defined, sum.false_rejection / defined};
}

double equal_error_rate(std::span<const double> scores, const std::vector<bool>& positive) {
    std::vector<Index> order(scores.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(order, std::greater<>(), [&](Index i) { return scores[i]; });
    const double positives = std::ranges::count(positive, true);
    const double negatives = scores.size() - positives;
    if (positives == 0 || negatives == 0) return undefined;
    AcceptanceErrors before{0, 1};  // Nothing is accepted.
    for (std::size_t begin = 0; begin < order.size();) {
        AcceptanceErrors now = before;
        const double score = scores[order[begin]];
        for (; begin < order.size() && scores[order[begin]] == score; ++begin) {
            if (positive[order[begin]]) {
                now.false_rejection -= 1 / positives;
            } else {
                now.false_acceptance += 1 / negatives;
            }
        }
        if (now.false_acceptance >= now.false_rejection) {
            const double gap_before = before.false_rejection - before.false_acceptance;
            const double gap_now = now.false_acceptance - now.false_rejection;
            const double part = gap_before / (gap_before + gap_now);
            return before.false_acceptance + part * (now.false_acceptance - before.false_acceptance);
        }
        before = now;
    }
    return before.false_acceptance;
}

double mean_absolute_error(std::span<const double> truth, std::span<const double> predicted) {
    return sum_over_rows(truth, predicted, [](double y, double f) { return std::abs(y - f); }) / truth.size();
}

double root_mean_squared_error(std::span<const double> truth, std::span<const double> predicted) {
    return std::sqrt(sum_over_rows(truth, predicted, squared_difference) / truth.size());
}

double coefficient_of_determination(std::span<const double> truth, std::span<const double> predicted) {
    const std::vector<double> mean(truth.size(),
                                   std::accumulate(truth.begin(), truth.end(), 0.0) / truth.size());
    const double error = sum_over_rows(truth, predicted, squared_difference);
    const double deviation = sum_over_rows(truth, mean, squared_difference);
    return deviation > 0 ? 1 - error / deviation : undefined;
}

}  // namespace dk
