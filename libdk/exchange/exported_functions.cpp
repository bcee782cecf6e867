// SPDX-License-Identifier: Apache-2.0
#include "exchange/exported_functions.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/memory.hpp"
#include "model/dictionary/nearest_prototype.hpp"
#include "model/dictionary/prototype_dictionary.hpp"
#include "model/free_expansion.hpp"
#include "model/kernel_expansion.hpp"

namespace dk {

namespace {

Matrix joined(std::span<const WeightBlock> blocks, Index rows, Index functions) {
    MemoryBudget(0).require(8.0 * rows * functions,
                            text("coefficients of ", rows, " rows in ", functions, " functions"));
    Matrix weights = Matrix::Zero(rows, functions);
    for (const WeightBlock& block : blocks) {
        const auto values = view(block.weights.data(), block.rows, std::ssize(block.columns));
        for (Index r = 0; r < block.rows; ++r) {
            for (Index c = 0; c < values.cols(); ++c)
                weights(block.first + r, block.columns[c]) = values(r, c);
        }
    }
    return weights;
}

/// Takes the scaling of rows and columns, which the formats have or which is folded into the points.
void take_preparation(const Preparation& preparation, std::string_view format, ExportedFunctions& out) {
    if (!preparation.layers.empty())
        fail(Status::unsupported, "format ", format,
             " has no layers, which the model has: ", preparation.layers.front().text);
    out.scaler = preparation.scaler;
    if (out.scaler.divides_only()) out.scaler.shift.assign(out.scaler.scale.size(), 0.0);
}

/// Gives the dictionary whose nearest prototype decides, or null for other predictors.
const PrototypeDictionary* nearest_prototypes_of(const Predictor& predictor) {
    const auto* dictionary = dynamic_cast<const PrototypeDictionary*>(&predictor);
    const bool nearest =
        dictionary && dynamic_cast<const NearestPrototype*>(dictionary->learned().rule.get()) != nullptr;
    return nearest ? dictionary : nullptr;
}

}  // namespace

ExportedFunctions exported_functions(const Model& model, std::string_view format) {
    ExportedFunctions out;
    const Predictor& predictor = *model.predictor;
    if (const auto* kernel = dynamic_cast<const KernelExpansion*>(&predictor)) {
        out.points = kernel->learned().support;
        out.offsets = kernel->learned().offsets;
        out.weights = joined(kernel->learned().gamma, out.points.rows(), std::ssize(out.offsets));
    } else if (const auto* free = dynamic_cast<const FreeExpansion*>(&predictor)) {
        out.points = free->learned().points;
        out.offsets = free->learned().offsets;
        out.weights = free->learned().W();
    } else if (const auto* dictionary = nearest_prototypes_of(predictor)) {
        out.points = dictionary->learned().support;
        out.weights = dictionary->learned().coefficients;
        const PrototypeFacts& facts = dictionary->learned().facts;
        const Vector squares = facts.products.diagonal();
        out.nearest = {std::vector<double>(squares.begin(), squares.end()), facts.classes};
    } else {
        fail(Status::unsupported, "format ", format,
             " has functions that are sums of kernel values, and nearest prototypes; machine ", model.machine,
             " decides otherwise (", predictor.type(), ")");
    }
    out.norms = predictor.prototypes().norms;
    out.kernel = parse_expression(predictor.kernel()->text());
    take_preparation(model.preparation, format, out);
    return out;
}

void require_rows_of_numbers(const Model& model, std::string_view format) {
    if (model.kind == DataKind::dense || model.kind == DataKind::sparse) return;
    fail(Status::unsupported, "format ", format, " is for rows of numbers, the model is for ",
         name_of(model.kind), " data");
}

namespace {

/// Makes an identifier of a file's name, as C has them.
std::string identifier_of(std::string_view path) {
    path.remove_prefix(std::min(path.find_last_of("/\\") + 1, path.size()));
    std::string name(path.substr(0, path.find('.')));
    for (char& c : name) {
        const bool allowed = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!allowed) c = '_';
    }
    return name.empty() || (name.front() >= '0' && name.front() <= '9') ? "model_" + name : name;
}

}  // namespace

void export_model(const Model& model, const std::string& path, std::string_view format) {
    std::string content;
    if (format == "libsvm") {
        content = libsvm_text(model);
    } else if (format == "c") {
        content = c_text(model, identifier_of(path));
    } else if (format == "onnx") {
        content = onnx_bytes(model);
    } else {
        fail(Status::invalid_argument, "format is ", in_quotes(format), "; allowed is libsvm, onnx or c");
    }
    replace_file(path, {reinterpret_cast<const std::uint8_t*>(content.data()), content.size()});
}

}  // namespace dk
