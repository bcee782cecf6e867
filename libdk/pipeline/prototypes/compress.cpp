// SPDX-License-Identifier: Apache-2.0
#include "pipeline/prototypes/compress.hpp"

#include <functional>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/report.hpp"
#include "data/metrics/metrics.hpp"
#include "kernel/language/bank.hpp"
#include "machine/super_sparse/distillation.hpp"
#include "machine/super_sparse/super_sparse_learning.hpp"

namespace dk {

namespace {

void require_super_sparse(const MachineSpecification& specification) {
    const std::string& name = specification.machine->name;
    if (name == "super_sparse" || name == "super_sparse_regression") return;
    fail(Status::invalid_parameter, "compressing takes the parameters of machine super_sparse, not of ",
         name);
}

/// Gives the rows as the model's machine knows them: prepared, without labels, and with all columns, since
/// sparse rows may lack the last. Similarities must be those of training rows with each other, because a
/// prototype is one of these.
Dataset rows_for(const Model& model, const Dataset& given, Control& control) {
    const Dataset data = rows_of_model_kind(model, given, control);
    if (!model.preparation.layers.empty()) return model.preparation.apply(features_only(data), control);
    if (data.kind() == DataKind::gram) {
        const GramMatrices& gram = data.gram();
        if (data.rows() != gram.cols)
            fail(Status::invalid_data,
                 "compressing a model of similarities takes those of the training rows with each other, ",
                 gram.cols, " x ", gram.cols, "; these are ", data.rows(), " x ", gram.cols);
        gram.require_symmetric();
        return features_only(data);
    }
    if (data.kind() == DataKind::sparse && data.cols() < model.features) {
        SparseMatrix wide = data.sparse();
        wide.cols = model.features;
        return Dataset(std::move(wide));
    }
    return model.preparation.apply(features_only(data), control);
}

/// Makes the kernel of the prototypes, which is that of the model where the parameter `kernel` is auto.
KernelPointer kernel_for(const Model& model, const Dataset& rows, const MachineSpecification& specification,
                         Control& control) {
    const std::string& text = specification.parameters[parameter::kernel];
    return text == "auto" ? model.predictor->kernel() : make_kernel(text, rows, &control);
}

template <typename Value>
double share_of_equal(const std::vector<Value>& ours, const std::vector<Value>& theirs) {
    const Index equal = std::inner_product(ours.begin(), ours.end(), theirs.begin(), Index{0}, std::plus<>(),
                                           std::equal_to<>());
    return 1.0 * equal / std::ssize(ours);
}

/// Adds how alike two models decide, and how many rows each needs.
void report_agreement(Report& report, const Model& model, const Model& compressed, const Dataset& data,
                      std::span<const double> targets, Control& control) {
    const auto found = decisions(compressed, data, control);
    report.add("decision_rmse", root_mean_squared_error(targets, found));
    if (model.rule == DecisionRule::labels) {
        report.add("agreement",
                   share_of_equal(elected_labels(compressed, found), elected_labels(model, targets)));
    } else if (model.rule != DecisionRule::regression) {
        report.add("agreement", share_of_equal(elected_classes(compressed, found, control),
                                               elected_classes(model, targets, control)));
    }
    const Index before = model.predictor->support_count();
    report.add("support_rows_before", before);
    report.add("speed_up", 1.0 * before / compressed.predictor->support_count());
}

}  // namespace

Model compress(const Model& model, const Dataset& data, const MachineSpecification& specification,
               Control& control) {
    require_super_sparse(specification);
    control.set_memory(MemoryBudget(specification.parameters[parameter::memory_mb]));
    SuperSparseOptions options = super_sparse_options(specification.parameters);
    options.seed = specification.parameters[parameter::seed];
    const Index copies = perturbed_copy_count(data, options);
    std::optional<Dataset> joined;
    if (copies > 0) joined = with_perturbed_copies(features_only(data), copies, options.seed, control);
    const Dataset& asked = joined ? *joined : data;
    const Index functions = model.predictor->decision_count();
    constexpr double copies_of_decisions = 4;
    control.memory().require(copies_of_decisions * 8 * asked.rows() * functions,
                             text("decisions of ", asked.rows(), " rows"));
    SuperSparseTargets targets{.values = {},
                               .functions = functions,
                               .row_weights = std::vector<double>(asked.rows(), 1.0 / asked.rows())};
    {
        const ProgressScope scope(control, 0, 0.2, "predicting");
        targets.values = decisions(model, asked, control);
    }
    focus_on_boundary(targets, model.rule, options.focus);
    const Dataset rows = rows_for(model, data, control);
    const KernelPointer kernel = kernel_for(model, rows, specification, control);
    SuperSparseSolution solution{.points = Dataset(DenseMatrix())};
    {
        const ProgressScope scope(control, 0.2, 0.9, "compressing");
        solution = fit_super_sparse_rows(kernel, joined ? rows_for(model, *joined, control) : rows, targets,
                                         options, control);
    }
    Report report;
    report_super_sparse(report, solution);
    Model out = model;
    const Precision precision = precision_of(specification.parameters);
    out.predictor = super_sparse_predictor(std::move(solution), kernel, rows,
                                           function_sides(model.rule, model.classes.classes()), precision,
                                           specification.parameters[parameter::neighbours], control);
    out.training_rows = data.rows();
    // The prototypes keep no rows to learn from again, and another kernel has other distances.
    out.kept_answers = nullptr;
    out.factor = nullptr;
    out.sums = nullptr;
    if (specification.parameters[parameter::kernel] != "auto") out.novelty = nullptr;
    const ProgressScope scope(control, 0.9, 1, "predicting");
    report_agreement(report, model, out, data, std::span(targets.values).first(data.rows() * functions),
                     control);
    if (specification.parameters[parameter::kernel] != "auto") {
        out.kernel = kernel->text();
        out.kernels = {out.kernel};
        out.kernel_weights = {1.0};
    }
    Report whole;
    whole.add("compressed", std::vector<Report>{std::move(report)});
    out.training_report = json_text(whole);
    return out;
}

}  // namespace dk
