// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "machine/machine.hpp"
#include "model/neighbour_votes.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey voters{
    "voters", 5, {1, 1000000}, "So many of the training rows nearest to a row vote for its class."};
}  // namespace parameter

namespace {

TrainedMachine train_nearest_neighbours(const TrainingProblem& problem) {
    const Dataset& data = problem.data;
    TrainedMachine trained;
    trained.rule = DecisionRule::largest;
    trained.predictor =
        make_neighbour_votes(problem.kernel, data, problem.parameters[parameter::voters], problem.precision,
                             problem.parameters[parameter::neighbours], problem.control);
    trained.report.add("voters", std::min(problem.parameters[parameter::voters], data.rows()));
    return trained;
}

}  // namespace

Machine nearest_neighbours_machine() {
    return {.name = "nearest_neighbours",
            .doc =
                "The training rows nearest in feature space vote for their classes. On the layers of a "
                "multilayer kernel machine, with large_margin as the last one, it is that machine's rule.",
            .reference =
                "Cover, Hart, Nearest neighbor pattern classification, IEEE Transactions on Information "
                "Theory 13, 1967; Cho, Saul, Kernel methods for deep learning, NIPS 2009",
            .prototypes =
                "All training rows are prototypes, with coordinates. Explanations are their shares of the "
                "votes, which sum to the decision of each class.",
            .task = Task::classification,
            .uses_sample_weights = false,
            .parameters = {parameter::voters},
            .train = train_nearest_neighbours,
            .few_pairs = [](const Parameters&) { return true; }};
}

}  // namespace dk
