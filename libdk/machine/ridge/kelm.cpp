// SPDX-License-Identifier: Apache-2.0
#include "machine/ridge/kernel_tuning.hpp"
#include "machine/ridge/ridge_fit.hpp"

namespace dk {

namespace {

/// Solves A = (K + I / C)^-1 Y (Huang, Zhou, Ding, Zhang 2012, equation 32; Afzal 2018, equation 5.10), where
/// column t of Y is 1 for the rows of class t and -1 for all others.
TrainedMachine train_kelm(const TrainingProblem& problem) {
    return train_ridge_classifier(problem);
}

}  // namespace

Machine kelm_machine() {
    return {
        .name = "kelm",
        .doc =
            "The kernel extreme learning machine is ridge regression to the signs of the classes. It is "
            "deep with the kernel arccos.",
        .reference =
            "Huang, Zhou, Ding, Zhang, Extreme learning machine for regression and multiclass "
            "classification, IEEE Transactions SMC B 42, 2012; Afzal, Deep learning in kernel machines, 2018",
        .task = Task::classification,
        .parameters = with_tuning(ridge_classifier_parameters()),
        .train = [](const TrainingProblem& problem) { return train_tuned(problem, train_kelm); },
        .loss = loss_of_squares,
        .left_out = LeftOutRow::ridge,
        .few_pairs = uses_falkon,
        .several_labels = true,
        .updates = true};
}

}  // namespace dk
