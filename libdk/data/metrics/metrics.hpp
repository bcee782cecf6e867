// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "data/metrics/receiver_curve.hpp"

namespace dk {

/// What a classifier predicted for rows whose classes are known.
struct ClassPredictions {
    Index classes = 0;
    std::vector<Index> truth = {};                 // Row i is of the class at position truth[i].
    std::vector<Index> elected = {};               // Row i was predicted to be of class elected[i].
    std::vector<std::vector<double>> scores = {};  // Row i got the score scores[c][i] for class c.
    std::vector<std::int64_t> labels = {};         // Class c has the label labels[c].
    std::vector<Index> confusion = {};             // These are the counts of confusion_counts().
    std::vector<double> probabilities = {};        // rows x classes; empty where the model has none
};

/// What a regression predicted for rows whose targets are known.
struct ValuePredictions {
    std::vector<double> truth;
    std::vector<double> predicted = {};
    std::vector<double> levels = {};     // of quantiles, ascending; none where one value is predicted
    std::vector<double> at_levels = {};  // rows x levels
    Index targets = 1;                   // of each row; truth and predicted are rows x targets
};

/// What a model predicted for rows that may have several labels. All are rows x labels.
struct LabelPredictions {
    Index labels = 0;
    std::vector<double> truth = {};          // 1 where the row has the label, else 0
    std::vector<double> predicted = {};      // 1 where it is predicted to have it, else 0
    std::vector<double> scores = {};         // the decisions
    std::vector<double> probabilities = {};  // empty where the model has none

    Index rows() const { return std::ssize(truth) / labels; }
};

/// What predictions are of.
enum class MetricsOf { classes, values, labels };

/// A number that tells how good predictions are. It has a function for each kind of predictions that has such
/// a number.
struct Metric {
    std::string name;
    std::string doc;
    bool smaller_is_better;
    std::function<double(const ClassPredictions&)> of_classes = nullptr;
    std::function<double(const ValuePredictions&)> of_values = nullptr;
    std::function<double(const LabelPredictions&)> of_labels = nullptr;
    bool needs_probabilities = false;

    bool is_of(MetricsOf kind) const {
        return kind == MetricsOf::classes  ? of_classes != nullptr
               : kind == MetricsOf::values ? of_values != nullptr
                                           : of_labels != nullptr;
    }
};

/// Gives all metrics in the order in which they are shown. A new one needs an entry in metrics.cpp.
std::span<const Metric> metrics();

/// Finds a metric, with what it is told in brackets, such as nauc(0.05), or throws Error(invalid_parameter)
/// that tells the nearest name.
Metric metric_named(std::string_view name);

/// Counts how many rows of each class were predicted to be of each class. The matrix of classes x classes
/// counts has a row for each true class and a column for each predicted one.
std::vector<Index> confusion_counts(std::span<const Index> truth, std::span<const Index> predicted,
                                    Index classes);

/// Gives the share of the rows whose class was predicted.
double accuracy(std::span<const Index> confusion, Index classes);

struct PrecisionRecall {
    double precision;
    double recall;
    double f1;
};

/// Computes precision, recall and F1 of the second class when there are two, and else their means over the
/// classes that occur. A ratio 0 / 0 counts as 0.
PrecisionRecall precision_recall(std::span<const Index> confusion, Index classes);

/// Computes both for the second class when there are two, and else their means over the classes against the
/// rest. A class without positive or without negative rows is left out; where that leaves none, the answer is
/// NaN.
AcceptanceErrors acceptance_errors(std::span<const Index> confusion, Index classes);

/// Computes the mean over rows and levels of the pinball loss: an error e = truth - predicted costs level e
/// where it is positive and (level - 1) e elsewhere. `predicted` is rows x levels.
double mean_pinball_loss(std::span<const double> truth, std::span<const double> predicted,
                         std::span<const double> levels);

double mean_absolute_error(std::span<const double> truth, std::span<const double> predicted);
double root_mean_squared_error(std::span<const double> truth, std::span<const double> predicted);

/// Computes 1 - squared error / squared deviation from the mean, which is NaN when the truth is constant.
double coefficient_of_determination(std::span<const double> truth, std::span<const double> predicted);

}  // namespace dk
