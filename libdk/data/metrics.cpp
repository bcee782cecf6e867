// SPDX-License-Identifier: Apache-2.0
#include "data/metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace dk {

std::span<const MetricDescription> metric_descriptions() {
    static const std::array<MetricDescription, 8> all{{
        {"accuracy", "share of rows whose class is predicted", true, false},
        {"precision", "true positives / predicted positives; macro average over classes", true, false},
        {"recall", "true positives / positives; macro average over classes", true, false},
        {"f1", "harmonic mean of precision and recall; macro average over classes", true, false},
        {"auc", "area under the ROC curve of the decisions; mean over classes, each against the rest", true,
         false},
        {"mae", "mean absolute difference of predicted and true labels or targets", true, true},
        {"rmse", "root of the mean squared difference of predicted and true targets", false, true},
        {"r2", "coefficient of determination: 1 - squared error / variance of the targets", false, true},
    }};
    return all;
}

std::vector<Index> confusion_counts(std::span<const Index> truth, std::span<const Index> predicted,
                                    Index classes) {
    std::vector<Index> counts(unsigned_of(classes * classes));
    for (std::size_t i = 0; i < truth.size(); ++i) ++counts[unsigned_of(truth[i] * classes + predicted[i])];
    return counts;
}

double accuracy(std::span<const Index> confusion, Index classes) {
    Index right = 0;
    for (Index c = 0; c < classes; ++c) right += confusion[unsigned_of(c * classes + c)];
    const Index all = std::accumulate(confusion.begin(), confusion.end(), Index{0});
    return static_cast<double>(right) / static_cast<double>(all);
}

PrecisionRecall precision_recall(std::span<const Index> confusion, Index classes) {
    const auto ratio = [](Index part, Index whole) {
        return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
    };
    PrecisionRecall sum{0, 0, 0};
    double counted = 0;
    for (Index c = classes == 2 ? 1 : 0; c < classes; ++c) {
        const Index right = confusion[unsigned_of(c * classes + c)];
        Index truth = 0;
        Index predicted = 0;
        for (Index other = 0; other < classes; ++other) {
            truth += confusion[unsigned_of(c * classes + other)];
            predicted += confusion[unsigned_of(other * classes + c)];
        }
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
    std::ranges::sort(order, {}, [&](Index i) { return scores[unsigned_of(i)]; });
    double positives = 0;
    double rank_sum = 0;
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin;
        while (end < order.size() && scores[unsigned_of(order[end])] == scores[unsigned_of(order[begin])])
            ++end;
        const double mean_rank = 0.5 * static_cast<double>(begin + 1 + end);
        for (; begin < end; ++begin) {
            if (!positive[unsigned_of(order[begin])]) continue;
            positives += 1;
            rank_sum += mean_rank;
        }
    }
    const double negatives = static_cast<double>(scores.size()) - positives;
    if (positives == 0 || negatives == 0) return std::numeric_limits<double>::quiet_NaN();
    return (rank_sum - 0.5 * positives * (positives + 1)) / (positives * negatives);
}

double mean_absolute_error(std::span<const double> truth, std::span<const double> predicted) {
    double sum = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) sum += std::abs(truth[i] - predicted[i]);
    return sum / static_cast<double>(truth.size());
}

double root_mean_squared_error(std::span<const double> truth, std::span<const double> predicted) {
    double sum = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
        sum += (truth[i] - predicted[i]) * (truth[i] - predicted[i]);
    return std::sqrt(sum / static_cast<double>(truth.size()));
}

double coefficient_of_determination(std::span<const double> truth, std::span<const double> predicted) {
    const double mean = std::accumulate(truth.begin(), truth.end(), 0.0) / static_cast<double>(truth.size());
    double error = 0;
    double deviation = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        error += (truth[i] - predicted[i]) * (truth[i] - predicted[i]);
        deviation += (truth[i] - mean) * (truth[i] - mean);
    }
    return deviation > 0 ? 1 - error / deviation : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace dk
