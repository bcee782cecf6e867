// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/onnx/onnx_graph.hpp"
#include "model/model.hpp"

namespace dk {

/// Adds the probabilities of the classes, or of labels, from the decisions.
std::string probabilities_in_onnx(OnnxGraph& graph, const Model& model, const std::string& decisions);

/// Adds the election of the class with the largest probability, and of those whose probabilities are the
/// same, where each class has a decision, that of the largest decision.
std::string elected_by_probability(OnnxGraph& graph, const Model& model, const std::string& decisions,
                                   const std::string& probabilities);

}  // namespace dk
