// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "data/scaling/scaler.hpp"
#include "exchange/onnx/onnx_graph.hpp"

namespace dk {

/// Adds scale_row() of rows.
std::string scaled_rows(OnnxGraph& graph, RowScale how, const std::string& rows);

/// Adds what turns rows, as a user has them, into those that functions are of, and gives the name of these.
std::string preparation_in_onnx(OnnxGraph& graph, const Scaler& scaler, std::string rows);

}  // namespace dk
