// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/language/expression.hpp"
#include "matrix/matrix.hpp"
#include "model/model.hpp"

namespace dk {

/// The functions f(x) = W' k(Z, x) + b of a model, whose rows x are given as the user has them: columns are
/// scaled first, x -> (x - shift) / scale, where shift is not empty.
struct ExportedFunctions {
    Expression kernel;
    Dataset points = Dataset(DenseMatrix());  // the rows Z
    Matrix weights = {};                      // W, points x functions
    std::vector<double> offsets = {};         // b
    std::vector<double> norms = {};           // |w| of the functions
    std::vector<double> shift = {};
    std::vector<double> scale = {};
    std::vector<double> fill = {};  // These replace missing values, where it is not empty.
};

/// Gives the functions of a model. Throws Error(unsupported), which says why, where `format` has no place for
/// them.
ExportedFunctions exported_functions(const Model& model, std::string_view format);

/// Throws Error(unsupported) for a model whose rows are not numbers.
void require_rows_of_numbers(const Model& model, std::string_view format);

/// Finds the value of a parameter of a call in a kernel's expression, whose parameters are all numbers.
double parameter_of(const Expression& call, std::string_view key);

/// Writes the model in LIBSVM's format, as C99, and as the bytes of an ONNX file. Throws Error(unsupported),
/// which says why, for a model that has no place in the format.
std::string libsvm_text(const Model& model);
std::string c_text(const Model& model, std::string_view name);
std::string onnx_bytes(const Model& model);

/// Writes the model to a file in a format that dk_model_export() documents.
void export_model(const Model& model, const std::string& path, std::string_view format);

}  // namespace dk
