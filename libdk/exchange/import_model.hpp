// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/adopted_model.hpp"
#include "exchange/model_text.hpp"

namespace dk {

/// Reads a model of LIBSVM, or of ThunderSVM, whose format is nearly the same.
AdoptedModel read_libsvm_model(ModelText& text, const ImportOptions& options, Control& control);

/// Reads a model of liblinear, each of whose functions is a kernel machine with one row, its normal.
AdoptedModel read_liblinear_model(ModelText& text, const ImportOptions& options, Control& control);

/// Reads a model file of another program. Throws Error(model_format) that names the line, where it is none.
Model import_model(const std::string& path, const ImportOptions& options, Control& control);

}  // namespace dk
