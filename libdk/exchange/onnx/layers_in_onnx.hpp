// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/functions/exported_layer.hpp"
#include "exchange/onnx/onnx_graph.hpp"
#include "exchange/onnx/onnx_writer.hpp"

namespace dk {

/// The formulas of functions over rows that are in the graph.
class ExpansionInOnnx {
  public:
    /// The functions must outlive it.
    ExpansionInOnnx(OnnxGraph& graph, const ExportedExpansion& functions, const std::string& rows);

    /// Adds W' k(Z, x) + b, rows x functions, or k(Z, x) where there is no W.
    std::string values();
    /// Adds k(x, x), rows x 1.
    std::string square_of_row();

  private:
    OnnxGraph& graph_;
    const ExportedExpansion& functions_;
    Dataset points_;
    Columns columns_;
    OnnxWriter writer_;
};

/// Adds a layer to rows in the graph, and gives the new ones.
std::string rows_after_layer(OnnxGraph& graph, const ExportedLayer& layer, const std::string& rows);

}  // namespace dk
