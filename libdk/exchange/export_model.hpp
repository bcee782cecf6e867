// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "model/model.hpp"

namespace dk {

/// Writes the model in LIBSVM's format, as C99, and as the bytes of an ONNX file. Throws Error(unsupported),
/// which says why, for a model that has no place in the format.
std::string libsvm_text(const Model& model);
std::string c_text(const Model& model, std::string_view name);
std::string onnx_bytes(const Model& model);

/// Writes the model to a file in a format that dk_model_export() documents.
void export_model(const Model& model, const std::string& path, std::string_view format);

}  // namespace dk
