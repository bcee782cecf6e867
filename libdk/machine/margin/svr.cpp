// SPDX-License-Identifier: Apache-2.0
#include "machine/margin/tube_program.hpp"

namespace dk {

namespace parameter {
constexpr TextKey epsilon{
    "epsilon", "0.1*deviation",
    "Errors smaller than epsilon, half the width of the tube, cost nothing: a number, or a multiple of "
    "the standard deviation of the targets.",
    ParameterType::text, check_target_width};
}  // namespace parameter

namespace {

double width_of(const Parameters& parameters, const Dataset& data) {
    return in_targets(parameter::epsilon, parameters, data);
}

/// Solves min 1/2 |w|^2 + sum_i C_i max(0, |y_i - f(x_i)| - epsilon) by its dual (Smola, Schoelkopf 2004,
/// section 1.3), where epsilon joins the linear term.
TrainedMachine train_svr(const TrainingProblem& problem) {
    const auto gram =
        make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget, &problem.control);
    const double cost = in_targets(parameter::tube_cost, problem.parameters, problem.data);
    const double epsilon = width_of(problem.parameters, problem.data);
    BoxProgram program = tube_program(problem, *gram, cost);
    const std::size_t n = program.linear.size() / 2;
    for (std::size_t t = 0; t < 2 * n; ++t) program.linear[t] += t < n ? epsilon : -epsilon;
    const SmoSolution solved = solve_tube_program(problem, program);
    Report report;
    report.add("C", cost).add("epsilon", epsilon);
    report_solution(report, program, solved);
    return single_function(problem, tube_coefficients(solved), smo_offset(program, solved), std::move(report),
                           DecisionRule::regression);
}

}  // namespace

Machine svr_machine() {
    return {
        .name = "svr",
        .doc = "Support vector regression counts only errors beyond a tube around the function.",
        .reference =
            "Smola, Schoelkopf, A tutorial on support vector regression, Statistics and Computing 14, 2004",
        .task = Task::regression,
        .parameters = {parameter::tube_cost, parameter::epsilon, parameter::tolerance,
                       parameter::max_iterations},
        .train = train_svr,
        .loss =
            [](const Parameters& parameters, const Dataset& data) {
                return MachineLoss{.errors = ErrorLoss::tube,
                                   .cost = in_targets(parameter::tube_cost, parameters, data),
                                   .tube = width_of(parameters, data)};
            },
        .updates = true};
}

}  // namespace dk
