// SPDX-License-Identifier: Apache-2.0
#include "exchange/functions/exported_functions.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "kernel/lowrank/feature_stream.hpp"
#include "model/dictionary/nearest_prototype.hpp"
#include "model/dictionary/prototype_dictionary.hpp"
#include "model/free_expansion.hpp"
#include "model/kernel_expansion.hpp"
#include "model/neighbour_votes.hpp"
#include "model/predicted_values.hpp"
#include "model/principal_components.hpp"

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

/// Tells whether a kernel is an approximation by landmarks, of a kernel that has learned nothing itself, and
/// gives these.
const Dataset* landmarks_of(const Kernel& kernel, const Expression& expression) {
    if (expression.name != "lowrank" || kernel.feature_map() == nullptr) return nullptr;
    std::vector<const KernelState*> states;
    kernel.collect_states(states);
    return states.size() == 1 && states.front()->rows.size() == 1 ? &states.front()->rows.front() : nullptr;
}

/// Gives functions of a kernel over rows as formats have them. Those of lowrank(k) are functions of k over
/// the landmarks L: with the features phi(x) = k(x, L) R of rows, W' phi(Z) phi(x)' = (R phi(Z)' W)' k(L, x).
ExportedExpansion expansion_of(const KernelPointer& kernel, const Dataset& points, Matrix weights,
                               std::vector<double> offsets) {
    ExportedExpansion out{parse_expression(kernel->text()), points, std::move(weights), std::move(offsets)};
    const Dataset* landmarks = landmarks_of(*kernel, out.kernel);
    if (landmarks == nullptr) return out;
    Control control;
    const FeatureMap& map = *kernel->feature_map();
    const WeightBlock block = whole_block(out.weights);
    out.weights =
        map.to_raw(combined_features(map, points, {&block, 1}, out.weights.cols(), control), control);
    out.points = *landmarks;
    out.kernel = Expression(*out.kernel.arguments.front().expression);
    return out;
}

/// Lets a rule that asks for k(x, x) have linear in place of lowrank(k): the features phi(x) = k(x, L) R of
/// rows become its last layer, and those of the points are its points.
void take_features_as_layer(const KernelPointer& kernel, ExportedFunctions& out) {
    const Expression expression = parse_expression(kernel->text());
    const Dataset* landmarks = landmarks_of(*kernel, expression);
    if (landmarks == nullptr) return;
    Control control;
    const FeatureMap& map = *kernel->feature_map();
    const Index count = map.dimension();
    const LargeArray<double> features = map.features(out.points, control);
    out.points =
        Dataset(DenseMatrix{out.points.rows(), count, {features.data(), features.data() + features.size()}});
    out.kernel = parse_expression("linear");
    out.layers.emplace_back(ExportedExpansion{*expression.arguments.front().expression, *landmarks,
                                              map.to_raw(Matrix::Identity(count, count), control),
                                              std::vector<double>(count, 0.0)});
}

/// Gives the scores of rows along principal components, s = A' k(Z, x) - c, or what these are divided by.
ExportedExpansion scores_of(const PrincipalComponents& layer) {
    const PrincipalComponents::Components& learned = layer.learned();
    Matrix weights = learned.A();
    std::vector<double> offsets;
    for (Index j = 0; j < learned.count(); ++j) {
        const double length = learned.whitens ? learned.deviation(j) : 1;
        weights.col(j) /= length;
        offsets.push_back(-learned.offsets[j] / length);
    }
    return expansion_of(learned.kernel, learned.rows, std::move(weights), std::move(offsets));
}

struct ExportedLayerOf {
    ExportedLayer operator()(const KeptColumns& kept) const { return kept; }
    ExportedLayer operator()(const LinearMap& map) const { return map; }
    ExportedLayer operator()(const std::shared_ptr<const PrincipalComponents>& layer) const {
        return scores_of(*layer);
    }
};

/// Takes the scaling of rows and columns, which the formats have or which is folded into the points, and the
/// layers.
void take_preparation(const Preparation& preparation, std::string_view format, ExportedFunctions& out) {
    if (!preparation.layers.empty() && format == "libsvm")
        fail(Status::unsupported, "format ", format,
             " has no layers, which the model has: ", preparation.layers.front().text);
    out.scaler = preparation.scaler;
    if (out.scaler.divides_only()) out.scaler.shift.assign(out.scaler.scale.size(), 0.0);
    for (const Layer& layer : preparation.layers)
        out.layers.push_back(std::visit(ExportedLayerOf(), layer.step));
}

/// Gives the scores without division, and behind them the mean of k(x, Z).
ExportedExpansion components_with_mean(const PrincipalComponents& components) {
    const PrincipalComponents::Components& learned = components.learned();
    const Index count = learned.count();
    Matrix weights(learned.rows.rows(), count + 1);
    weights.leftCols(count) = learned.A();
    weights.col(count).setConstant(1 / static_cast<double>(learned.rows.rows()));
    std::vector<double> offsets;
    for (const double offset : learned.offsets) offsets.push_back(-offset);
    offsets.push_back(0);
    return {parse_expression(learned.kernel->text()), learned.rows, std::move(weights), std::move(offsets)};
}

/// Takes the products of rows with the columns of a dictionary, and the rule by which it decides.
void take_dictionary(const PrototypeDictionary::RowPrototypes& learned, ExportedFunctions& out) {
    ExportedExpansion& functions = out;
    const Index columns = learned.coefficients.cols();
    if (dynamic_cast<const NearestPrototype*>(learned.rule.get()) == nullptr) {
        functions = expansion_of(learned.kernel, learned.support, learned.coefficients,
                                 std::vector<double>(columns, 0.0));
        out.codes = {learned.facts, learned.rule};
        return;
    }
    functions = {parse_expression(learned.kernel->text()), learned.support, learned.coefficients,
                 std::vector<double>(columns, 0.0)};
    const Vector squares = learned.facts.products.diagonal();
    out.nearest = {std::vector<double>(squares.begin(), squares.end()), learned.facts.classes};
}

}  // namespace

ExportedFunctions exported_functions(const Model& model, std::string_view format) {
    ExportedFunctions out;
    ExportedExpansion& functions = out;
    const Predictor& predictor = *model.predictor;
    const KernelPointer& kernel = predictor.kernel();
    if (const auto* expansion = dynamic_cast<const KernelExpansion*>(&predictor)) {
        const auto& learned = expansion->learned();
        functions = expansion_of(kernel, learned.support,
                                 joined(learned.gamma, learned.support.rows(), std::ssize(learned.offsets)),
                                 learned.offsets);
    } else if (const auto* free = dynamic_cast<const FreeExpansion*>(&predictor)) {
        functions =
            expansion_of(kernel, free->learned().points, free->learned().W(), free->learned().offsets);
    } else if (const auto* dictionary = dynamic_cast<const PrototypeDictionary*>(&predictor)) {
        take_dictionary(dictionary->learned(), out);
    } else if (const auto* components = dynamic_cast<const PrincipalComponents*>(&predictor);
               components != nullptr && format != "libsvm") {
        functions = components_with_mean(*components);
        out.span = {components->learned().threshold, components->learned().grand_mean};
    } else if (const auto* votes = dynamic_cast<const NeighbourVotes*>(&predictor);
               votes != nullptr && format != "libsvm") {
        const NeighbourVotes::Voters& learned = votes->learned();
        functions = {parse_expression(kernel->text()), learned.rows};
        out.neighbours = {learned.set.squared_norms, learned.set.classes, learned.count};
    } else {
        fail(Status::unsupported, "format ", format,
             " has functions that are sums of kernel values, prototypes and nearest rows; machine ",
             model.machine, " decides otherwise (", predictor.type(), ")");
    }
    out.norms = predictor.prototypes().norms;
    take_preparation(model.preparation, format, out);
    if (out.nearest || out.span || out.neighbours) take_features_as_layer(kernel, out);
    return out;
}

void require_rows_of_numbers(const Model& model, std::string_view format) {
    if (model.kind == DataKind::dense || model.kind == DataKind::sparse) return;
    fail(Status::unsupported, "format ", format, " is for rows of numbers, the model is for ",
         name_of(model.kind), " data");
}

}  // namespace dk
