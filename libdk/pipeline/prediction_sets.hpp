// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"

namespace dk {

/// Finds how far rows whose truth is known were from what decisions on them say. The decisions, rows x
/// functions, are those of models that had not seen the rows. Throws Error(unsupported) for novelty detectors
/// and, by class, for regressions.
Nonconformity nonconformity_of(const Model& model, const Dataset& data, std::span<const double> decisions,
                               bool by_class, Control& control);

/// Makes the model with sets of answers that are calibrated on these rows, which training must not have seen.
Model calibrated_on(const Model& model, const Dataset& data, bool by_class, Control& control);

/// Tells how many numbers prediction_sets() gives for a row: a lower and an upper value, or one for each
/// class.
Index prediction_set_width(const Model& model);

/// Gives the set of answers that holds the truth with this probability: the ends of an interval, or for each
/// class 1 where it is in the set and else 0. The class that the model predicts is always in it. Confidence 0
/// stands for that of the model's parameter.
std::vector<double> prediction_sets(const Model& model, const Dataset& data, double confidence,
                                    Control& control);

}  // namespace dk
