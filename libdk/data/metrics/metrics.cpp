// SPDX-License-Identifier: Apache-2.0
#include "data/metrics/metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/names/nearest_name.hpp"
#include "base/rows.hpp"
#include "base/scanning/scanner.hpp"
#include "data/metrics/agreement.hpp"
#include "data/metrics/label_metrics.hpp"
#include "data/metrics/probability_losses.hpp"

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
template <typename Measure>
double mean_of_classes(const ClassPredictions& rows, Measure measure) {
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

/// What the metric nauc is told in its brackets.
struct FalseAlarmLimit {
    double limit = 0.1;
    double area = 0;  // Where it is given, false alarms are counted per unit of it, and are no share of rows.

    double rate(double negatives) const { return area > 0 ? limit * area / negatives : limit; }
};

Metric normalised_auc(FalseAlarmLimit false_alarms) {
    const auto of_class = [false_alarms](std::span<const double> scores, const std::vector<bool>& positive) {
        return area_under_curve_to(scores, positive, false_alarms.rate(std::ranges::count(positive, false)));
    };
    return {
        "nauc",
        "NAUC is the mean of the ROC curve over the false acceptance rates up to a limit: nauc(0.05) up to "
        "0.05, and nauc alone up to 0.1. nauc(2, area=4) counts false alarms for each unit of an area of 4 "
        "units, up to 2. With more than two classes it is computed for each class against the others and "
        "averaged.",
        false, [of_class](const ClassPredictions& rows) { return mean_of_classes(rows, of_class); }, nullptr};
}

/// Reads what follows "nauc", such as (0.05) or (2, area=4).
FalseAlarmLimit read_false_alarm_limit(Scanner scanner, std::string_view metric) {
    FalseAlarmLimit read;
    const auto number = [&](double highest) {
        const std::string_view digits = scanner.number();
        const auto value = parse_number(digits);
        if (!value || !(*value > 0) || *value > highest)
            fail(Status::invalid_parameter, "metric ", in_quotes(metric), " has ", in_quotes(digits),
                 " where a number above 0", highest < 1e300 ? text(" and up to ", highest) : "",
                 " is expected");
        return *value;
    };
    constexpr double any = std::numeric_limits<double>::max();
    bool complete = scanner.accept('(');
    if (complete) {
        read.limit = number(any);
        if (scanner.accept(',')) {
            complete = scanner.name() == "area" && scanner.accept('=');
            if (complete) read.area = number(any);
        }
        complete = complete && scanner.accept(')') && scanner.at_end();
    }
    if (!complete)
        fail(Status::invalid_parameter, "metric ", in_quotes(metric),
             " is not of the form nauc, nauc(limit) or nauc(limit, area=units)");
    if (read.area == 0 && read.limit > 1)
        fail(Status::invalid_parameter, "metric ", in_quotes(metric), " has the limit ", read.limit,
             "; a false acceptance rate is above 0 and up to 1");
    return read;
}

}  // namespace

std::span<const Metric> metrics() {
    static const std::array all{
        Metric{
            .name = "accuracy",
            .doc =
                "Accuracy is the share of the rows whose class is predicted; of rows with several labels the "
                "share whose labels are all predicted, and no others.",
            .smaller_is_better = false,
            .of_classes = [](const ClassPredictions& rows) { return accuracy(rows.confusion, rows.classes); },
            .of_labels = subset_accuracy},
        Metric{
            .name = "precision",
            .doc =
                "Precision is the share of the rows predicted to be of the second class that are of it. With "
                "more than two classes, or several labels a row, it is computed for each and averaged.",
            .smaller_is_better = false,
            .of_classes = [](const ClassPredictions& rows) { return precision_recall_of(rows).precision; },
            .of_labels = [](const LabelPredictions& rows) { return precision_recall(rows).precision; }},
        Metric{.name = "recall",
               .doc =
                   "Recall is the share of the rows of the second class that are predicted to be of it. With "
                   "more than two classes, or several labels a row, it is computed for each and averaged.",
               .smaller_is_better = false,
               .of_classes = [](const ClassPredictions& rows) { return precision_recall_of(rows).recall; },
               .of_labels = [](const LabelPredictions& rows) { return precision_recall(rows).recall; }},
        Metric{.name = "f1",
               .doc =
                   "F1 is the harmonic mean of precision and recall. With more than two classes, or several "
                   "labels a row, it is computed for each and averaged.",
               .smaller_is_better = false,
               .of_classes = [](const ClassPredictions& rows) { return precision_recall_of(rows).f1; },
               .of_labels = [](const LabelPredictions& rows) { return precision_recall(rows).f1; }},
        Metric{
            .name = "micro_f1",
            .doc =
                "Micro F1, of rows with several labels, is F1 of all pairs of a row and a label together, so "
                "that frequent labels count more.",
            .smaller_is_better = false,
            .of_labels = micro_f1},
        Metric{.name = "hamming_loss",
               .doc =
                   "The Hamming loss, of rows with several labels, is the share of the pairs of a row and a "
                   "label that are predicted wrongly.",
               .smaller_is_better = true,
               .of_labels = hamming_loss},
        Metric{.name = "jaccard",
               .doc =
                   "Jaccard's index, of rows with several labels, is the mean over the rows of the number of "
                   "labels that are true and predicted over the number of those that are one of both; 1 for "
                   "a row with neither.",
               .smaller_is_better = false,
               .of_labels = jaccard_index},
        Metric{
            .name = "label_ranking",
            .doc =
                "The label ranking average precision, of rows with several labels, is the mean over the rows "
                "and their labels of the share of true ones among the labels that score as much or more.",
            .smaller_is_better = false,
            .of_labels = label_ranking_precision},
        Metric{"balanced_accuracy",
               "Balanced accuracy is the mean over the classes of the share of their rows whose class is "
               "predicted, so that rare classes count as much as frequent ones.",
               false,
               [](const ClassPredictions& rows) { return balanced_accuracy(rows.confusion, rows.classes); },
               nullptr},
        Metric{"kappa",
               "Kappa is how much of what is possible the accuracy is above chance: 0 for predictions that "
               "know nothing, 1 for perfect ones (Cohen 1960).",
               false,
               [](const ClassPredictions& rows) {
                   return chance_corrected_accuracy(rows.confusion, rows.classes);
               },
               nullptr},
        Metric{"mcc",
               "MCC is the correlation of predicted and true classes, also of more than two (Matthews 1975, "
               "Gorodkin 2004).",
               false,
               [](const ClassPredictions& rows) { return class_correlation(rows.confusion, rows.classes); },
               nullptr},
        Metric{"auc",
               "AUC is the area under the ROC curve of the decisions: the probability that a row of the "
               "second class scores above a row of the first. With more than two classes it is computed for "
               "each class against the others and averaged, with several labels a row for each label.",
               false, [](const ClassPredictions& rows) { return mean_of_classes(rows, area_under_curve); },
               nullptr, mean_area_under_curve},
        normalised_auc({}),
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
               true, [](const ClassPredictions& rows) { return mean_of_classes(rows, equal_error_rate); },
               nullptr},
        Metric{"log_loss",
               "The logarithmic loss is the mean of -log p, where p is the probability that the model gives "
               "the class of a row, or of several labels whether it has each. It needs a model with "
               "probabilities.",
               true,
               [](const ClassPredictions& rows) {
                   return logarithmic_loss(rows.truth, rows.probabilities, rows.classes);
               },
               nullptr, [](const LabelPredictions& rows) { return logarithmic_loss(rows); }, true},
        Metric{"brier",
               "The Brier score is the mean squared error of the probability of the second class (Brier "
               "1950). With more than two classes the squared errors of all are added, with several labels a "
               "row they are averaged. It needs a model with probabilities.",
               true,
               [](const ClassPredictions& rows) {
                   return brier_loss(rows.truth, rows.probabilities, rows.classes);
               },
               nullptr, [](const LabelPredictions& rows) { return brier_loss(rows); }, true},
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
        Metric{"pinball",
               "The pinball loss is the mean of what errors of quantiles cost: below a level's quantile "
               "targets cost 1 - level, above it level, times the distance. Where one value is predicted, it "
               "is half of MAE.",
               true, nullptr,
               [](const ValuePredictions& rows) {
                   constexpr std::array median{0.5};
                   return rows.levels.empty() ? mean_pinball_loss(rows.truth, rows.predicted, median)
                                              : mean_pinball_loss(rows.truth, rows.at_levels, rows.levels);
               }},
        Metric{"r2",
               "R2 is the coefficient of determination, 1 - squared error / squared deviation of the targets "
               "from their mean. It is 1 for perfect predictions and 0 for predictions that are always the "
               "mean.",
               false, nullptr, [](const ValuePredictions& rows) {
                   return coefficient_of_determination(rows.truth, rows.predicted);
               }}};
    return all;
}

Metric metric_named(std::string_view name) {
    if (const auto found = std::ranges::find(metrics(), name, &Metric::name); found != metrics().end())
        return *found;
    Scanner scanner(name);
    if (scanner.name() == "nauc") return normalised_auc(read_false_alarm_limit(scanner, name));
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

double mean_pinball_loss(std::span<const double> truth, std::span<const double> predicted,
                         std::span<const double> levels) {
    const Index width = std::ssize(levels);
    double sum = 0;
    for (Index i = 0; i < std::ssize(truth); ++i) {
        for (Index l = 0; l < width; ++l) {
            const double error = truth[i] - predicted[i * width + l];
            sum += std::max(levels[l] * error, (levels[l] - 1) * error);
        }
    }
    return sum / static_cast<double>(predicted.size());
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
