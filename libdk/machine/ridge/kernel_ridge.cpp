// SPDX-License-Identifier: Apache-2.0
#include "machine/ridge/kernel_tuning.hpp"
#include "machine/ridge/ridge_fit.hpp"
#include "machine/single_function.hpp"

namespace dk {

namespace {

TrainedMachine train_kernel_ridge(const TrainingProblem& problem) {
    const std::vector<double>& targets = problem.data.targets;
    RidgeFit fitted;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        fitted = fit_ridge(problem, targets, 1, false);
    }
    Report report;
    report_ridge_fit(report, fitted, targets, 1, false);
    std::vector<double> gamma(problem.data.rows());
    for (std::size_t r = 0; r < fitted.rows.size(); ++r)
        gamma[fitted.rows[r]] = fitted.solution.coefficients(r, 0);
    return single_function(problem, std::move(gamma), fitted.solution.offsets[0], std::move(report),
                           DecisionRule::regression);
}

}  // namespace

Machine kernel_ridge_machine() {
    return {.name = "kernel_ridge",
            .doc = "Kernel ridge regression minimises squared errors and the length of the function.",
            .reference =
                "Saunders, Gammerman, Vovk, Ridge regression learning algorithm in dual variables, ICML 1998",
            .task = Task::regression,
            .uses_sample_weights = false,
            .parameters = with_tuning(ridge_parameters()),
            .train = [](const TrainingProblem& problem) { return train_tuned(problem, train_kernel_ridge); },
            .loss = loss_of_squares,
            .left_out = LeftOutRow::ridge,
            .few_pairs = uses_falkon,
            .updates = true};
}

}  // namespace dk
