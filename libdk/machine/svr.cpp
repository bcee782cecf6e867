// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "machine/margin_report.hpp"
#include "machine/single_function.hpp"

namespace dk {

namespace {

/// Two variables a row: b_i = alpha_i >= 0 that raises f at row i, and b_{n+i} = -alpha*_i <= 0 that lowers
/// it.
BoxProgram tube_program(const TrainingProblem& problem, GramSource& gram) {
    const auto n = unsigned_of(problem.data.rows());
    const auto weights = row_weights(problem.data);
    const double c = problem.parameters.real("C");
    BoxProgram program = zero_program(gram, 2 * problem.data.rows());
    for (std::size_t i = 0; i < n; ++i) {
        program.linear[i] = program.linear[n + i] = -problem.data.targets[i];
        program.upper[i] = c * weights[i];
        program.lower[n + i] = -c * weights[i];
        program.rows.push_back(static_cast<Index>(i));
    }
    for (std::size_t i = 0; i < n; ++i) program.rows.push_back(static_cast<Index>(i));
    return program;
}

SmoSolution solve(const TrainingProblem& problem, const BoxProgram& program) {
    const ProgressScope scope(problem.control, 0, 0.9);
    return solve_smo(program,
                     {problem.parameters.real("tolerance"), problem.parameters.integer("max_iterations")},
                     problem.control);
}

std::vector<double> joined(const SmoSolution& solved) {
    std::vector<double> gamma(solved.beta.size() / 2);
    for (std::size_t i = 0; i < gamma.size(); ++i) gamma[i] = solved.beta[i] + solved.beta[i + gamma.size()];
    return gamma;
}

/// 1/2 |w|^2 + sum C_i max(0, |y_i - f(x_i)| - epsilon)
TrainedMachine train_svr(const TrainingProblem& problem) {
    const auto gram =
        make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget, &problem.control);
    BoxProgram program = tube_program(problem, *gram);
    const double epsilon = problem.parameters.real("epsilon");
    const std::size_t n = program.linear.size() / 2;
    for (std::size_t t = 0; t < 2 * n; ++t) program.linear[t] += t < n ? epsilon : -epsilon;
    const SmoSolution solved = solve(problem, program);
    if (std::ranges::all_of(solved.beta, [](double b) { return b == 0; })) {
        fail(Status::numerical, "every target lies within epsilon (it is ", epsilon,
             ") of one value, so the regression is constant and has no prototypes; lower epsilon");
    }
    Report report;
    report_solution(report, program, solved);
    return single_function(problem, joined(solved), smo_offset(program, solved), std::move(report),
                           DecisionRule::regression);
}

/// The tube's width is found: sums of alpha and alpha* are C nu n / 2 each (Schoelkopf et al. 2000).
TrainedMachine train_nu_svr(const TrainingProblem& problem) {
    const auto gram =
        make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget, &problem.control);
    BoxProgram program = tube_program(problem, *gram);
    const Index n = problem.data.rows();
    std::vector<Index> raising(unsigned_of(n));
    std::iota(raising.begin(), raising.end(), Index{0});
    std::vector<Index> lowering(unsigned_of(n));
    std::iota(lowering.begin(), lowering.end(), n);
    program.in_second.assign(unsigned_of(2 * n), 0);
    std::fill(program.in_second.begin() + n, program.in_second.end(), 1);
    const double sum = 0.5 * problem.parameters.real("nu") *
                       std::accumulate(program.upper.begin(), program.upper.begin() + n, 0.0);
    fill_start(program.start, raising, program.upper, sum);
    fill_start(program.start, lowering, program.lower, -sum);
    const SmoSolution solved = solve(problem, program);
    const double above = smo_offset(program, solved, 0);  // offset + epsilon
    const double below = smo_offset(program, solved, 1);  // offset - epsilon
    Report report;
    report_solution(report, program, solved);
    report.add("epsilon", 0.5 * (above - below));
    return single_function(problem, joined(solved), 0.5 * (above + below), std::move(report),
                           DecisionRule::regression);
}

}  // namespace

Machine svr_machine() {
    return {
        .name = "svr",
        .doc = "support vector regression: errors beyond a tube of width epsilon count",
        .reference =
            "Smola, Schoelkopf, A tutorial on support vector regression, Statistics and Computing 14, 2004",
        .task = Task::regression,
        .parameters = {positive_parameter("C", 1, "cost of errors beyond the tube"),
                       real_parameter("epsilon", 0.1, 0, 1e300, "half the width of the tube"),
                       tolerance_parameter(), iterations_parameter()},
        .train = train_svr};
}

Machine nu_svr_machine() {
    return {
        .name = "nu_svr",
        .doc = "support vector regression with nu, the share of rows outside the tube, in place of epsilon",
        .reference =
            "Schoelkopf, Smola, Williamson, Bartlett, New support vector algorithms, Neural "
            "Computation 12, 2000",
        .task = Task::regression,
        .parameters = {positive_parameter("C", 1, "cost of errors beyond the tube"),
                       share_parameter("nu", 0.5, "share of rows that may lie outside the tube, at most"),
                       tolerance_parameter(), iterations_parameter()},
        .train = train_nu_svr};
}

}  // namespace dk
