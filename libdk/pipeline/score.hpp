// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "model/model.hpp"

namespace dk {

/// The value of every metric of the model's task for its predictions of labelled data. A metric that the data
/// do not define (auc with one class) is NaN.
std::map<std::string, double> score_all(const Model& model, const Dataset& data, Control& control);

/// classes x classes, rows the truth.
std::vector<Index> confusion(const Model& model, const Dataset& data, Control& control);

/// rows x classes; throws Error(unsupported) without calibration.
std::vector<double> probabilities(const Model& model, const Dataset& data, Control& control);

/// What dk_predict gives for each row: the label of the elected class.
std::vector<double> predictions(const Model& model, const Dataset& data, Control& control);

}  // namespace dk
