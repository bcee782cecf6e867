// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "machine/margin/tube_program.hpp"

namespace dk {

namespace parameter {
constexpr RealKey tube_nu{"nu", 0.5, Range::share(), "At most this share of rows may lie outside the tube."};
}

namespace {

/// Solves the dual of the regression that finds the width of its tube (Schoelkopf et al. 2000). The
/// sums of alpha and of alpha* are C nu n / 2 each, and their multipliers are b + epsilon and b - epsilon.
TrainedMachine train_nu_svr(const TrainingProblem& problem) {
    const auto gram =
        make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget, &problem.control);
    const double cost = in_targets(parameter::tube_cost, problem.parameters, problem.data);
    BoxProgram program = tube_program(problem, *gram, cost);
    const Index n = problem.data.rows();
    std::vector<Index> raising(n);
    std::iota(raising.begin(), raising.end(), Index{0});
    std::vector<Index> lowering(n);
    std::iota(lowering.begin(), lowering.end(), n);
    program.in_second.assign(2 * n, 0);
    std::fill(program.in_second.begin() + n, program.in_second.end(), 1);
    const double sum = 0.5 * problem.parameters[parameter::tube_nu] *
                       std::accumulate(program.upper.begin(), program.upper.begin() + n, 0.0);
    fill_start(program.start, raising, program.upper, sum);
    fill_start(program.start, lowering, program.lower, -sum);
    const SmoSolution solved = solve_tube_program(problem, program);
    const double above = smo_offset(program, solved, 0);  // b + epsilon
    const double below = smo_offset(program, solved, 1);  // b - epsilon
    Report report;
    report.add("C", cost);
    report_solution(report, program, solved);
    report.add("epsilon", 0.5 * (above - below));
    return single_function(problem, tube_coefficients(solved), 0.5 * (above + below), std::move(report),
                           DecisionRule::regression);
}

}  // namespace

Machine nu_svr_machine() {
    return {
        .name = "nu_svr",
        .doc =
            "This support vector regression has nu, a bound on the share of rows outside the tube, in place "
            "of epsilon.",
        .reference =
            "Schoelkopf, Smola, Williamson, Bartlett, New support vector algorithms, Neural "
            "Computation 12, 2000",
        .task = Task::regression,
        .parameters = {parameter::tube_cost, parameter::tube_nu, parameter::tolerance,
                       parameter::max_iterations},
        .train = train_nu_svr,
        .loss = [](const Parameters& parameters, const Dataset& data) {
            return MachineLoss{.cost = in_targets(parameter::tube_cost, parameters, data)};
        }};
}

}  // namespace dk
