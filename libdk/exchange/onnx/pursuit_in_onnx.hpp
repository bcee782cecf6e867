// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/onnx/onnx_graph.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Adds the codes of rows, rows x columns, whose products s with the columns of a dictionary are in the graph
/// and whose columns have the products H: those of orthogonal_pursuit(H, s, most), and of
/// nonnegative_pursuit(H, -s, most).
std::string orthogonal_pursuit_in_onnx(OnnxGraph& graph, const Matrix& H, const std::string& s, Index most);
std::string nonnegative_pursuit_in_onnx(OnnxGraph& graph, const Matrix& H, const std::string& s, Index most);

}  // namespace dk
