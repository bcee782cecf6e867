// SPDX-License-Identifier: Apache-2.0
#include "data/metrics/label_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dk {

namespace {

/// Counts of pairs of a row and a label.
struct PairCounts {
    double right = 0;  // true and predicted
    double truth = 0;
    double predicted = 0;

    bool any() const { return truth + predicted > 0; }
    double f1() const { return 2 * right / (truth + predicted); }
};

/// Counts the pairs of so many labels from one position on, those of every `step`-th pair.
PairCounts counts_of(const LabelPredictions& rows, std::size_t first, std::size_t count, std::size_t step) {
    PairCounts counts;
    for (std::size_t k = 0, e = first; k < count; ++k, e += step) {
        counts.truth += rows.truth[e];
        counts.predicted += rows.predicted[e];
        counts.right += rows.truth[e] * rows.predicted[e];
    }
    return counts;
}

PairCounts counts_of_row(const LabelPredictions& rows, Index row) {
    return counts_of(rows, row * rows.labels, rows.labels, 1);
}

PairCounts counts_of_label(const LabelPredictions& rows, Index label) {
    return counts_of(rows, label, rows.rows(), rows.labels);
}

/// Averages of(row) over the rows.
template <typename Of>
double mean_over_rows(const LabelPredictions& rows, Of of) {
    double sum = 0;
    for (Index i = 0; i < rows.rows(); ++i) sum += of(i);
    return sum / static_cast<double>(rows.rows());
}

/// Averages of(label) over the labels for which it is a number.
template <typename Of>
double mean_over_labels(const LabelPredictions& rows, Of of) {
    double sum = 0;
    double defined = 0;
    for (Index label = 0; label < rows.labels; ++label) {
        const double value = of(label);
        if (std::isnan(value)) continue;
        sum += value;
        defined += 1;
    }
    return sum / defined;
}

double ratio(double part, double whole) {
    return whole == 0 ? 0.0 : part / whole;
}

/// Averages of(p, true) over all pairs of a row and a label, where p is the label's probability.
template <typename Of>
double mean_over_probabilities(const LabelPredictions& rows, Of of) {
    double sum = 0;
    for (std::size_t e = 0; e < rows.truth.size(); ++e) sum += of(rows.probabilities[e], rows.truth[e] > 0);
    return sum / static_cast<double>(rows.truth.size());
}

}  // namespace

double subset_accuracy(const LabelPredictions& rows) {
    return mean_over_rows(rows, [&](Index i) {
        const PairCounts counts = counts_of_row(rows, i);
        return counts.right == counts.truth && counts.right == counts.predicted ? 1.0 : 0.0;
    });
}

double hamming_loss(const LabelPredictions& rows) {
    return mean_over_rows(rows, [&](Index i) {
        const PairCounts counts = counts_of_row(rows, i);
        return (counts.truth + counts.predicted - 2 * counts.right) / static_cast<double>(rows.labels);
    });
}

double jaccard_index(const LabelPredictions& rows) {
    return mean_over_rows(rows, [&](Index i) {
        const PairCounts counts = counts_of_row(rows, i);
        return counts.any() ? counts.right / (counts.truth + counts.predicted - counts.right) : 1.0;
    });
}

PrecisionRecall precision_recall(const LabelPredictions& rows) {
    const auto mean_of = [&](auto of) {
        return mean_over_labels(rows, [&](Index label) {
            const PairCounts counts = counts_of_label(rows, label);
            return counts.any() ? of(counts) : std::numeric_limits<double>::quiet_NaN();
        });
    };
    return {mean_of([](const PairCounts& counts) { return ratio(counts.right, counts.predicted); }),
            mean_of([](const PairCounts& counts) { return ratio(counts.right, counts.truth); }),
            mean_of([](const PairCounts& counts) { return counts.f1(); })};
}

double micro_f1(const LabelPredictions& rows) {
    return counts_of(rows, 0, rows.truth.size(), 1).f1();  // 0 / 0 is NaN.
}

double mean_area_under_curve(const LabelPredictions& rows) {
    return mean_over_labels(rows, [&](Index label) {
        std::vector<double> scores;
        std::vector<bool> positive;
        for (std::size_t e = label; e < rows.truth.size(); e += rows.labels) {
            scores.push_back(rows.scores[e]);
            positive.push_back(rows.truth[e] > 0);
        }
        return area_under_curve(scores, positive);
    });
}

double label_ranking_precision(const LabelPredictions& rows) {
    return mean_over_rows(rows, [&](Index i) {
        const std::span truth = std::span(rows.truth).subspan(i * rows.labels, rows.labels);
        const std::span scores = std::span(rows.scores).subspan(i * rows.labels, rows.labels);
        std::vector<Index> order(rows.labels);
        for (Index label = 0; label < rows.labels; ++label) order[label] = label;
        std::ranges::sort(order, [&](Index a, Index b) { return scores[a] > scores[b]; });
        double sum = 0;
        double known = 0;  // true ones among the labels down to the end of the tie
        for (Index first = 0, end = 0; first < rows.labels; first = end) {
            double tied = 0;
            for (; end < rows.labels && scores[order[end]] == scores[order[first]]; ++end)
                tied += truth[order[end]];
            known += tied;
            sum += tied * known / static_cast<double>(end);
        }
        return known == 0 ? 1.0 : sum / known;
    });
}

double logarithmic_loss(const LabelPredictions& rows) {
    static constexpr double least = std::numeric_limits<double>::epsilon();
    return mean_over_probabilities(
        rows, [](double p, bool is_true) { return -std::log(std::max(is_true ? p : 1 - p, least)); });
}

double brier_loss(const LabelPredictions& rows) {
    return mean_over_probabilities(
        rows, [](double p, bool is_true) { return is_true ? (1 - p) * (1 - p) : p * p; });
}

}  // namespace dk
