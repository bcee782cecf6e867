// SPDX-License-Identifier: Apache-2.0
#include "kernel/operator/algebra.hpp"
#include "machine/dictionary/dictionary_machine.hpp"

namespace dk {

Machine iskpl_machine() {
    return {.name = "iskpl",
            .doc =
                "Interpretable single-kernel prototype learning finds few prototypes, each made of near rows "
                "of one class.",
            .reference = dictionary_reference,
            .task = Task::classification,
            .parameters = dictionary_parameters(),
            .train = [](const TrainingProblem& problem) {
                return train_dictionary(problem, {normalised(problem.kernel)}, std::nullopt);
            }};
}

}  // namespace dk
