// SPDX-License-Identifier: Apache-2.0
#include "machine/margin/tube_program.hpp"

namespace dk {

BoxProgram tube_program(const TrainingProblem& problem, GramMatrix& gram, double cost) {
    const auto n = problem.data.rows();
    const auto weights = row_weights(problem.data);
    BoxProgram program = zero_program(gram, 2 * problem.data.rows());
    for (Index i = 0; i < n; ++i) {
        program.linear[i] = program.linear[n + i] = -problem.data.targets[i];
        program.upper[i] = cost * weights[i];
        program.lower[n + i] = -cost * weights[i];
        program.rows.push_back(i);
    }
    for (Index i = 0; i < n; ++i) program.rows.push_back(i);
    return program;
}

SmoSolution solve_tube_program(const TrainingProblem& problem, const BoxProgram& program) {
    const ProgressScope scope(problem.control, 0, 0.9);
    SmoOptions options = smo_options(problem.parameters);
    options.tolerance *= unit_of(parameter::tube_cost, problem.parameters, problem.data);
    return solve_smo(program, options, problem.control);
}

std::vector<double> tube_coefficients(const SmoSolution& solved) {
    std::vector<double> gamma(solved.beta.size() / 2);
    for (std::size_t i = 0; i < gamma.size(); ++i) gamma[i] = solved.beta[i] + solved.beta[i + gamma.size()];
    return gamma;
}

}  // namespace dk
