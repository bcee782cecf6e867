// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/functions/exported_functions.hpp"
#include "exchange/onnx/onnx_graph.hpp"

namespace dk {

/// Adds the decisions of classes by the codes of a dictionary, from the rows' products with its columns.
std::string decisions_of_codes(OnnxGraph& graph, const DictionaryCodes& codes, const std::string& products);

}  // namespace dk
