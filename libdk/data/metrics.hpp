// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// What a classifier predicted for rows whose classes are known.
struct ClassPredictions {
    Index classes = 0;
    std::vector<Index> truth = {};                 // of each row the position of its class
    std::vector<Index> elected = {};               // of each row the position of the class that was predicted
    std::vector<std::vector<double>> scores = {};  // of each class the score that each row got for it
    std::vector<std::int64_t> labels = {};         // of each class
    std::vector<Index> confusion = {};             // what confusion_counts() counts
};

/// What a regression predicted for rows whose targets are known.
struct ValuePredictions {
    std::vector<double> truth;
    std::vector<double> predicted;
};

/// A number that tells how good predictions are.
struct Metric {
    std::string name;
    std::string doc;
    bool smaller_is_better;
    std::function<double(const ClassPredictions&)> of_classes;  // empty where classes do not have the metric
    std::function<double(const ValuePredictions&)> of_values;   // empty where values do not have the metric
};

/// All metrics, in the order in which they are shown. Adding one is one entry in metrics.cpp.
std::span<const Metric> metrics();

/// Throws Error(invalid_parameter) with the nearest name.
const Metric& metric_named(std::string_view name);

/// classes x classes counts: rows are the true classes and columns the predicted ones.
std::vector<Index> confusion_counts(std::span<const Index> truth, std::span<const Index> predicted,
                                    Index classes);

double accuracy(std::span<const Index> confusion, Index classes);

struct PrecisionRecall {
    double precision;
    double recall;
    double f1;
};

/// Precision, recall and F1 of the second class when there are two, else their means over the classes that
/// occur. A ratio 0 / 0 counts as 0.
PrecisionRecall precision_recall(std::span<const Index> confusion, Index classes);

/// Area under the ROC curve: the probability that a positive row scores above a negative one, where a tie
/// counts half. It is NaN when there is no positive or no negative row.
double area_under_curve(std::span<const double> scores, const std::vector<bool>& positive);

double mean_absolute_error(std::span<const double> truth, std::span<const double> predicted);
double root_mean_squared_error(std::span<const double> truth, std::span<const double> predicted);

/// 1 - squared error / squared deviation from the mean; NaN when the truth is constant.
double coefficient_of_determination(std::span<const double> truth, std::span<const double> predicted);

}  // namespace dk
