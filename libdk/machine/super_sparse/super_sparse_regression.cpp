// SPDX-License-Identifier: Apache-2.0
#include "machine/single_function.hpp"
#include "machine/super_sparse/distillation.hpp"
#include "machine/super_sparse/super_sparse_learning.hpp"
#include "machine/super_sparse/teacher.hpp"

namespace dk {

namespace {

TrainedMachine train_regression(const TrainingProblem& problem) {
    const bool taught = has_teacher(problem.parameters);
    const SuperSparseOptions options = super_sparse_options(problem);
    const auto lesson_of = [&](const Dataset& known, Control& control) {
        const Index copies = taught ? perturbed_copy_count(known, options) : 0;
        Dataset rows = copies > 0 ? with_perturbed_copies(known, copies, options.seed, control) : known;
        SuperSparseTargets targets{
            .values = taught ? teacher_decisions(problem, known, rows, 1) : rows.targets,
            .functions = 1,
            .row_weights = shares(row_weights(rows))};
        return SuperSparseLesson{std::move(rows), std::move(targets)};
    };
    return learn_super_sparse(problem, lesson_of, DecisionRule::regression);
}

}  // namespace

Machine super_sparse_regression_machine() {
    std::vector<ParameterSpec> parameters = super_sparse_parameters();
    for (auto& spec : teacher_parameters(Task::regression)) parameters.push_back(std::move(spec));
    return {.name = "super_sparse_regression",
            .doc =
                "Super-sparse regression learns a few prototypes that are free vectors, from the targets or "
                "from the predictions of another machine.",
            .reference = super_sparse_reference,
            .prototypes = prototypes_are::free_vectors,
            .task = Task::regression,
            .parameters = std::move(parameters),
            .train = train_regression,
            .reads_rows = true};
}

}  // namespace dk
