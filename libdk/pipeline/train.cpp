// SPDX-License-Identifier: Apache-2.0
#include "pipeline/train.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/report.hpp"
#include "data/scaling/column_scale.hpp"
#include "kernel/algebra/algebra.hpp"
#include "kernel/gram/known_values.hpp"
#include "kernel/language/bank.hpp"
#include "kernel/operator/corrected.hpp"
#include "machine/margin/cost_path.hpp"
#include "pipeline/calibration.hpp"
#include "pipeline/held_out_decisions.hpp"
#include "pipeline/held_out_trainer.hpp"
#include "pipeline/kept_answers.hpp"
#include "pipeline/prediction_sets.hpp"
#include "pipeline/prepare.hpp"
#include "pipeline/threshold.hpp"
#include "weights/strategy/weighed_bank.hpp"

namespace dk {

namespace {

/// Lists the classes, or labels, that a model predicts. A regression has none. A novelty detector has -1 for
/// rows unlike the training rows and 1 for rows like them, and clusters are numbered from 0.
Labels predicted_classes(Task task, const Dataset& prepared, const Predictor& predictor) {
    Labels classes;
    for (Index c = 0; task == Task::clustering && c < predictor.decision_count(); ++c)
        classes.values.push_back(c);
    if (task == Task::novelty) classes.values = {-1, 1};
    if (task == Task::classification) classes = *prepared.labels;
    if (task == Task::multilabel) classes = table_of(*prepared.label_sets);
    classes.of_rows.clear();
    return classes;
}

/// Makes the kernels positive semidefinite on the training rows where they are not, and reports each that was
/// changed.
std::vector<Report> correct_spectra(Bank& bank, SpectrumMethod method, const Dataset& data,
                                    Control& control) {
    std::vector<Report> corrections;
    for (auto& kernel : bank) {
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
        corrections.push_back(std::move(report));
    }
    return corrections;
}

/// Asks the machine what its errors cost. Machines that learn from rows alone and say nothing of that have
/// outliers.
MachineLoss loss_of(const MachineSpecification& specification, const Dataset& data) {
    const Machine& machine = *specification.machine;
    if (machine.loss) return machine.loss(specification.parameters, data);
    return {.errors = machine.task == Task::novelty ? ErrorLoss::outliers : ErrorLoss::hinge};
}

/// Reads the parameter C, by which strategies that solve a program weigh errors. It is 1 for machines without
/// it.
double cost_of_errors(const MachineSpecification& specification, const MachineLoss& loss) {
    if (loss.cost > 0) return loss.cost;
    constexpr RealKey cost{"C", 1, Range::positive(), "Errors cost so much in most machines."};
    return specification.parameters.has(cost.name) ? specification.parameters[cost] : cost.default_value;
}

WeighedBank weigh_bank(Bank bank, const Dataset& data, const MachineSpecification& specification,
                       const MemoryBudget& budget, Control& control) {
    const Parameters& parameters = specification.parameters;
    if (specification.machine->weighs_kernels) {
        if (parameters[parameter::weights] != "uniform")
            fail(Status::unsupported, "machine ", specification.machine->name,
                 " weighs the kernels itself; leave weights at uniform");
        std::ranges::transform(bank, bank.begin(), normalised);
        std::vector<double> alike(bank.size(), 1.0 / bank.size());
        return {.bank = std::move(bank), .weights = std::move(alike)};
    }
    const MachineLoss loss = loss_of(specification, data);
    HeldOutTrainer train = data.labels ? held_out_trainer(specification, budget) : HeldOutTrainer();
    return weighed_bank(std::move(bank), parameters[parameter::weights],
                        {.data = data,
                         .cost = cost_of_errors(specification, loss),
                         .seed = static_cast<std::uint64_t>(parameters[parameter::seed]),
                         .budget = budget,
                         .control = control,
                         .train = std::move(train),
                         .loss = loss});
}

/// Computes the values of kernels of which a pair costs much, such as alignments of series, for all parts of
/// the training, and lets the bank look them up. There are none where the rows are so many that a machine
/// hardly needs all pairs, or where too little memory would be left for the kernel matrices themselves.
KnownValues learn_values(const MachineSpecification& specification, Bank& bank, Dataset& rows,
                         const MemoryBudget& budget, double progress_end, Control& control) {
    constexpr Index most_rows = 8192;
    constexpr double matrices_of_a_kernel = 3;  // A solver may need so many of them.
    const auto& few_pairs = specification.machine->few_pairs;
    KnownValues values;
    if (few_pairs && few_pairs(specification.parameters)) return values;
    if (rows.kind() != DataKind::series && rows.kind() != DataKind::strings) return values;
    const double n = static_cast<double>(rows.rows());
    const double left = budget.bytes() - 8 * matrices_of_a_kernel * n * n * static_cast<double>(bank.size());
    if (rows.rows() > most_rows || left <= 0) return values;
    values.learn(bank, rows, budget.part(budget.bytes() / left), progress_end, control);
    return values;
}

/// Trains without sigmoids. The report is what the training tells of itself, which the model has as text
/// later.
Model train_functions(CostPath* path, const Dataset& data, const MachineSpecification& specification,
                      Report& report, Control& control) {
    const auto& parameters = specification.parameters;
    const MemoryBudget budget = control.set_memory(MemoryBudget(parameters[parameter::memory_mb]));
    require_memory_for_columns(data, budget);
    Model model;
    const Task task = learned_task(*specification.machine, data);
    const bool layered = !parameters[parameter::layers].empty();
    const double prepared_at = layered ? 0.4 : 0;
    std::optional<PreparedTraining> ready;
    {
        const ProgressScope scope(control, 0, prepared_at);
        ready = prepare_training(data, specification, budget, control);
    }
    model.preparation = std::move(ready->preparation);
    Dataset& prepared = ready->rows;
    const ProgressScope rest(control, prepared_at, 1);
    Bank bank;
    {
        const ProgressScope scope(control, 0, 0.1, "kernel weights");
        bank = make_bank(kernel_of(specification, prepared), prepared, &control);
    }
    constexpr double values_known = 0.8;
    KnownValues known = learn_values(specification, bank, prepared, budget, values_known, control);
    const double beside_known = budget.bytes() - known.bytes();
    const MemoryBudget left =
        known.empty() ? budget : control.set_memory(budget.part(budget.bytes() / beside_known));
    const ProgressScope beyond_known(control, known.empty() ? 0.1 : values_known, 1);
    WeighedBank weighed;
    std::vector<Report> corrections;
    {
        const ProgressScope scope(control, 0, 0.2, "kernel weights");
        const std::string& spectrum = parameters[parameter::spectrum];
        if (spectrum != "none")
            corrections = correct_spectra(bank, spectrum_method(spectrum), prepared, control);
        weighed = weigh_bank(std::move(bank), prepared, specification, left, control);
    }
    const KernelPointer kernel = combine(weighed.bank, weighed.weights);
    const Precision precision = precision_of(parameters);
    const ProgressScope scope(control, 0.2, 1, "training");
    const bool updatable = parameters[parameter::updatable];
    EarlierModel earlier;
    TrainedMachine trained =
        specification.machine->train({prepared, kernel, weighed.bank, parameters, precision, left, control,
                                      path, updatable ? &earlier : nullptr});
    known = {};
    control.set_memory(budget);
    if (path != nullptr && weighed.bank.size() > 1 &&
        parse_weights(parameters[parameter::weights]).strategy->reads_cost) {
        // The next C weighs the kernels otherwise, so that no function stays.
        for (FunctionPath& function : path->functions) function.unbounded.reset();
    }
    if (!trained.kernel_weights.empty()) weighed.weights = std::move(trained.kernel_weights);
    if (trained.kernel) weighed.bank = {trained.kernel};

    model.machine = specification.machine->name;
    model.task = name_of(task);
    for (const auto& spec : parameters.specs())
        model.parameters.emplace_back(spec.name, parameters.text(spec.name));
    model.kernel = trained.predictor->kernel()->text();
    for (const auto& base : weighed.bank) model.kernels.push_back(base->text());
    model.kernel_weights = std::move(weighed.weights);
    model.classes = predicted_classes(task, prepared, *trained.predictor);
    model.rule = trained.rule;
    if (task == Task::regression) model.targets = prepared.target_count;
    if (task == Task::multilabel) model.targets = prepared.label_count();
    model.kind = data.kind();
    model.features = data.cols();
    model.training_rows = data.rows();
    model.feature_names = data.feature_names;
    model.reading = data.reading;
    model.weight_report = std::move(weighed.report);
    if (!corrections.empty()) trained.report.add("spectrum", std::move(corrections));
    report = std::move(trained.report);
    if (parameters[parameter::scale] == "auto" && !model.preparation.scaler.scale.empty())
        report.add("scaled", column_scale_of(data).reason);
    model.predictor = std::move(trained.predictor);
    if (trained.log_odds) model.calibration = log_odds_calibration(model.predictor->decision_count());
    if (updatable) keep_for_updates(model, prepared, std::move(earlier));
    if (parameters[parameter::novelty])
        model.novelty = std::make_shared<const NoveltyReference>(
            novelty_reference(model.predictor->kernel(), prepared,
                              static_cast<std::uint64_t>(parameters[parameter::seed]), control));
    return model;
}

/// What the decisions on held-out rows are asked for.
struct HeldOutUses {
    bool probability = false;
    bool confidence = false;
    ThresholdGoal threshold = {};

    bool any() const { return probability || confidence || !threshold.empty(); }
};

HeldOutUses held_out_uses(const MachineSpecification& specification) {
    const Parameters& parameters = specification.parameters;
    const Machine& machine = *specification.machine;
    const HeldOutUses uses{.probability = parameters[parameter::probability],
                           .confidence = parameters[parameter::confidence] > 0,
                           .threshold = threshold_goal(parameters)};
    if (uses.probability && machine.task != Task::classification)
        fail(Status::unsupported, "machine ", machine.name, " has no probabilities; they are of classifiers");
    if (uses.confidence && !learns_answers(machine.task))
        fail(Status::unsupported, "machine ", machine.name,
             " has no answers that could be true; confidence is of classifiers and regressions");
    if (!uses.threshold.empty() && machine.task != Task::classification)
        fail(Status::unsupported, "machine ", machine.name,
             " has no threshold between classes; false_alarms and miss_cost are of classifiers");
    return uses;
}

/// Refuses what is of one class a row, where rows may have several labels.
void require_one_label(const HeldOutUses& uses, const MachineSpecification& specification) {
    const auto require = [](bool asked, const char* what) {
        if (asked)
            fail(Status::unsupported, what, " of rows with one class, and these may have several labels");
    };
    require(uses.confidence, "confidence is");
    require(!uses.threshold.empty(), "false_alarms and miss_cost are");
    require(specification.parameters[parameter::updatable], "updatable=yes is");
}

std::string reason_of(const HeldOutUses& uses, bool sigmoids, const Parameters& parameters) {
    if (sigmoids) return "probability=yes";
    if (uses.confidence) return text("confidence=", parameters[parameter::confidence]);
    return uses.threshold.false_alarms > 0 ? text("false_alarms=", uses.threshold.false_alarms)
                                           : text("miss_cost=", uses.threshold.miss_cost);
}

/// Learns the threshold, the sigmoids of probabilities, and how sure the model is, from what models say of
/// rows that they have not seen. Functions that are log odds have their probabilities already.
void learn_from_held_out_rows(const HeldOutUses& uses, const Dataset& data,
                              const MachineSpecification& specification, Model& model, Report& report,
                              Control& control) {
    const bool sigmoids = uses.probability && model.calibration.empty();
    if (!sigmoids && !uses.confidence && uses.threshold.empty()) return;
    if (!uses.threshold.empty()) require_threshold(model);
    const ProgressScope scope(control, 0.2, 1.0);
    const Parameters& parameters = specification.parameters;
    Dataset present = data;
    if (data.labels) present.labels = present_classes(*data.labels);
    Matrix held_out = held_out_decisions(present, specification, model.predictor->decision_count(),
                                         reason_of(uses, sigmoids, parameters), control);
    if (!uses.threshold.empty()) {
        const Threshold threshold = threshold_for(uses.threshold, std::span(held_out.data(), held_out.size()),
                                                  present.labels->of_rows, control);
        model = moved(model, threshold, control);
        held_out.array() -= threshold.value;
    }
    if (sigmoids) {
        FittedCalibration fitted = calibrate(present, specification, model, held_out, control);
        model.calibration = std::move(fitted.calibration);
        report.add("calibration", std::move(fitted.report));
    }
    if (!uses.confidence) return;
    model.nonconformity = nonconformity_of(model, present, std::span(held_out.data(), held_out.size()),
                                           parameters[parameter::confidence_by_class], control);
    for (const auto& scores : model.nonconformity.scores)
        score_bound(scores, parameters[parameter::confidence]);
}

}  // namespace

Model train_uncalibrated(const Dataset& data, const MachineSpecification& specification, Control& control) {
    Report report;
    Model model = train_functions(nullptr, data, specification, report, control);
    model.training_report = json_text(report);
    return model;
}

void require_complete_unless_filled(const Dataset& data, const MachineSpecification& specification) {
    if (specification.parameters[parameter::impute] == "none") require_complete(data);
}

void require_repeated_classes(const Dataset& data, const MachineSpecification& specification) {
    if (!data.labels || specification.parameters[parameter::many_classes]) return;
    constexpr Index most_rows_of_single_classes = 20;
    constexpr Index most_single = 256;
    const Labels labels = present_classes(*data.labels);
    std::vector<Index> counts(labels.classes());
    for (const Index c : labels.of_rows) ++counts[c];
    const auto single = std::ranges::count(counts, 1);
    const bool each_another = single == data.rows() && single > most_rows_of_single_classes;
    if (!each_another && (single <= most_single || 2 * single < std::ssize(counts))) return;
    fail(Status::invalid_data,
         each_another ? text("each of the ", single, " rows is of another class")
                      : text("of ", std::ssize(counts), " classes ", single, " have one row"),
         ", from ", labels.class_name(0), " to ", labels.class_name(labels.classes() - 1),
         "; that is an identifier or a target, which a regression such as svr learns; of a file, the data "
         "option label= names another column; many_classes=yes takes them for classes");
}

void require_no_search(const MachineSpecification& specification) {
    const Parameters& parameters = specification.parameters;
    const auto& own = specification.machine->parameters;
    const bool has_folds = parameters[parameter::probability] || parameters[parameter::confidence] > 0 ||
                           parameters[parameter::false_alarms] > 0 || parameters[parameter::miss_cost] > 0 ||
                           std::ranges::find(own, parameter::folds.name, &ParameterSpec::name) != own.end();
    for (const std::string_view key :
         {parameter::grid.name, parameter::search.name, parameter::trials.name,
          parameter::learning_curve.name, parameter::select.name, parameter::folds.name,
          parameter::repeats.name, parameter::outer_folds.name, parameter::halves.name}) {
        const std::string& standard = parameters.spec(key).default_value;
        if (parameters.text(key) == standard || (key == parameter::folds.name && has_folds)) continue;
        fail(Status::invalid_parameter, key, " is ", in_quotes(parameters.text(key)),
             ", which says how cross-validation divides rows and compares candidates; training makes one "
             "model "
             "and compares none. Cross-validate instead (dk_cross_validate, the command dk cv), which trains "
             "with the best "
             "candidate at its end, or leave ",
             key, " out");
    }
}

bool learns_from_held_out_rows(const MachineSpecification& specification) {
    return held_out_uses(specification).any();
}

Model train_along(CostPath* path, const Dataset& data, const MachineSpecification& specification,
                  Control& control) {
    require_complete_unless_filled(data, specification);
    const HeldOutUses uses = held_out_uses(specification);
    if (uses.confidence && specification.machine->task == Task::regression && data.target_count > 1)
        fail(Status::unsupported, "confidence is of one target, and rows have ", data.target_count);
    if (learned_task(*specification.machine, data) == Task::multilabel)
        require_one_label(uses, specification);
    if (specification.parameters[parameter::updatable]) require_updates(*specification.machine, data);
    require_reachable(uses.threshold, specification.parameters, data);
    Model model;
    Report report;
    {
        const ProgressScope scope(control, 0, uses.any() ? 0.2 : 1.0);
        model = train_functions(path, data, specification, report, control);
    }
    learn_from_held_out_rows(uses, data, specification, model, report, control);
    model.training_report = json_text(report);
    return model;
}

Model train(const Dataset& data, const MachineSpecification& specification, Control& control) {
    return train_along(nullptr, data, specification, control);
}

}  // namespace dk
