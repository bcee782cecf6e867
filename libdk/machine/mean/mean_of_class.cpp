// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "machine/margin/binary_reduction.hpp"

namespace dk {

namespace {

/// Prototypes are the class means: gamma = 1/n+ and -1/n-, and the offset puts the boundary halfway
/// between them, so that S = 0 (Graf et al. 2008, section 3.1). With sample weights, weighted means.
BinarySolution train_mean_of_class(const BinaryProblem& binary, TrainingGram& gram) {
    double positive = 0;
    double negative = 0;
    for (Index i = 0; i < binary.rows(); ++i) {
        (binary.signs[i] > 0 ? positive : negative) += binary.sample_weights[i];
    }
    BinarySolution solution;
    for (Index i = 0; i < binary.rows(); ++i) {
        const double weight = binary.sample_weights[i];
        solution.gamma.push_back(binary.signs[i] > 0 ? weight / positive : -weight / negative);
    }
    std::vector<double> projections(solution.gamma.size());
    gram.product(solution.gamma, projections, binary.problem.control);
    // half the sum of both classes' mean projections
    double sum = 0;
    for (std::size_t i = 0; i < projections.size(); ++i) sum += std::abs(solution.gamma[i]) * projections[i];
    solution.offset = -0.5 * sum;
    return solution;
}

}  // namespace

Machine mean_of_class_machine() {
    return {.name = "mean_of_class",
            .doc = "Nearest class mean in feature space.",
            .reference = "Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008",
            .task = Task::classification,
            .parameters = {parameter::multiclass},
            .train = [](const TrainingProblem& problem) {
                return train_by_binary_reduction(problem, train_mean_of_class);
            }};
}

}  // namespace dk
