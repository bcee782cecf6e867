// SPDX-License-Identifier: Apache-2.0
#include "machine/ridge/kernel_tuning.hpp"
#include "machine/ridge/ridge_fit.hpp"
#include "machine/single_function.hpp"

namespace dk {

namespace {

/// Makes the machine of one function for each target. What the fit tells is of all of them.
TrainedMachine several_functions(const TrainingProblem& problem, const RidgeFit& fitted, Report report) {
    std::vector<ExpansionFunction> functions;
    std::vector<Report> offsets;
    for (Index t = 0; t < problem.data.target_count; ++t) {
        const auto column = fitted.solution.coefficients.col(t);
        const double offset = fitted.solution.offsets[t];
        functions.push_back({.rows = fitted.rows,
                             .gamma = {column.begin(), column.end()},
                             .offset = offset,
                             .positive_class = -1,
                             .negative_class = -1});
        offsets.emplace_back().add("target", t).add("offset", offset);
    }
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    TrainedMachine trained;
    trained.predictor = make_kernel_expansion(problem.kernel, problem.data, functions, {}, problem.precision,
                                              problem.parameters[parameter::neighbours], problem.control);
    trained.rule = DecisionRule::regression;
    trained.report = std::move(report);
    trained.report.add("functions", std::move(offsets));
    return trained;
}

TrainedMachine train_kernel_ridge(const TrainingProblem& problem) {
    const std::vector<double>& targets = problem.data.targets;
    const Index columns = problem.data.target_count;
    RidgeFit fitted;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        fitted = fit_ridge(problem, targets, columns, {});
    }
    Report report;
    report_ridge_fit(report, fitted, problem.data, columns, {});
    if (columns > 1) return several_functions(problem, fitted, std::move(report));
    std::vector<double> gamma(problem.data.rows());
    for (std::size_t r = 0; r < fitted.rows.size(); ++r)
        gamma[fitted.rows[r]] = fitted.solution.coefficients(r, 0);
    return single_function(problem, std::move(gamma), fitted.solution.offsets[0], std::move(report),
                           DecisionRule::regression);
}

}  // namespace

Machine kernel_ridge_machine() {
    return {.name = "kernel_ridge",
            .doc =
                "Kernel ridge regression minimises squared errors and the length of the function. Several "
                "targets a row are learned from one factor of the kernel matrix.",
            .reference =
                "Saunders, Gammerman, Vovk, Ridge regression learning algorithm in dual variables, ICML 1998",
            .task = Task::regression,
            .parameters = with_tuning(ridge_parameters()),
            .train = [](const TrainingProblem& problem) { return train_tuned(problem, train_kernel_ridge); },
            .loss = loss_of_squares,
            .left_out = LeftOutRow::ridge,
            .few_pairs = uses_falkon,
            .several_targets = true,
            .updates = true};
}

}  // namespace dk
