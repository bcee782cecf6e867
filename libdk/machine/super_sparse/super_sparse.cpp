// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "machine/margin/binary_reduction.hpp"
#include "machine/single_function.hpp"
#include "machine/super_sparse/distillation.hpp"
#include "machine/super_sparse/super_sparse_learning.hpp"

namespace dk {

namespace {

enum class Target { svm, labels };

}  // namespace

namespace parameter {
constexpr ChoiceKey<Target> target{"target",
                                   {"svm", "labels"},
                                   "The prototypes learn the decisions of support vector machines (svm), or "
                                   "the classes themselves (labels)."};
constexpr RealKey cost{"C", 1, Range::positive(),
                       "A larger C makes these support vector machines fit the training rows more closely."};
constexpr FlagKey balanced{"balanced", false,
                           "With yes, every class weighs the same, however many rows it has."};
}  // namespace parameter

namespace {

/// Gives the sample weights, divided by the weight of their row's class where classes are to be balanced.
std::vector<double> classifier_weights(const Dataset& data, bool balanced) {
    std::vector<double> weights = row_weights(data);
    if (!balanced) return shares(std::move(weights));
    const Labels& labels = *data.labels;
    std::vector<double> sums(labels.classes());
    for (std::size_t i = 0; i < weights.size(); ++i) sums[labels.of_rows[i]] += weights[i];
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] /= sums[labels.of_rows[i]];
    return shares(std::move(weights));
}

/// Computes the decisions of support vector machines that tell each class from the rest.
std::vector<double> teacher_targets(const TrainingProblem& problem, const Dataset& rows) {
    const Machine teacher = svm_machine();
    std::vector<ParameterSpec> specs = teacher.parameters;
    specs.push_back(parameter::neighbours);
    Parameters parameters("machine svm", std::move(specs));
    parameters.set(parameter::cost.name, problem.parameters.text(parameter::cost.name));
    parameters.set(parameter::multiclass.name, "ovr");
    parameters.set(parameter::neighbours.name, "0");
    const ProgressScope scope(problem.control, 0, 0.3, "teacher");
    const TrainedMachine trained = teacher.train({problem.data, problem.kernel, problem.bank, parameters,
                                                  problem.precision, problem.budget, problem.control});
    std::vector<double> targets;
    trained.predictor->decide(
        rows, [&](std::span<const double> some) { targets.insert(targets.end(), some.begin(), some.end()); },
        problem.control);
    return targets;
}

TrainedMachine train_classifier(const TrainingProblem& problem) {
    const bool taught = problem.parameters[parameter::target] == Target::svm;
    const SuperSparseOptions options = super_sparse_options(problem);
    const Index copies = taught ? perturbed_copy_count(problem.data, options) : 0;
    std::optional<Dataset> joined;
    if (copies > 0) joined = with_perturbed_copies(problem.data, copies, options.seed, problem.control);
    const Dataset& data = joined ? *joined : problem.data;
    const Labels& labels = *data.labels;
    const Index functions = labels.classes() == 2 ? 1 : labels.classes();
    SuperSparseTargets targets{
        .values = taught ? teacher_targets(problem, data) : class_targets(labels, functions),
        .functions = functions,
        .row_weights = classifier_weights(data, problem.parameters[parameter::balanced])};
    const DecisionRule rule = functions == 1 ? DecisionRule::binary : DecisionRule::largest;
    if (taught) focus_on_boundary(targets, rule, options.focus);
    return learn_super_sparse(problem, data, targets, rule);
}

}  // namespace

Machine super_sparse_machine() {
    std::vector<ParameterSpec> parameters = super_sparse_parameters();
    parameters.insert(parameters.end(), {parameter::target, parameter::cost, parameter::balanced});
    return {.name = "super_sparse",
            .doc =
                "The super-sparse machine learns a few prototypes that are free vectors, which all classes "
                "share.",
            .reference = super_sparse_reference,
            .task = Task::classification,
            .parameters = std::move(parameters),
            .train = train_classifier};
}

}  // namespace dk
