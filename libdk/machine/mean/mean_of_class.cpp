// SPDX-License-Identifier: Apache-2.0
//
// The mean of class predicts the class whose mean in feature space is nearer: its prototypes are the means,
//
//     w = p+ - p- = sum_i gamma_i x_i,   gamma_i = 1 / n+ or -1 / n-    (11)
//     b = -1/2 (<w, p+> + <w, p->)                                      (10)
//
// so that the boundary is halfway between them. With sample weights the means are weighted.
//
//     letter     name
//     gamma, b   BinarySolution::gamma, BinarySolution::offset
//     n+, n-     positive, negative: the numbers of rows, or the sums of their weights
//     <w, x_i>   projections[i]
//
// A. Graf, O. Bousquet, G. Raetsch, B. Schoelkopf, Prototype classification: insights from machine learning,
// Neural Computation 21, 2009, section 4.1.
#include <cmath>

#include "machine/margin/binary_reduction.hpp"

namespace dk {

namespace {

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
    double sum = 0;
    for (std::size_t i = 0; i < projections.size(); ++i) sum += std::abs(solution.gamma[i]) * projections[i];
    solution.offset = -0.5 * sum;
    return solution;
}

}  // namespace

Machine mean_of_class_machine() {
    return {.name = "mean_of_class",
            .doc = "The mean of class predicts the class whose mean is nearer in feature space.",
            .reference =
                "Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, Neural Computation 21, 2009",
            .task = Task::classification,
            .parameters = {parameter::multiclass},
            .train =
                [](const TrainingProblem& problem) {
                    return train_by_binary_reduction(problem, train_mean_of_class);
                },
            .several_labels = true,
            .updates = true};
}

}  // namespace dk
