// SPDX-License-Identifier: Apache-2.0
#include "machine/core_vector/core_vector_program.hpp"

namespace dk {

Machine bvm_machine() {
    std::vector<ParameterSpec> parameters = core_vector_parameters();
    parameters.push_back(parameter::multiclass);
    return {
        .name = "bvm",
        .doc =
            "The ball vector machine is a core vector machine whose core set begins with that of a ball "
            "of fixed radius.",
        .reference = "Tsang, Kocsor, Kwok, Simpler core vector machines with enclosing balls, ICML 2007",
        .prototypes = prototypes_are::unbalanced_pairs,
        .task = Task::classification,
        .parameters = std::move(parameters),
        .train =
            [](const TrainingProblem& problem) { return train_core_vector_pairs(problem, FirstBall::yes); },
        .loss = loss_of_core_vectors,
        .few_pairs = [](const Parameters&) { return true; },
        .several_labels = true,
        .updates = true};
}

}  // namespace dk
