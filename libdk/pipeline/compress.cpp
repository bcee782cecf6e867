// SPDX-License-Identifier: Apache-2.0
#include "pipeline/compress.hpp"

#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "kernel/bank.hpp"
#include "machine/distillation.hpp"
#include "machine/super_sparse.hpp"
#include "model/report_text.hpp"

namespace dk {

namespace {

void require_super_sparse(const Settings& settings) {
    const std::string& name = settings.machine->name;
    if (name == "super_sparse" || name == "super_sparse_regression") return;
    fail(Status::invalid_parameter, "compressing takes the parameters of machine super_sparse, not of ",
         name);
}

/// Rows as the model knows them. Sparse ones may lack the last columns; similarities must be of training rows
/// with each other, since a prototype among them is one of them.
Dataset rows_for(const Model& model, const Dataset& data) {
    if (data.kind() == DataKind::gram) {
        const GramMatrices& gram = data.gram();
        if (gram.rows() != gram.cols)
            fail(Status::invalid_data,
                 "compressing a model of similarities takes those of the training rows with each other, ",
                 gram.cols, " x ", gram.cols, "; these are ", gram.rows(), " x ", gram.cols);
        require_symmetric(gram);
        return features_only(data);
    }
    if (data.kind() == DataKind::sparse && data.cols() < model.features) {
        SparseMatrix wide = data.sparse();
        wide.cols = model.features;
        return Dataset(std::move(wide));
    }
    Dataset rows = features_only(data);
    return model.scaler.identity() ? rows : model.scaler.apply(rows);
}

/// The kernel of the model, or another for the prototypes.
KernelPointer kernel_for(const Model& model, const Dataset& rows, const Settings& settings,
                         Control& control) {
    const std::string& text = settings.parameters.text("kernel");
    return text == "auto" ? model.predictor->kernel() : make_kernel(text, rows, &control);
}

/// How alike two models decide.
void report_agreement(Report& report, const Model& model, const Model& compressed, const Dataset& data,
                      std::span<const double> targets, Control& control) {
    const auto found = decisions(compressed, data, control);
    double squares = 0;
    for (std::size_t e = 0; e < found.size(); ++e)
        squares += (found[e] - targets[e]) * (found[e] - targets[e]);
    report.add("decision_rmse", std::sqrt(squares / static_cast<double>(found.size())));
    if (model.rule != DecisionRule::regression) {
        const auto ours = elected_classes(compressed, found, control);
        const auto theirs = elected_classes(model, targets, control);
        double equal = 0;
        for (std::size_t i = 0; i < ours.size(); ++i) equal += ours[i] == theirs[i] ? 1 : 0;
        report.add("agreement", equal / static_cast<double>(ours.size()));
    }
    const auto before = static_cast<double>(model.predictor->support_count());
    report.add("support_rows_before", static_cast<std::int64_t>(before));
    report.add("speed_up", before / static_cast<double>(compressed.predictor->support_count()));
}

}  // namespace

Model compress(const Model& model, const Dataset& data, const Settings& settings, Control& control) {
    require_super_sparse(settings);
    control.set_memory(MemoryBudget(settings.parameters.integer("memory_mb")));
    SuperSparseOptions options = super_sparse_options(settings.parameters);
    options.seed = static_cast<std::uint64_t>(settings.parameters.integer("seed"));
    const Index copies = perturbed_copy_count(data, options);
    std::optional<Dataset> joined;
    if (copies > 0) joined = with_perturbed_copies(features_only(data), copies, options.seed, control);
    const Dataset& asked = joined ? *joined : data;
    const Index functions = model.predictor->decision_count();
    const auto values = static_cast<double>(asked.rows() * functions);
    control.memory().require(4 * 8 * values, text("decisions of ", asked.rows(), " rows"));
    SuperSparseTargets targets{
        .values = {},
        .functions = functions,
        .row_weights = std::vector<double>(unsigned_of(asked.rows()), 1 / static_cast<double>(asked.rows()))};
    {
        const ProgressScope scope(control, 0, 0.2, "predicting");
        targets.values = decisions(model, asked, control);
    }
    focus_on_boundary(targets, model.rule, options.focus);
    const Dataset rows = rows_for(model, data);
    const KernelPointer kernel = kernel_for(model, rows, settings, control);
    SuperSparseSolution solution{.points = Dataset(DenseMatrix())};
    {
        const ProgressScope scope(control, 0.2, 0.9, "compressing");
        solution = fit_super_sparse_rows(kernel, joined ? rows_for(model, *joined) : rows, targets, options,
                                         control);
    }
    Report report;
    report_super_sparse(report, solution);
    Model out = model;
    const auto precision =
        settings.parameters.text("precision") == "single" ? Precision::real32 : Precision::real64;
    out.predictor = super_sparse_predictor(
        std::move(solution), kernel, rows, function_sides(model.rule, model.classes.classes()), precision,
        static_cast<Index>(settings.parameters.integer("neighbours")), control);
    out.training_rows = data.rows();
    const ProgressScope scope(control, 0.9, 1, "predicting");
    report_agreement(report, model, out, data,
                     std::span(targets.values).first(unsigned_of(data.rows() * functions)), control);
    if (settings.parameters.text("kernel") != "auto") {
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
