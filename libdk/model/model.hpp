// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/dataset.hpp"
#include "data/scaler.hpp"
#include "model/decision_rule.hpp"
#include "model/predictor.hpp"

namespace dk {

/// A trained model: how it was made, and what it learned. Immutable once built.
struct Model {
    std::string machine;
    std::string task;                                             // classification, regression or novelty
    std::vector<std::pair<std::string, std::string>> parameters;  // all, by name, as text

    std::string kernel;                // the combined kernel
    std::vector<std::string> kernels;  // the bank
    std::vector<double> kernel_weights;

    Labels classes;  // the table only; of_rows is empty
    DecisionRule rule = DecisionRule::binary;
    Calibration calibration;  // empty without probabilities

    DataKind kind = DataKind::dense;
    Index features = 0;
    Index training_rows = 0;
    std::vector<std::string> feature_names;
    Scaler scaler;

    // JSON texts
    std::string weight_report = "{}";
    std::string training_report = "{}";
    std::string validation_report = "{}";

    std::shared_ptr<const Predictor> predictor;

    const std::string& parameter(std::string_view name) const;
};

/// Everything but the arrays, as JSON text.
std::string model_info(const Model& model);

/// Decisions from data as the user has them. Throws Error(dimension) when they do not fit.
void decide(const Model& model, const Dataset& data, const DecisionReader& reader, Control& control);

/// All of them: rows x decisions.
std::vector<double> decisions(const Model& model, const Dataset& data, Control& control);

/// rows x prototypes, see dk_explain.
void explain(const Model& model, const Dataset& data, double* out, Control& control);

/// The position of each row's class; not of a regression.
std::vector<Index> elected_classes(const Model& model, std::span<const double> decisions, Control& control);

/// rows x classes; throws Error(unsupported) without calibration.
std::vector<double> probabilities(const Model& model, std::span<const double> decisions, Control& control);

}  // namespace dk
