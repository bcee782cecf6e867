// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/layers_in_onnx.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "exchange/formula/kernel_formula.hpp"

namespace dk {

namespace {

std::string some_columns(OnnxGraph& graph, const std::string& rows, const Columns& columns) {
    const std::vector<std::int64_t> places(columns.begin(), columns.end());
    return graph.add("Gather", {rows, graph.integers(places)}, {{"axis", 1}});
}

/// Bends the products u of rows and directions.
std::string bent(OnnxGraph& graph, const RandomLayer& layer, Index features, const std::string& u) {
    const std::string one = graph.number(1);
    if (layer.bend == RandomLayer::Bend::sigmoid)
        return graph.add("Div", {one, graph.add("Add", {graph.add("Exp", {graph.add("Neg", {u})}), one})});
    const std::vector<double> scales(features, std::sqrt(2 / static_cast<double>(features)));
    const std::string scale = graph.numbers(scales);
    if (layer.bend == RandomLayer::Bend::fourier) {
        // Programs have no cosine in double precision.
        const std::string turned = graph.add("Add", {u, graph.number(std::numbers::pi / 2)});
        const std::string both =
            graph.add("Concat", {graph.add("Sin", {turned}), graph.add("Sin", {u})}, {{"axis", 1}});
        return graph.add("Mul", {both, scale});
    }
    if (layer.degree == 0)
        return graph.add(
            "Mul", {graph.add("Cast", {graph.add("Greater", {u, graph.number(0)})}, {to_double}), scale});
    const std::string above = graph.add("Max", {u, graph.number(0)});
    std::string power = above;
    for (int n = 1; n < layer.degree; ++n) power = graph.add("Mul", {power, above});
    return graph.add("Mul", {power, scale});
}

struct LayerInOnnx {
    OnnxGraph& graph;
    std::string rows;

    std::string operator()(const KeptColumns& kept) const { return some_columns(graph, rows, kept.columns); }
    std::string operator()(const LinearMap& map) const {
        return graph.add("MatMul", {rows, graph.matrix(map.directions.transpose())});
    }
    std::string operator()(const ExportedExpansion& functions) const {
        return ExpansionInOnnx(graph, functions, rows).values();
    }
    std::string operator()(const JoinedExpansions& expansions) const {
        std::vector<std::string> all;
        for (const ExportedExpansion& functions : expansions) all.push_back((*this)(functions));
        return graph.add("Concat", all, {{"axis", 1}});
    }
    std::string operator()(const RandomNetwork& network) const {
        std::string values = some_columns(graph, rows, network.columns);
        for (const RandomLayer& layer : network.layers) {
            values = graph.add("MatMul", {values, graph.matrix(layer.directions.transpose())});
            if (!layer.biases.empty()) values = graph.add("Add", {values, graph.numbers(layer.biases)});
            values = bent(graph, layer, network.features, values);
        }
        return values;
    }
};

}  // namespace

ExpansionInOnnx::ExpansionInOnnx(OnnxGraph& graph, const ExportedExpansion& functions,
                                 const std::string& rows)
    : graph_(graph),
      functions_(functions),
      points_(with_dense_rows(functions.points, 1, MemoryBudget(0))),
      columns_(functions.columns),
      writer_(graph, rows, view(points_.dense().values.data(), points_.rows(), points_.cols())) {
    if (!columns_.empty()) return;
    columns_.resize(points_.cols());
    std::iota(columns_.begin(), columns_.end(), Index{0});
}

std::string ExpansionInOnnx::values() {
    const KernelTerms terms{writer_, columns_};
    Quantity similarities = kernel_formula(functions_.kernel, terms, "onnx");
    // A kernel that is the same for all pairs has to be written for each of them.
    if (!similarities.of_pairs) similarities = similarities + 0 * terms.sum(ColumnSum::inner);
    if (functions_.weights.size() == 0) return writer_.name_of(similarities, true);
    const std::string products =
        graph_.add("MatMul", {writer_.name_of(similarities, true), graph_.matrix(functions_.weights)});
    return graph_.add("Add", {products, graph_.numbers(functions_.offsets)});
}

std::string ExpansionInOnnx::square_of_row() {
    const KernelTerms terms{writer_, columns_};
    return writer_.name_of(kernel_formula(functions_.kernel, terms.of_row(), "onnx"), false);
}

std::string rows_after_layer(OnnxGraph& graph, const ExportedLayer& layer, const std::string& rows) {
    return std::visit(LayerInOnnx{graph, rows}, layer);
}

}  // namespace dk
