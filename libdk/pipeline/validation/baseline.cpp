// SPDX-License-Identifier: Apache-2.0
#include "pipeline/validation/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/select.hpp"
#include "data/metrics/metrics.hpp"
#include "pipeline/score.hpp"

namespace dk {

namespace {

/// Writes the values so many times, one after the other.
void repeat(std::vector<double>& values, std::size_t times) {
    const std::vector<double> once = std::exchange(values, {});
    values.reserve(once.size() * times);
    for (std::size_t t = 0; t < times; ++t) values.insert(values.end(), once.begin(), once.end());
}

Scores scores_of_the_mean(const Targets& known, std::span<const Index> training,
                          std::span<const Index> held_out) {
    const auto& [targets, count] = known;
    std::vector<double> means(count);
    for (const Index i : training) {
        for (Index t = 0; t < count; ++t) means[t] += targets[i * count + t];
    }
    for (double& mean : means) mean /= static_cast<double>(training.size());
    ValuePredictions rows{.truth = select_rows_of_values(targets, count, held_out), .targets = count};
    repeat(means, held_out.size());
    rows.predicted = std::move(means);
    return metrics_of(rows);
}

/// The quantile of a level is the first of the sorted targets that has at least this share at or below it.
Scores scores_of_quantiles(std::span<const double> levels, const std::vector<double>& targets,
                           std::span<const Index> training, std::span<const Index> held_out) {
    std::vector<double> known = select_values(targets, training);
    std::ranges::sort(known);
    std::vector<double> quantiles;
    for (const double level : levels) {
        const double below = std::ceil(level * static_cast<double>(known.size()));
        quantiles.push_back(known[std::max<Index>(static_cast<Index>(below), 1) - 1]);
    }
    ValuePredictions rows{.truth = select_values(targets, held_out)};
    rows.predicted.assign(rows.truth.size(), quantiles[(quantiles.size() - 1) / 2]);
    rows.levels.assign(levels.begin(), levels.end());
    for (std::size_t i = 0; i < rows.truth.size(); ++i)
        rows.at_levels.insert(rows.at_levels.end(), quantiles.begin(), quantiles.end());
    return metrics_of(rows);
}

/// Each label is predicted where more than half of the training rows have it.
Scores scores_of_frequent_labels(const LabelSets& sets, std::span<const Index> training,
                                 std::span<const Index> held_out) {
    LabelPredictions rows{.labels = sets.labels(), .truth = sets.select(held_out).indicators(0, 1)};
    for (const Index count : sets.select(training).counts())
        rows.scores.push_back(static_cast<double>(count) / static_cast<double>(training.size()));
    for (const double share : rows.scores) rows.predicted.push_back(share > 0.5 ? 1 : 0);
    repeat(rows.scores, held_out.size());
    repeat(rows.predicted, held_out.size());
    return metrics_of(rows);
}

Scores scores_of_the_majority(const Labels& labels, std::span<const Index> training,
                              std::span<const Index> held_out) {
    ClassPredictions rows{.classes = labels.classes(), .truth = select_values(labels.of_rows, held_out)};
    std::vector<Index> counts(rows.classes);
    for (const Index i : training) ++counts[labels.of_rows[i]];
    const Index majority = std::ranges::max_element(counts) - counts.begin();
    rows.elected.assign(rows.truth.size(), majority);
    rows.scores.assign(rows.classes, std::vector<double>(rows.truth.size(), 0.0));
    rows.scores[majority].assign(rows.truth.size(), 1.0);
    rows.labels = labels.values;
    rows.confusion = confusion_counts(rows.truth, rows.elected, rows.classes);
    return metrics_of(rows);
}

}  // namespace

Scores baseline_scores(Task task, std::span<const double> levels, const Dataset& data,
                       std::span<const Index> training, std::span<const Index> held_out) {
    if (!levels.empty()) return scores_of_quantiles(levels, targets_of(data).values, training, held_out);
    if (task == Task::regression) return scores_of_the_mean(targets_of(data), training, held_out);
    if (task == Task::multilabel) return scores_of_frequent_labels(*data.label_sets, training, held_out);
    if (task == Task::classification && data.labels)
        return scores_of_the_majority(*data.labels, training, held_out);
    return {};
}

}  // namespace dk
