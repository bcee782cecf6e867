// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace dk {

struct MetricDescription {
    std::string name;
    std::string doc;
    bool of_classes;
    bool of_values;
};

/// All metrics, in the order in which they are shown.
std::span<const MetricDescription> metric_descriptions();

/// classes x classes counts, row = truth, column = prediction; positions are class positions.
std::vector<Index> confusion_counts(std::span<const Index> truth, std::span<const Index> predicted,
                                    Index classes);

double accuracy(std::span<const Index> confusion, Index classes);

struct PrecisionRecall {
    double precision;
    double recall;
    double f1;
};

/// Of the second class when there are two, else the mean over the classes that occur. A ratio
/// 0 / 0 counts as 0.
PrecisionRecall precision_recall(std::span<const Index> confusion, Index classes);

/// Area under the ROC curve: the probability that a positive row scores above a negative one, ties
/// counting half. NaN when one of the two is missing.
double area_under_curve(std::span<const double> scores, const std::vector<bool>& positive);

double mean_absolute_error(std::span<const double> truth, std::span<const double> predicted);
double root_mean_squared_error(std::span<const double> truth, std::span<const double> predicted);

/// 1 - squared error / squared deviation from the mean; NaN when the truth is constant.
double coefficient_of_determination(std::span<const double> truth, std::span<const double> predicted);

}  // namespace dk
