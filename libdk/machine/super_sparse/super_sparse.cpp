// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "machine/single_function.hpp"
#include "machine/super_sparse/distillation.hpp"
#include "machine/super_sparse/super_sparse_learning.hpp"
#include "machine/super_sparse/teacher.hpp"

namespace dk {

namespace parameter {
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

TrainedMachine train_classifier(const TrainingProblem& problem) {
    const bool taught = has_teacher(problem.parameters);
    const SuperSparseOptions options = super_sparse_options(problem);
    const Index classes = problem.data.labels->classes();
    const Index functions = classes == 2 ? 1 : classes;
    const DecisionRule rule = functions == 1 ? DecisionRule::binary : DecisionRule::largest;
    const auto lesson_of = [&](const Dataset& known, Control& control) {
        const Index copies = taught ? perturbed_copy_count(known, options) : 0;
        Dataset rows = copies > 0 ? with_perturbed_copies(known, copies, options.seed, control) : known;
        SuperSparseTargets targets{
            .values = taught ? teacher_decisions(problem, known, rows, functions)
                             : class_targets(*rows.labels, functions),
            .functions = functions,
            .row_weights = classifier_weights(rows, problem.parameters[parameter::balanced])};
        if (taught) focus_on_boundary(targets, rule, options.focus);
        return SuperSparseLesson{std::move(rows), std::move(targets)};
    };
    return learn_super_sparse(problem, lesson_of, rule);
}

}  // namespace

Machine super_sparse_machine() {
    std::vector<ParameterSpec> parameters = super_sparse_parameters();
    for (auto& spec : teacher_parameters(Task::classification)) parameters.push_back(std::move(spec));
    parameters.push_back(parameter::balanced);
    return {.name = "super_sparse",
            .doc =
                "The super-sparse machine learns a few prototypes that are free vectors, which all classes "
                "share.",
            .reference = super_sparse_reference,
            .prototypes = prototypes_are::free_vectors,
            .task = Task::classification,
            .parameters = std::move(parameters),
            .train = train_classifier,
            .reads_rows = true};
}

}  // namespace dk
