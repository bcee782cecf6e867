// SPDX-License-Identifier: Apache-2.0
#include "machine/core_vector/core_vector_program.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "solve/ball/enclosing_ball.hpp"

namespace dk {

namespace {

/// A ball that begins the core set takes at most so many steps, because core sets find the rows of later
/// steps sooner.
constexpr std::int64_t first_ball_steps = 50;

/// Learns f(x) = sum_s alpha_s y_s (k(x_s, x) + constant), which is divided by alpha'K~alpha so that the
/// margin is 1.
BinarySolution train_pair(const BinaryProblem& binary, const Dataset& data, FirstBall ball) {
    std::vector<Index> classes;
    for (const double sign : binary.signs) classes.push_back(sign > 0 ? 1 : 0);
    const auto costs = core_vector_costs(binary.sample_weights, binary.problem.parameters);
    CoreVectorTiles source(binary.problem, data, classes, class_vectors(2), costs);
    const auto solved = solve_core_vector_program(source, binary.problem, classes, costs, ball);
    BinarySolution solution;
    solution.gamma.resize(binary.signs.size());
    for (std::size_t s = 0; s < solved.core.size(); ++s) {
        const Index i = solved.core[s];
        solution.gamma[i] = binary.signs[i] * solved.alpha[s] / solved.objective;
        solution.offset += source.constant() * solution.gamma[i];
    }
    report_core_set(solution.report, solved);
    return solution;
}

}  // namespace

std::vector<ParameterSpec> core_vector_parameters() {
    return {parameter::cost,   parameter::offset,     parameter::stop,
            parameter::gap,    parameter::max_rounds, parameter::epsilon,
            parameter::sample, parameter::max_steps,  parameter::max_core};
}

std::vector<double> core_vector_costs(std::span<const double> sample_weights, const Parameters& parameters) {
    const double c = parameters[parameter::cost];
    std::vector<double> costs;
    for (const double weight : sample_weights) costs.push_back(c * weight);
    return costs;
}

CoreSetSolution solve_core_vector_program(CoreVectorTiles& source, const TrainingProblem& problem,
                                          std::span<const Index> classes, std::span<const double> costs,
                                          FirstBall ball) {
    const auto& parameters = problem.parameters;
    std::vector<char> excluded;
    for (const double cost : costs) excluded.push_back(cost > 0 ? 0 : 1);
    BallOptions papers{.epsilon = parameters[parameter::epsilon],
                       .sample = parameters[parameter::sample],
                       .most_core = parameters[parameter::max_core],
                       .most_steps = parameters[parameter::max_steps],
                       .seed = static_cast<std::uint64_t>(parameters[parameter::seed]),
                       .groups = {classes.begin(), classes.end()},
                       .excluded = std::move(excluded)};
    if (papers.epsilon == 0) {  // This is the rule of the authors' program LibCVM.
        const double largest = std::ranges::max(source.diagonal());
        papers.epsilon = (4e-6 / largest + 2 / (15000 * parameters[parameter::cost])) / (2 * largest);
    }
    if (parameters[parameter::stop] == CoreStop::epsilon) {
        return ball == FirstBall::yes ? solve_enclosing_ball(source, papers, problem.control)
                                      : solve_core_vectors(source, papers, problem.control);
    }
    CoreSetOptions options{.gap = parameters[parameter::gap],
                           .most_rounds = parameters[parameter::max_rounds],
                           .most_core = papers.most_core,
                           .seed = papers.seed,
                           .groups = papers.groups,
                           .excluded = papers.excluded};
    if (ball == FirstBall::yes) {
        const ProgressScope scope(problem.control, 0, 0.5);
        papers.most_steps = std::min(papers.most_steps, first_ball_steps);
        options.start = solve_enclosing_ball(source, papers, problem.control).core;
    }
    const ProgressScope scope(problem.control, ball == FirstBall::yes ? 0.5 : 0, 1);
    return solve_core_set(source, options, problem.control);
}

void report_core_set(Report& report, const CoreSetSolution& solution) {
    // The objectives are those of the program min 1/2 beta'K~beta - sum beta, which beta = alpha /
    // alpha'K~alpha solves: they compare with other machines' objectives.
    report.add("objective", -0.5 / solution.objective)
        .add("gap", solution.gap)
        .add("converged", solution.converged)
        .add("core_set", std::ssize(solution.core))
        .add("scans", solution.scans);
    if (solution.rough_scans > 0) report.add("search", std::string("single precision"));
    std::vector<double> sizes;
    std::vector<double> objectives;
    std::vector<double> gaps;
    for (const CoreSetRound& round : solution.rounds) {
        sizes.push_back(round.core);
        objectives.push_back(-0.5 / round.objective);
        gaps.push_back(round.gap);
    }
    report.add("round_core_set", sizes).add("round_objective", objectives).add("round_gap", gaps);
}

TrainedMachine train_core_vector_pairs(const TrainingProblem& problem, FirstBall ball) {
    return train_by_binary_reduction(problem, [&](const BinaryProblem& binary, const Dataset& data) {
        return train_pair(binary, data, ball);
    });
}

MachineLoss loss_of_core_vectors(const Parameters&, const Dataset&) {
    return {.errors = ErrorLoss::squared_hinge};
}

}  // namespace dk
