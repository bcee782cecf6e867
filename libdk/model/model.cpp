// SPDX-License-Identifier: Apache-2.0
#include "model/model.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/report.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "data/named_columns.hpp"
#include "data/reading/reading_sentences.hpp"
#include "model/predicted_values.hpp"

namespace dk {

const std::string& Model::parameter(std::string_view name) const {
    const auto found = std::ranges::find(parameters, name, &std::pair<std::string, std::string>::first);
    if (found == parameters.end()) fail(Status::internal, "model without parameter ", name);
    return found->second;
}

bool Model::predicts_levels() const {
    return rule == DecisionRule::regression && targets == 1 && predictor->decision_count() > 1;
}

bool Model::elects_by_probability() const {
    // Models of files from before this parameter elect by decisions, too.
    return !calibration.empty() &&
           std::ranges::count(parameters, std::pair<std::string, std::string>("elect", "probability")) > 0;
}

EarlierFile training_file(const Model& model) {
    EarlierFile file{model.feature_names, model.features, {}};
    if (model.parameter("impute") != "none") file.options.emplace_back("missing", "keep");
    std::ranges::copy(model.reading, std::back_inserter(file.options));
    return file;
}

namespace {

std::vector<Report> described_layers(const Preparation& preparation) {
    std::vector<Report> layers;
    for (const Layer& layer : preparation.layers)
        layers.emplace_back().add("layer", layer.text).add("learned", Report::JsonText{layer.report});
    return layers;
}

}  // namespace

std::string model_info(const Model& model) {
    std::vector<Report> kernels;
    for (std::size_t k = 0; k < model.kernels.size(); ++k)
        kernels.emplace_back().add("kernel", model.kernels[k]).add("weight", model.kernel_weights[k]);
    Report parameters;
    for (const auto& [name, value] : model.parameters) parameters.add(name, value);
    std::vector<std::string> classes;
    for (Index c = 0; c < model.classes.classes(); ++c) classes.push_back(model.classes.class_name(c));
    const PrototypeSet& set = model.predictor->prototypes();
    Report prototypes;
    prototypes.add("count", set.count());
    prototypes.add("pairs", model.predictor->prototypes_are_pairs());
    prototypes.add("neighbours", set.neighbours);

    Report info;
    info.add("libdk", version_string);
    info.add("machine", model.machine);
    info.add("task", model.task);
    info.add("kernel", model.kernel);
    info.add("kernels", std::move(kernels));
    info.add("weights", model.parameter("weights"));
    info.add("weight_report", Report::JsonText{model.weight_report});
    info.add("parameters", std::move(parameters));
    info.add("classes", std::move(classes));
    info.add("decision_rule", std::string(name_of(model.rule)));
    info.add("probabilities", !model.calibration.empty());
    if (!model.nonconformity.empty()) {
        Report confidence;
        std::vector<double> rows;
        for (const auto& scores : model.nonconformity.scores) rows.push_back(std::ssize(scores));
        confidence.add("by_class", model.nonconformity.by_class());
        confidence.add("rows", std::move(rows));
        info.add("confidence", std::move(confidence));
    }
    info.add("novelty", model.novelty != nullptr);
    info.add("updatable", model.kept_answers != nullptr);
    info.add("data", std::string(name_of(model.kind)));
    info.add("features", model.features);
    if (!model.feature_names.empty()) info.add("feature_names", model.feature_names);
    Report reading;
    for (const auto& [option, value] : model.reading) reading.add(option, value);
    if (!model.reading.empty()) info.add("reading", std::move(reading));
    auto understood = reading_sentences(model.reading);
    if (!understood.empty()) info.add("understood", std::move(understood));
    if (!model.preparation.layers.empty()) info.add("layers", described_layers(model.preparation));
    info.add("training_rows", model.training_rows);
    info.add("support_rows", model.predictor->support_count());
    info.add("decisions", model.predictor->decision_count());
    if (model.task == "regression" || model.task == "multilabel") info.add("targets", model.targets);
    info.add("prototypes", std::move(prototypes));
    info.add("training", Report::JsonText{model.training_report});
    if (model.validation_report != "{}")
        info.add("cross_validation", Report::JsonText{model.validation_report});
    if (model.choice_report != "{}") info.add("choice", Report::JsonText{model.choice_report});
    if (model.threshold_report != "{}") info.add("threshold", Report::JsonText{model.threshold_report});
    return json_text(info);
}

namespace {

void require_fitting(const Model& model, const Dataset& data) {
    if (data.kind() != model.kind) {
        fail(Status::dimension, "the model was trained on ", name_of(model.kind), " data, these are ",
             name_of(data.kind()));
    }
    // Sparse rows may lack the last columns: what is not there is zero.
    const bool fits =
        model.kind == DataKind::sparse ? data.cols() <= model.features : data.cols() == model.features;
    if (!fits) {
        fail(Status::dimension, "the model was trained on ", model.features, " columns, these data have ",
             data.cols());
    }
}

bool has_columns_of_numbers(DataKind kind) {
    return kind == DataKind::dense || kind == DataKind::sparse;
}

}  // namespace

Dataset rows_of_model_kind(const Model& model, const Dataset& data, Control& control) {
    const bool convertible = has_columns_of_numbers(data.kind()) && has_columns_of_numbers(model.kind);
    if (data.kind() == model.kind || !convertible) return data;
    if (model.kind == DataKind::sparse) {
        require_complete(data);
        return with_sparse_rows(data);
    }
    if (data.cols() >= model.features) return with_dense_rows(data, 1, control.memory());
    SparseMatrix wide = data.sparse();
    wide.cols = model.features;
    return with_dense_rows(data.with_features(std::move(wide)), 1, control.memory());
}

Dataset rows_for_model(const Model& model, const Dataset& rows, Control& control) {
    require_memory_for_columns(rows, control.memory());
    Dataset alike = rows_of_model_kind(model, rows, control);
    if (alike.kind() == model.kind) alike = with_columns_named(alike, model.feature_names);
    require_fitting(model, alike);
    return alike;
}

Dataset prepared_rows(const Model& model, const Dataset& rows, Control& control) {
    return model.preparation.apply(rows_for_model(model, rows, control), control);
}

// Whatever a predictor writes is looked at here, because a model with numbers that are large enough overflows
// anywhere, and nobody shall take that for an answer.

void decide(const Model& model, const Dataset& data, const DecisionReader& reader, Control& control) {
    const Index width = model.predictor->decision_count();
    Index first = 0;
    const bool of_levels = model.predicts_levels();
    const auto read_finite = [&](std::span<const double> some) {
        require_finite_results(some, width, first);
        first += std::ssize(some) / width;
        if (!of_levels) return reader(some);
        std::vector<double> sorted(some.begin(), some.end());
        for (auto row = sorted.begin(); row != sorted.end(); row += width) std::sort(row, row + width);
        reader(sorted);
    };
    model.predictor->decide(prepared_rows(model, data, control), read_finite, control);
}

void require_memory_of_decisions(Index rows, Index functions, Index matrices, Control& control) {
    constexpr double little = 1 << 20;  // The budget may ask the system, which takes longer than one row.
    const double bytes = 8.0 * static_cast<double>(matrices * rows) * static_cast<double>(functions);
    if (bytes <= little) return;
    control.memory().require(bytes, text("decisions of ", rows, " rows by ", functions, " functions"));
}

std::vector<double> decisions(const Model& model, const Dataset& data, Control& control) {
    std::vector<double> values;
    require_memory_of_decisions(data.rows(), model.predictor->decision_count(), 1, control);
    values.reserve(data.rows() * model.predictor->decision_count());
    const auto keep = [&](std::span<const double> some) {
        values.insert(values.end(), some.begin(), some.end());
    };
    decide(model, data, keep, control);
    return values;
}

std::vector<double> predicted_values(const Model& model, std::vector<double> decisions) {
    const Index width = model.predictor->decision_count();
    if (!model.predicts_levels()) return decisions;
    const Index rows = std::ssize(decisions) / width;
    std::vector<double> middle(rows);
    for (Index i = 0; i < rows; ++i) middle[i] = decisions[i * width + (width - 1) / 2];
    return middle;
}

void explain(const Model& model, const Dataset& data, double* out, Control& control) {
    model.predictor->explain(prepared_rows(model, data, control), out, control);
    const Index count = model.predictor->prototypes().count();
    require_finite_results(std::span(out, data.rows() * count), count);
}

DecisionParts decision_parts(const Model& model, const Dataset& row, Control& control) {
    DecisionParts parts = model.predictor->decision_parts(prepared_rows(model, row, control), control);
    for (const DecisionTerm& term : parts.terms) require_finite_results({&term.contribution, 1}, 1);
    require_finite_results(parts.offsets, std::max<Index>(std::ssize(parts.offsets), 1));
    return parts;
}

Matrix decisions_by_kernel(const Model& model, const Dataset& row, Control& control) {
    Matrix decisions = model.predictor->decisions_by_kernel(prepared_rows(model, row, control), control);
    require_finite_results(std::span(decisions.data(), static_cast<std::size_t>(decisions.size())),
                           std::max<Index>(decisions.size(), 1));
    return decisions;
}

namespace {

/// Gives points in the columns and units of the data; a column that no layer kept is NaN.
void restore(const Model& model, std::span<const double> points, std::span<double> out) {
    model.preparation.restore(points, model.features, out);
    if (std::ranges::any_of(out, [](double value) { return std::isinf(value); }))
        fail(Status::numerical, "points of the model overflow in the units of the data");
}

}  // namespace

void prototype_coordinates(const Model& model, std::span<double> out) {
    const Index count = model.predictor->prototypes().count();
    std::vector<double> points(count * model.preparation.outputs(model.features));
    model.predictor->prototype_coordinates(points.data());
    if (!std::ranges::all_of(points, [](double value) { return std::isfinite(value); }))
        fail(Status::numerical, "prototypes of the model overflow, so that they have no coordinates");
    restore(model, points, out);
}

void prototype_coefficients(const Model& model, std::span<double> out) {
    model.predictor->prototype_coefficients(out.data());
    if (!std::ranges::all_of(out, [](double value) { return std::isfinite(value); }))
        fail(Status::numerical, "prototypes of the model overflow, so that they have no coefficients");
}

std::vector<double> prototype_offsets(const Model& model) {
    const PrototypeSet& set = model.predictor->prototypes();
    std::vector<double> offsets;
    for (std::size_t f = 0; f < set.shifts.size(); ++f) {
        offsets.push_back(set.shifts[f] / (2 * set.scales[f]));
        if (!std::isfinite(offsets.back()))
            fail(Status::numerical, "the shift of function ", f, " is ", set.shifts[f], " and its scale ",
                 set.scales[f], ", so that it has no offset");
    }
    return offsets;
}

Index transform_count(const Model& model) {
    const Index count = model.predictor->transform_count();
    if (count > 0 || model.preparation.layers.empty()) return count;
    return model.preparation.outputs(model.features);
}

Index required_transform_count(const Model& model) {
    if (const Index count = transform_count(model); count > 0) return count;
    fail(Status::unsupported, "machine ", model.machine, " with kernel ", model.kernel,
         " has no features of rows; imkpl, iskpl, super_sparse and elm have, and any machine with "
         "kernels lowrank or with layers");
}

void transform(const Model& model, const Dataset& data, double* out, Control& control) {
    control.memory().require(8.0 * data.rows() * required_transform_count(model),
                             text("features of ", data.rows(), " rows"));
    const Dataset prepared = prepared_rows(model, data, control);
    if (model.predictor->transform_count() > 0) {
        model.predictor->transform(prepared, out, control);
    } else {
        std::ranges::copy(prepared.dense().values, out);
    }
    const Index count = transform_count(model);
    require_finite_results(std::span(out, data.rows() * count), count);
}

void reconstruct(const Model& model, const Dataset& data, std::span<double> out, Control& control) {
    const Index width = model.preparation.outputs(model.features);
    control.memory().require(8.0 * data.rows() * (width + model.features),
                             text("reconstructions of ", data.rows(), " rows"));
    std::vector<double> points(data.rows() * width);
    model.predictor->reconstruct(prepared_rows(model, data, control), points.data(), control);
    require_finite_results(points, width);
    restore(model, points, out);
}

namespace {

/// Calls body(row, decisions of the row) for each row, on all threads.
template <typename Body>
void for_rows(const Model& model, std::span<const double> decisions, Control& control, Body body) {
    constexpr Index rows_at_once = 64;
    const ProgressHold hold(control);
    const Index width = model.predictor->decision_count();
    const Index rows = std::ssize(decisions) / width;
    parallel_for((rows + rows_at_once - 1) / rows_at_once, control, [&](Index piece) {
        const Index end = std::min(rows, (piece + 1) * rows_at_once);
        for (Index i = piece * rows_at_once; i < end; ++i) body(i, decisions.subspan(i * width, width));
    });
}

}  // namespace

namespace {

/// Lets decisions choose among the classes whose probabilities are the largest and equal, as those of
/// sigmoids that have rounded to 1, where each class has a decision.
void prefer_larger_decisions(const Model& model, std::span<const double> decisions,
                             std::span<double> scores) {
    // Three classes have as many decisions of pairs, which are of no class alone.
    if (decisions.size() != scores.size() || model.rule == DecisionRule::one_vs_one) return;
    const double most = *std::ranges::max_element(scores);
    if (std::ranges::count(scores, most) < 2) return;
    const double falling = model.calibration.slopes.front() < 0 ? 1 : -1;
    for (std::size_t c = 0; c < scores.size(); ++c)
        scores[c] = scores[c] == most ? falling * decisions[c] : -infinity;
}

}  // namespace

std::vector<Index> elected_classes(const Model& model, std::span<const double> decisions, Control& control) {
    if (model.rule == DecisionRule::regression)
        fail(Status::unsupported, "machine ", model.machine, " predicts values, no classes");
    if (model.rule == DecisionRule::labels)
        fail(Status::unsupported,
             "the model predicts several labels a row, and this is of models that elect one class");
    const Index classes = model.classes.classes();
    const bool by_probability = model.elects_by_probability();
    std::vector<Index> elected(decisions.size() / model.predictor->decision_count());
    for_rows(model, decisions, control, [&](Index i, std::span<const double> row) {
        std::vector<double> scores(classes);
        if (by_probability) {
            class_probabilities(model.rule, classes, row, model.calibration, scores);
            prefer_larger_decisions(model, row, scores);
        } else {
            class_scores(model.rule, classes, row, model.predictor->prototypes().norms, scores);
        }
        elected[i] = first_largest(scores);
    });
    return elected;
}

std::vector<double> elected_labels(const Model& model, std::span<const double> decisions) {
    const bool by_probability = model.elects_by_probability();
    const Index labels = model.classes.classes();
    std::vector<double> of_row(labels);
    std::vector<double> elected;
    elected.reserve(decisions.size());
    for (; !decisions.empty(); decisions = decisions.subspan(labels)) {
        std::ranges::copy(decisions.first(labels), of_row.begin());
        if (by_probability)
            class_probabilities(model.rule, labels, decisions.first(labels), model.calibration, of_row);
        for (const double value : of_row) elected.push_back(value > (by_probability ? 0.5 : 0.0) ? 1 : 0);
    }
    return elected;
}

std::vector<RowNovelty> novelty(const Model& model, const Dataset& data, Control& control) {
    if (!model.novelty)
        fail(Status::unsupported,
             "the model does not tell how far rows lie from its training rows; train it with novelty=yes");
    return model.novelty->of(prepared_rows(model, features_only(data), control), control);
}

std::vector<double> probabilities(const Model& model, std::span<const double> decisions, Control& control) {
    if (model.calibration.empty()) {
        fail(Status::unsupported, "the model has no probabilities; train it with probability=yes");
    }
    const Index classes = model.classes.classes();
    const auto rows = decisions.size() / model.predictor->decision_count();
    std::vector<double> out(rows * classes);
    for_rows(model, decisions, control, [&](Index i, std::span<const double> row) {
        class_probabilities(model.rule, classes, row, model.calibration,
                            std::span(out).subspan(i * classes, classes));
    });
    return out;
}

}  // namespace dk
