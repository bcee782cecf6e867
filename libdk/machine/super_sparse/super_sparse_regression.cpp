// SPDX-License-Identifier: Apache-2.0
#include "machine/single_function.hpp"
#include "machine/super_sparse/super_sparse_learning.hpp"

namespace dk {

namespace {

TrainedMachine train_regression(const TrainingProblem& problem) {
    const SuperSparseTargets targets{
        .values = problem.data.targets, .functions = 1, .row_weights = shares(row_weights(problem.data))};
    return learn_super_sparse(problem, problem.data, targets, DecisionRule::regression);
}

}  // namespace

Machine super_sparse_regression_machine() {
    return {.name = "super_sparse_regression",
            .doc =
                "Super-sparse regression learns a few prototypes that are free vectors, with a ridge or "
                "lasso penalty.",
            .reference = super_sparse_reference,
            .task = Task::regression,
            .parameters = super_sparse_parameters(),
            .train = train_regression};
}

}  // namespace dk
