// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "machine/single_function.hpp"
#include "machine/sparse/relevance_vectors.hpp"

namespace dk {

namespace {

/// The unit by which targets are divided before learning. The prior of the bias hardly matters for targets
/// about 1, so that others are brought there. The unit is 1 where targets are about 1 already.
double unit_of(const std::vector<double>& targets) {
    const auto t = as_vector(targets);
    const double mean = t.mean();
    const double deviation = std::sqrt((t.array() - mean).square().mean());
    const bool in_sight = deviation >= 1e-3 && std::max(deviation, std::abs(mean)) <= 1e3;
    return in_sight || !(deviation > 0) ? 1 : deviation;
}

TrainedMachine train_regression(const TrainingProblem& problem) {
    const auto gram =
        make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget, &problem.control);
    const double unit = unit_of(problem.data.targets);
    std::vector<double> targets = problem.data.targets;
    for (double& t : targets) t /= unit;
    BinarySolution solution;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        solution = learn_relevance_vectors(*gram, targets, SparseBayesProgram::Likelihood::gaussian, problem);
    }
    for (double& g : solution.gamma) g *= unit;
    solution.offset *= unit;
    if (unit != 1) solution.report.add("target_unit", unit);  // the unit of precisions, noise and evidence
    return single_function(problem, std::move(solution.gamma), solution.offset, std::move(solution.report),
                           DecisionRule::regression);
}

}  // namespace

Machine rvr_machine() {
    return {.name = "rvr",
            .doc = "Relevance vector regression gives weights to few rows, those with the largest evidence.",
            .reference =
                "Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001; "
                "Tipping, Faul, Fast marginal likelihood maximisation, AISTATS 2003",
            .task = Task::regression,
            .uses_sample_weights = false,
            .parameters = relevance_parameters(),
            .train = train_regression};
}

}  // namespace dk
