// SPDX-License-Identifier: Apache-2.0
#include "machine/lvq/lvq_machine.hpp"

namespace dk {

Machine kglvq_machine() {
    return {.name = "kglvq",
            .doc =
                "Generalised learning vector quantisation in feature space moves prototypes of each class "
                "towards rows of their class and away from others; the nearest prototype decides. Rows have "
                "length 1 in feature space unless normalize=no.",
            .reference =
                "Qin, Suganthan, A novel kernel prototype-based learning algorithm, ICPR 2004; Sato, Yamada, "
                "Generalized learning vector quantization, NIPS 1995",
            .prototypes = prototypes_are::nearest_of_class,
            .task = Task::classification,
            .uses_sample_weights = false,
            .parameters = quantisation_parameters(),
            .train = [](const TrainingProblem& problem) { return train_quantisation(problem, {}); },
            .updates = true};
}

}  // namespace dk
