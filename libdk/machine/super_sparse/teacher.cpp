// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/teacher.hpp"

#include "base/error.hpp"
#include "kernel/operator/corrected.hpp"
#include "machine/margin/binary_reduction.hpp"
#include "machine/margin/target_unit.hpp"
#include "machine/single_function.hpp"

namespace dk {

namespace {

enum class ClassCosts { equal, opposite };

constexpr const char* no_teacher = "none";

}  // namespace

namespace parameter {
constexpr const char* teacher_name = "teacher";
constexpr const char* teacher_doc =
    "The prototypes learn the decisions of this machine on the training rows, such as svm (SSVM), "
    "similarity_ridge (SRidge) or similarity_lasso (SLASSO); with none they learn the labels or targets "
    "themselves.";
constexpr RealKey cost{"C", 1, Range::positive(),
                       "A larger C makes a teacher that has this parameter fit the training rows more "
                       "closely."};
constexpr ChoiceKey<ClassCosts> class_costs{
    "teacher_costs",
    {"equal", "opposite"},
    "Errors of the teacher cost the same in each class (equal), or as much as the rest of the rows has a "
    "share in all (opposite), so that the smaller class counts more."};
constexpr ChoiceKey<std::string> spectrum{
    "teacher_spectrum",
    {"none", "clip", "flip", "square", "shift"},
    "The teacher learns from similarities that are made positive semidefinite in this way; the prototypes "
    "keep those that were given."};
}  // namespace parameter

namespace {

TextKey teacher_key(Task task) {
    return {parameter::teacher_name, task == Task::regression ? no_teacher : "svm", parameter::teacher_doc};
}

/// Finds the teacher, which must learn the same task by the kernel that it is given.
Machine teacher_of(const TrainingProblem& problem) {
    const std::string& name = problem.parameters.text(parameter::teacher_name);
    const Task task = problem.data.labels ? Task::classification : Task::regression;
    const Machine& teacher = machine_named(name);
    if (teacher.task != task)
        fail(Status::invalid_parameter, "teacher=", name, " learns ", name_of(teacher.task), ", not ",
             name_of(task));
    if (teacher.weighs_kernels || name.starts_with("super_sparse"))
        fail(Status::invalid_parameter, "teacher=", name,
             " has prototypes of its own; allowed are machines that learn by the kernel as it is");
    return teacher;
}

Parameters parameters_of(const Machine& teacher, const Parameters& own) {
    Parameters parameters = inner_parameters(teacher, own);
    if (parameters.has(parameter::cost.name)) {
        // A regression that counts in deviations of the targets by default goes on doing so.
        const auto usual = parse_target_amount(parameters.spec(parameter::cost.name).default_value);
        const bool in_deviations = usual && usual->in_deviations;
        parameters.set(parameter::cost.name,
                       own.text(parameter::cost.name) + (in_deviations ? "*deviation" : ""));
    }
    if (parameters.has(parameter::multiclass.name)) parameters.set(parameter::multiclass.name, "ovr");
    return parameters;
}

/// One function for each class against all others, whose errors cost what the other side's share of the rows
/// is.
Dataset one_class_against_rest(const Dataset& known, Index c) {
    Dataset data = known;
    Labels labels{.values = {0, 1}};
    double positive = 0;
    for (const Index own : known.labels->of_rows) {
        labels.of_rows.push_back(own == c ? 1 : 0);
        positive += own == c ? 1 : 0;
    }
    const double share = positive / static_cast<double>(known.rows());
    std::vector<double> weights = row_weights(known);
    for (Index i = 0; i < known.rows(); ++i) weights[i] *= labels.of_rows[i] == 1 ? 1 - share : share;
    data.labels = std::move(labels);
    data.sample_weights = std::move(weights);
    return data;
}

}  // namespace

std::vector<ParameterSpec> teacher_parameters(Task task) {
    std::vector<ParameterSpec> parameters{teacher_key(task), parameter::cost, parameter::spectrum};
    if (task == Task::classification) parameters.push_back(parameter::class_costs);
    return parameters;
}

bool has_teacher(const Parameters& parameters) {
    return parameters.text(parameter::teacher_name) != no_teacher;
}

namespace {

/// Teaches the rows and asks about others: rows x functions.
class Teaching {
  public:
    explicit Teaching(const TrainingProblem& problem)
        : problem_(problem),
          machine_(teacher_of(problem)),
          parameters_(parameters_of(machine_, problem.parameters)) {}

    Matrix decisions(const Dataset& known, const Dataset& asked, Index functions) const {
        require_usable_weights(machine_, known);
        const std::string spectrum = problem_.parameters[parameter::spectrum];
        const KernelPointer kernel =
            spectrum == "none"
                ? problem_.kernel
                : corrected(problem_.kernel, spectrum_method(spectrum), known, problem_.control).kernel;
        const Bank bank{kernel};
        const TrainedMachine trained = machine_.train(
            {known, kernel, bank, parameters_, problem_.precision, problem_.budget, problem_.control});
        std::vector<double> values;
        trained.predictor->decide(
            asked,
            [&](std::span<const double> some) { values.insert(values.end(), some.begin(), some.end()); },
            problem_.control);
        const Index width = trained.predictor->decision_count();
        const ConstMatrixView all = view(std::as_const(values).data(), asked.rows(), width);
        if (width == functions) return all;
        if (width == 2 && functions == 1) return all.col(1) - all.col(0);
        fail(Status::unsupported, "teacher=", machine_.name, " has ", width,
             " decision functions where prototypes learn ", functions);
    }

  private:
    const TrainingProblem& problem_;
    const Machine machine_;
    const Parameters parameters_;
};

}  // namespace

std::vector<double> teacher_decisions(const TrainingProblem& problem, const Dataset& known,
                                      const Dataset& asked, Index functions) {
    const ProgressScope scope(problem.control, 0, 0.3, "teacher");
    const Teaching teaching(problem);
    const bool opposite = problem.parameters.has(parameter::class_costs.name) &&
                          problem.parameters[parameter::class_costs] == ClassCosts::opposite;
    Matrix decisions(asked.rows(), functions);
    if (!opposite) {
        decisions = teaching.decisions(known, asked, functions);
    } else {
        for (Index f = 0; f < functions; ++f) {
            const Index positive = functions == 1 ? 1 : f;
            decisions.col(f) = teaching.decisions(one_class_against_rest(known, positive), asked, 1);
        }
    }
    return {decisions.data(), decisions.data() + decisions.size()};
}

}  // namespace dk
