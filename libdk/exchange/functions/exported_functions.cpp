// SPDX-License-Identifier: Apache-2.0
#include "exchange/functions/exported_functions.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "kernel/lowrank/feature_stream.hpp"
#include "model/dictionary/nearest_prototype.hpp"
#include "model/dictionary/prototype_dictionary.hpp"
#include "model/free_expansion.hpp"
#include "model/fuzzy_ensemble.hpp"
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

/// Gives functions of a kernel over rows as formats have them. Where the kernel is a product of features,
/// k(x, z) = phi(x).phi(z), the rows Z are needed for phi(Z)' W alone: with phi(x) = R' k(L, x) for landmarks
/// L, f(x) = (R phi(Z)' W)' k(L, x), and with features by chance the functions are the points themselves.
ExportedExpansion expansion_of(const KernelPointer& kernel, const Dataset& points, Matrix weights,
                               std::vector<double> offsets) {
    const FeatureMap* map = kernel->feature_map();
    ExportedExpansion out{.points = points, .weights = std::move(weights), .offsets = std::move(offsets)};
    if (map == nullptr || !is_product_of_features(*kernel)) {
        out.kernel = exported_kernel(*kernel, points);
        return out;
    }
    Control control;
    const WeightBlock block = whole_block(out.weights);
    const Matrix w = combined_features(*map, points, {&block, 1}, out.weights.cols(), control);
    out.kernel = exported_kernel(*kernel, points.select(std::array{Index{0}}));
    LearnedFeatures& features = *out.kernel.learned.back();
    if (auto* landmarks = std::get_if<ExportedExpansion>(&features.layer)) {
        ExportedExpansion of_landmarks = std::move(*landmarks);
        of_landmarks.weights = map->to_raw(w, control);
        of_landmarks.offsets = std::move(out.offsets);
        return of_landmarks;
    }
    features.of_points = w.transpose();
    out.points = Dataset(DenseMatrix{w.cols(), points.cols(), std::vector<double>(w.cols() * points.cols())});
    out.weights = Matrix::Identity(w.cols(), w.cols());
    return out;
}

ExportedExpansion expansion_of(const KernelExpansion& machine) {
    const auto& learned = machine.learned();
    const Index functions = std::ssize(learned.offsets);
    return expansion_of(machine.kernel(), learned.support,
                        joined(learned.gamma, learned.support.rows(), functions), learned.offsets);
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
    return {exported_kernel(*learned.kernel, learned.rows), learned.rows, std::move(weights),
            std::move(offsets)};
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
    functions = {exported_kernel(*learned.kernel, learned.support), learned.support, learned.coefficients,
                 std::vector<double>(columns, 0.0)};
    const Vector squares = learned.facts.products.diagonal();
    out.nearest = {std::vector<double>(squares.begin(), squares.end()), learned.facts.classes};
}

/// Lets the decisions of all machines be a layer, whose results are the functions.
void take_ensemble(const FuzzyEnsemble& ensemble, ExportedFunctions& out) {
    const FuzzyEnsemble::Members& members = ensemble.members();
    JoinedExpansions machines;
    for (const auto& machine : members.machines)
        machines.push_back(expansion_of(dynamic_cast<const KernelExpansion&>(*machine)));
    const Index count = std::ssize(machines) * ensemble.decision_count();
    out.layers.emplace_back(std::move(machines));
    out.kernel.expression = std::make_shared<const Expression>(parse_expression("linear"));
    out.weights = Matrix::Identity(count, count);
    out.points = Dataset(DenseMatrix{count, count, {out.weights.data(), out.weights.data() + count * count}});
    out.offsets.assign(static_cast<std::size_t>(count), 0.0);
    out.fuzzy = {members.measures};
}

}  // namespace

ExportedFunctions exported_functions(const Model& model, std::string_view format) {
    ExportedFunctions out;
    ExportedExpansion& functions = out;
    const Predictor& predictor = *model.predictor;
    const KernelPointer& kernel = predictor.kernel();
    take_preparation(model.preparation, format, out);
    if (const auto* expansion = dynamic_cast<const KernelExpansion*>(&predictor)) {
        functions = expansion_of(*expansion);
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
        functions = {exported_kernel(*kernel, learned.rows), learned.rows};
        out.neighbours = {learned.set.squared_norms, learned.set.classes, learned.count};
    } else if (const auto* ensemble = dynamic_cast<const FuzzyEnsemble*>(&predictor);
               ensemble != nullptr && format != "libsvm") {
        take_ensemble(*ensemble, out);
    } else {
        fail(Status::unsupported, "format ", format,
             " has functions that are sums of kernel values, prototypes and nearest rows; machine ",
             model.machine, " decides otherwise (", predictor.type(), ")");
    }
    out.norms = predictor.prototypes().norms;
    return out;
}

void require_rows_of_numbers(const Model& model, std::string_view format) {
    if (model.kind == DataKind::dense || model.kind == DataKind::sparse) return;
    fail(Status::unsupported, "format ", format, " is for rows of numbers, the model is for ",
         name_of(model.kind), " data");
}

}  // namespace dk
