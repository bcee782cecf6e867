// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/adopted_model.hpp"
#include "exchange/model_text.hpp"

namespace dk {

/// Labels are written as doubles, which tell integers apart up to here. The programs themselves have labels
/// of 32 bits.
constexpr Index largest_label = Index{1} << 53U;

/// Reads a model of LIBSVM, or of ThunderSVM, whose format is nearly the same.
AdoptedModel read_libsvm_model(ModelText& text, const ImportOptions& options, Control& control);

/// Reads a model of liblinear, each of whose functions is a kernel machine with one row, its normal.
AdoptedModel read_liblinear_model(ModelText& text, const ImportOptions& options, Control& control);

/// Reads a model file of another program. Throws Error(model_format) that names the line, where it is none.
Model import_model(const std::string& path, const ImportOptions& options, Control& control);

}  // namespace dk
