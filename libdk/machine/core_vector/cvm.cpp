// SPDX-License-Identifier: Apache-2.0
#include "machine/core_vector/core_vector_program.hpp"

namespace dk {

Machine cvm_machine() {
    std::vector<ParameterSpec> parameters = core_vector_parameters();
    parameters.push_back(parameter::multiclass);
    return {
        .name = "cvm",
        .doc =
            "The core vector machine is a 2-norm support vector machine that learns from a core set of "
            "rows, so that it trains on very many rows. It is deep with the kernel arccos.",
        .reference =
            "Tsang, Kwok, Cheung, Core vector machines, JMLR 6, 2005; Afzal, Deep learning in kernel "
            "machines, 2018",
        .prototypes = prototypes_are::unbalanced_pairs,
        .task = Task::classification,
        .parameters = std::move(parameters),
        .train =
            [](const TrainingProblem& problem) { return train_core_vector_pairs(problem, FirstBall::no); },
        .loss = loss_of_core_vectors,
        .few_pairs = [](const Parameters&) { return true; },
        .several_labels = true,
        .updates = true};
}

}  // namespace dk
