// SPDX-License-Identifier: Apache-2.0
#include "machine/sparse/relevance_vectors.hpp"

namespace dk {

namespace {

/// Rows of the positive class have the target 1, and the others 0.
BinarySolution train_pair(const BinaryProblem& binary, TrainingGram& gram) {
    std::vector<double> targets;
    for (const double sign : binary.signs) targets.push_back(sign > 0 ? 1 : 0);
    return learn_relevance_vectors(gram, targets, SparseBayesProgram::Likelihood::bernoulli, binary.problem);
}

}  // namespace

Machine rvm_machine() {
    std::vector<ParameterSpec> parameters = relevance_parameters();
    parameters.push_back(parameter::multiclass);
    return {.name = "rvm",
            .doc = "The relevance vector machine gives weights to few rows, those with the largest evidence.",
            .reference =
                "Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001; "
                "Tipping, Faul, Fast marginal likelihood maximisation, AISTATS 2003",
            .task = Task::classification,
            .uses_sample_weights = false,
            .parameters = std::move(parameters),
            .train =
                [](const TrainingProblem& problem) { return train_by_binary_reduction(problem, train_pair); },
            .several_labels = true};
}

}  // namespace dk
