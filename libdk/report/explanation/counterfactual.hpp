// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "report/explanation/question.hpp"

namespace dk {

/// The values that a column has in some rows.
struct ColumnValues {
    double least = 0;
    double most = 0;
    bool whole = false;  // whether all are integers
};

/// The training rows of a model, as it has its columns, with the classes that it takes them for, and the
/// standard deviations and values of dense columns.
struct TrainingRows {
    Dataset rows;
    std::vector<Index> elected = {};  // none of a regression
    std::vector<double> deviations = {};
    std::vector<ColumnValues> values = {};
};
TrainingRows training_rows_of(const Model& model, Dataset rows, Control& control);

/// The training row nearest to a row among those that the model takes for another class.
struct NearestOther {
    Index row;        // its position among the training rows
    Index elected;    // the class that the model takes it for
    double distance;  // in feature space; among dense columns in their deviations
};

std::optional<NearestOther> nearest_other(const Model& model, const Dataset& row,
                                          const TrainingRows& training, Control& control);

/// A feature that a counterfactual changes.
struct FeatureChange {
    Index feature;
    double from;
    double to;
    double deviations;  // the change in standard deviations of the feature
};

/// A row that is like the given one but for some features, and that the model takes for another class.
struct Counterfactual {
    Index elected;                       // that class
    double distance;                     // the length of the change in deviations of the features
    std::vector<FeatureChange> changes;  // the largest ones first
};

/// Looks for a counterfactual of a dense row, near and with few changes. With training rows, each value lies
/// within those that its column has there, and is an integer where all of these are. It finds none for rows
/// of another kind, and where neither the gradient nor the nearest row of another class lead to one.
std::optional<Counterfactual> counterfactual(const Model& model, const Dataset& row,
                                             const TrainingRows* training,
                                             const std::optional<NearestOther>& other, Control& control);

}  // namespace dk
