// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "data/metrics/metrics.hpp"
#include "model/model.hpp"

namespace dk {

/// Computes every metric of the model's task for its predictions of labelled data. A metric is NaN where the
/// data do not define it, as auc with one class.
std::map<std::string, double> score_all(const Model& model, const Dataset& data, Control& control);

/// Computes one metric, which is NaN where the data do not define it. Throws Error(unsupported) for a metric
/// of another task.
double score(const Model& model, const Dataset& data, const Metric& metric, Control& control);

/// Finds the position of each row's class among the model's classes. Throws Error(invalid_data) where the
/// rows have no labels, or one that the model does not know.
std::vector<Index> true_classes(const Model& model, const Dataset& data);

/// Finds the class of each row, the one that the model elects, and its score for each class. Throws
/// Error(invalid_data) where the rows have no labels, or one that the model does not know.
ClassPredictions predicted_classes(const Model& model, const Dataset& data, Control& control);

/// The same of rows whose decisions are known.
ClassPredictions predicted_classes(const Model& model, const Dataset& data, std::span<const double> decisions,
                                   Control& control);

/// Computes the score of every row for each class, classes x rows.
std::vector<std::vector<double>> scores_of_classes(const Model& model, std::span<const double> decisions);

/// Gives the labels of each row, those that are predicted, and their decisions. Throws Error(invalid_data)
/// where the rows have no sets of labels, or have a label that the model does not know.
LabelPredictions predicted_labels(const Model& model, const Dataset& data, Control& control);

/// Computes every metric that such predictions have.
std::map<std::string, double> metrics_of(const ClassPredictions& rows);
std::map<std::string, double> metrics_of(const LabelPredictions& rows);
std::map<std::string, double> metrics_of(const ValuePredictions& rows);

/// Gives the targets and the predicted values of a regression. Throws Error(invalid_data) where the rows have
/// no targets.
ValuePredictions predicted_values(const Model& model, const Dataset& data, Control& control);

/// The same of rows whose decisions are known.
ValuePredictions predicted_values(const Model& model, const Dataset& data, std::vector<double> decisions);

/// Counts the rows of each class (the rows of the result) that the model takes for each class (its columns).
std::vector<Index> confusion(const Model& model, const Dataset& data, Control& control);

/// Predicts the probability of each class for each row, rows x classes. Throws Error(unsupported) for a model
/// without calibration.
std::vector<double> probabilities(const Model& model, const Dataset& data, Control& control);

/// Gives what dk_predict gives for each row: the label of the elected class, of several labels 1 for each
/// that is predicted and 0 for the others, or the value of a regression.
std::vector<double> predictions(const Model& model, const Dataset& data, Control& control);

/// The same of rows whose decisions are known.
std::vector<double> predictions_from(const Model& model, std::span<const double> decisions, Control& control);

}  // namespace dk
