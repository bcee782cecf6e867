// SPDX-License-Identifier: Apache-2.0
#include "machine/lvq/lvq_machine.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey rows_of_prototype{"rows_of_prototype",
                                       0,
                                       {0, 10000},
                                       "A prototype is made of at most so many rows; 0 stands for the number "
                                       "of prototypes of a class."};
constexpr ChoiceKey<SparseForm> sparse{
    "sparse", sparse_forms,
    "After learning, a prototype becomes the combination of few rows that is nearest to it (omp), the mean "
    "of "
    "its nearest rows (nearest), or that of the rows with the largest coefficients (hull)."};
}  // namespace parameter

Machine akglvq_machine() {
    std::vector<ParameterSpec> parameters = quantisation_parameters();
    parameters.insert(parameters.end(), {parameter::sparse, parameter::rows_of_prototype});
    return {.name = "akglvq",
            .doc =
                "Approximated generalised learning vector quantisation in feature space learns as kglvq does "
                "and then makes each prototype of few rows, which people can look at. Rows have length 1 in "
                "feature space unless normalize=no.",
            .reference =
                "Hofmann, Gisbrecht, Hammer, Efficient approximations of robust soft learning vector "
                "quantization for non-vectorial data, Neurocomputing 147, 2015",
            .prototypes = prototypes_are::nearest_of_class,
            .task = Task::classification,
            .uses_sample_weights = false,
            .parameters = std::move(parameters),
            .train =
                [](const TrainingProblem& problem) {
                    return train_quantisation(
                        problem, SparsePrototypes{problem.parameters[parameter::sparse],
                                                  problem.parameters[parameter::rows_of_prototype]});
                },
            .updates = true};
}

}  // namespace dk
