// SPDX-License-Identifier: Apache-2.0
#include "pipeline/train.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/report.hpp"
#include "data/split.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/language/bank.hpp"
#include "kernel/operator/algebra.hpp"
#include "kernel/operator/corrected.hpp"
#include "matrix/matrix.hpp"
#include "pipeline/held_out_trainer.hpp"
#include "weights/strategy.hpp"

namespace dk {

namespace {

/// Leaves out the classes that no row has, because a fold may lack one.
Labels present_classes(const Labels& labels) {
    std::vector<Index> position(labels.classes(), -1);
    for (const Index c : labels.of_rows) position[c] = 0;
    Labels present;
    for (Index c = 0; c < labels.classes(); ++c) {
        if (position[c] < 0) continue;
        position[c] = present.classes();
        present.values.push_back(labels.values[c]);
        if (!labels.names.empty()) present.names.push_back(labels.names[c]);
    }
    for (const Index c : labels.of_rows) present.of_rows.push_back(position[c]);
    return present;
}

void require_positive_weight(const Dataset& data, const Labels& labels) {
    if (data.sample_weights.empty()) return;
    std::vector<double> sums(labels.classes());
    for (Index i = 0; i < data.rows(); ++i) {
        sums[labels.of_rows[i]] += data.sample_weights[i];
    }
    const auto zero = std::ranges::find(sums, 0.0) - sums.begin();
    if (zero < std::ssize(sums)) {
        fail(Status::invalid_data, "every row of class ", labels.class_name(zero),
             " has the sample weight 0");
    }
}

/// Makes similarities what training needs: square and symmetric, with those of each row to itself known.
/// Where the similarities come from a callback and a correction will look at all of them, each pair is
/// computed only once.
Dataset training_similarities(const Dataset& data, bool corrects, Control& control) {
    const GramMatrices& given = data.gram();
    if (given.values) {
        if (corrects && given.source_rows == given.cols) return symmetrised(data);
        require_symmetric(given);
        return data;
    }
    require_symmetric(given);
    const KernelPointer kernel = make_kernel("gram(0)", data);
    GramMatrices gram = given;
    if (gram.self.empty()) {
        for (Index i = 0; i < gram.rows(); ++i) {
            control.check();
            const Index row = gram.source_row(i);
            gram.self.emplace_back();
            (*gram.compute)({&row, 1}, {&row, 1}, &gram.self.back());
        }
    }
    Dataset out = data.with_features(gram);
    if (!corrects) return out;
    const Index n = data.rows();
    control.memory().require(8.0 * n * (n + gram.cols), text("similarities of ", n, " rows"));
    std::vector<double> computed(n * n);
    const ProgressHold hold(control);
    GramEngine<double>(kernel, out, out, &control).matrices(computed.data(), control);
    std::vector<double> values(n * gram.cols);
    view(values.data(), n, gram.cols)(Eigen::all, gram.row_ids) = view(std::as_const(computed).data(), n, n);
    gram.values = std::make_shared<const std::vector<double>>(std::move(values));
    gram.compute = nullptr;
    gram.source_rows = n;
    gram.source_ids.resize(n);
    std::iota(gram.source_ids.begin(), gram.source_ids.end(), Index{0});
    return data.with_features(std::move(gram));
}

Labels training_classes(const Dataset& data) {
    if (!data.labels) {
        fail(Status::invalid_data, "training a classifier needs labels; the data have ",
             data.targets.empty()
                 ? "none"
                 : "only targets that are no integers, which a regression such as svr learns");
    }
    Labels labels = present_classes(*data.labels);
    if (labels.classes() < 2) {
        fail(Status::invalid_data, "training needs at least two classes; all ", data.rows(),
             " rows are of class ", labels.class_name(0));
    }
    require_positive_weight(data, labels);
    return labels;
}

void require_some_weight(const Dataset& data) {
    if (!data.sample_weights.empty() && std::ranges::max(data.sample_weights) <= 0)
        fail(Status::invalid_data, "every row has the sample weight 0");
}

/// Scales the data and gives them what the task needs: labels of the classes that are present, or targets.
Dataset prepare_training(const Dataset& data, Task task, const Scaler& scaler, bool corrects,
                         Control& control) {
    std::optional<Labels> labels;
    std::vector<double> targets;
    if (task == Task::classification) labels = training_classes(data);
    if (task == Task::regression) targets = targets_of(data);
    if (task != Task::classification) require_some_weight(data);
    Dataset prepared =
        data.kind() == DataKind::gram ? training_similarities(data, corrects, control) : scaler.apply(data);
    prepared.labels = std::move(labels);
    prepared.targets = std::move(targets);
    return prepared;
}

/// Lists the classes that a model predicts. A regression has none. A novelty detector has -1 for rows unlike
/// the training rows and 1 for rows like them.
Labels predicted_classes(Task task, const Dataset& prepared) {
    Labels classes;
    if (task == Task::novelty) classes.values = {-1, 1};
    if (task == Task::classification) classes = *prepared.labels;
    classes.of_rows.clear();
    return classes;
}

/// The kernels of a model with their weights, and what is to be reported of both.
struct WeighedBank {
    Bank bank;
    std::vector<double> weights;
    std::string report;
    std::vector<Report> corrections = {};  // a report for each kernel that was not positive semidefinite
};

/// Makes the kernels positive semidefinite on the training rows where they are not.
void correct_spectra(WeighedBank& weighed, SpectrumMethod method, const Dataset& data, Control& control) {
    for (auto& kernel : weighed.bank) {
        const std::string name = kernel->text();
        Correction correction = corrected(kernel, method, data, control);
        if (!correction.changed) continue;
        kernel = std::move(correction.kernel);
        Report report;
        report.add("kernel", name);
        report.add("method", std::string(name_of(method)));
        report.add("lowest_eigenvalue", correction.lowest_eigenvalue);
        report.add("highest_eigenvalue", correction.highest_eigenvalue);
        report.add("negative_eigenvalues", correction.negative_eigenvalues);
        weighed.corrections.push_back(std::move(report));
    }
}

/// Reads the parameter C, by which strategies that solve a program weigh errors. It is 1 for machines without
/// it.
double cost_of_errors(const MachineSpecification& specification) {
    constexpr RealKey cost{"C", 1, Range::positive(), "Errors cost so much in most machines."};
    return specification.parameters.has(cost.name) ? specification.parameters[cost] : cost.default_value;
}

WeighedBank weigh_bank(const Dataset& data, const MachineSpecification& specification,
                       const MemoryBudget& budget, Control& control) {
    WeighedBank result{make_bank(kernel_of(specification, data), data, &control), {}, "{}"};
    const std::string& spectrum = specification.parameters[parameter::spectrum];
    if (spectrum != "none") correct_spectra(result, spectrum_method(spectrum), data, control);
    if (specification.machine->weighs_kernels) {
        if (specification.parameters[parameter::weights] != "uniform")
            fail(Status::unsupported, "machine ", specification.machine->name,
                 " weighs the kernels itself; leave weights at uniform");
        std::ranges::transform(result.bank, result.bank.begin(), normalised);
        result.weights.assign(result.bank.size(), 1.0 / result.bank.size());
        return result;
    }
    const auto [strategy, arguments, parameters] =
        parse_weights(specification.parameters[parameter::weights]);
    if (result.bank.size() == 1 && strategy->normalises) {  // One kernel leaves nothing to weigh.
        result.weights = {1.0};
        return result;
    }
    if (strategy->normalises) std::ranges::transform(result.bank, result.bank.begin(), normalised);
    const std::uint64_t seed = specification.parameters[parameter::seed];
    auto weighed = strategy->weigh({result.bank, data, arguments, parameters, cost_of_errors(specification),
                                    seed, budget, control, held_out_trainer(specification, budget)});
    result.weights = std::move(weighed.weights);
    result.report = json_text(weighed.report);
    return result;
}

/// Computes the decisions for each row, rows x functions, by a model that was trained without that row.
Matrix out_of_fold_decisions(const Dataset& data, const MachineSpecification& specification, Index width,
                             Control& control) {
    const Index folds = std::min<Index>(5, most_folds(data));
    const Labels& labels = *data.labels;
    std::vector<Index> counts(labels.classes());
    for (const Index c : labels.of_rows) ++counts[c];
    for (Index c = 0; c < labels.classes(); ++c) {
        if (counts[c] == 1) {
            fail(Status::invalid_data, "probability=yes needs at least 2 rows of every class; class ",
                 labels.class_name(c), " has 1");
        }
    }
    if (folds < 2) fail(Status::invalid_data, "probability=yes needs at least 2 groups of rows; there is 1");
    const auto fold_of = stratified_folds(data, folds, specification.parameters[parameter::seed]);
    Matrix all(data.rows(), width);
    for (Index fold = 0; fold < folds; ++fold) {
        const ProgressScope scope(control, 1.0 * fold / folds, (fold + 1.0) / folds, "probabilities");
        const auto held_out = rows_of_fold(fold_of, fold, true);
        if (held_out.empty()) continue;
        const Model model =
            train_uncalibrated(data.select(rows_of_fold(fold_of, fold, false)), specification, control);
        if (model.predictor->decision_count() != width) {
            fail(Status::invalid_data,
                 "probability=yes: a class has too few rows, or groups of rows, to be in every fold");
        }
        const auto values = decisions(model, data.select(held_out), control);
        all(held_out, Eigen::all) = view(values.data(), std::ssize(held_out), width);
    }
    return all;
}

/// Fits a sigmoid to each decision function, on the rows of its two sides.
Calibration calibrate(const Dataset& data, const MachineSpecification& specification, const Model& model,
                      Control& control) {
    const Index width = model.predictor->decision_count();
    const Matrix values = out_of_fold_decisions(data, specification, width, control);
    const auto sides = function_sides(model.rule, model.classes.classes());
    Calibration calibration;
    for (Index f = 0; f < width; ++f) {
        const auto [positive_class, negative_class] = sides[f];
        std::vector<double> of_function;
        std::vector<bool> positive;
        for (Index i = 0; i < data.rows(); ++i) {
            const Index c = data.labels->of_rows[i];
            if (c != positive_class && negative_class >= 0 && c != negative_class) continue;
            of_function.push_back(values(i, f));
            positive.push_back(c == positive_class);
        }
        const Sigmoid sigmoid = fit_sigmoid(of_function, positive);
        calibration.slopes.push_back(sigmoid.slope);
        calibration.offsets.push_back(sigmoid.offset);
    }
    return calibration;
}

}  // namespace

Model train_uncalibrated(const Dataset& data, const MachineSpecification& specification, Control& control) {
    const auto& parameters = specification.parameters;
    const MemoryBudget budget = control.set_memory(MemoryBudget(parameters[parameter::memory_mb]));
    require_memory_for_columns(data, budget);
    Model model;
    model.scaler = fit_scaler(parameters[parameter::scale], parameters[parameter::impute], data);
    const Task task = specification.machine->task;
    const Dataset prepared =
        prepare_training(data, task, model.scaler, parameters[parameter::spectrum] != "none", control);
    WeighedBank weighed;
    {
        const ProgressScope scope(control, 0, 0.3, "kernel weights");
        weighed = weigh_bank(prepared, specification, budget, control);
    }
    const KernelPointer kernel = combine(weighed.bank, weighed.weights);
    const Precision precision = parameters[parameter::precision];
    const ProgressScope scope(control, 0.3, 1, "training");
    TrainedMachine trained = specification.machine->train(
        {prepared, kernel, weighed.bank, parameters, precision, budget, control});
    if (!trained.kernel_weights.empty()) weighed.weights = std::move(trained.kernel_weights);

    model.machine = specification.machine->name;
    model.task = name_of(task);
    for (const auto& spec : parameters.specs())
        model.parameters.emplace_back(spec.name, parameters.text(spec.name));
    model.kernel = trained.predictor->kernel()->text();
    for (const auto& base : weighed.bank) model.kernels.push_back(base->text());
    model.kernel_weights = std::move(weighed.weights);
    model.classes = predicted_classes(task, prepared);
    model.rule = trained.rule;
    model.kind = data.kind();
    model.features = data.cols();
    model.training_rows = data.rows();
    model.feature_names = data.feature_names;
    model.reading = data.reading;
    model.weight_report = std::move(weighed.report);
    if (!weighed.corrections.empty()) trained.report.add("spectrum", std::move(weighed.corrections));
    model.training_report = json_text(trained.report);
    model.predictor = std::move(trained.predictor);
    return model;
}

void require_complete_unless_filled(const Dataset& data, const MachineSpecification& specification) {
    if (specification.parameters[parameter::impute] == "none") require_complete(data);
}

Model train(const Dataset& data, const MachineSpecification& specification, Control& control) {
    require_complete_unless_filled(data, specification);
    const bool calibrated = specification.parameters[parameter::probability];
    if (calibrated && specification.machine->task != Task::classification) {
        fail(Status::unsupported, "machine ", specification.machine->name,
             " has no probabilities; they are of classifiers");
    }
    Model model;
    {
        const ProgressScope scope(control, 0, calibrated ? 0.2 : 1.0);
        model = train_uncalibrated(data, specification, control);
    }
    if (!calibrated) return model;
    const ProgressScope scope(control, 0.2, 1.0);
    Dataset present = data;
    present.labels = present_classes(*data.labels);
    model.calibration = calibrate(present, specification, model, control);
    return model;
}

}  // namespace dk
