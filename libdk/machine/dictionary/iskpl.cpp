// SPDX-License-Identifier: Apache-2.0
#include "kernel/algebra/algebra.hpp"
#include "machine/dictionary/dictionary_machine.hpp"

namespace dk {

namespace {

TrainedMachine train_iskpl(const TrainingProblem& problem) {
    const Bank bank{normalised(problem.kernel)};
    const ClassOrder ordered(*problem.data.labels);
    const DictionaryOptions options = dictionary_options(problem.parameters, ordered);
    require_learnable(problem, ordered, options.learning);
    const Dataset rows = problem.data.select(ordered.order);
    BankMatrices stream(bank, rows, problem.budget, problem.control);
    Dictionary dictionary;
    {
        const ProgressScope scope(problem.control, 0, 0.9, "learning");
        dictionary = learn_dictionary(stream, nullptr, ordered, options, problem.control);
    }
    const ProgressScope scope(problem.control, 0.9, 1, "prototypes");
    return trained_dictionary(dictionary, ordered, bank, problem, options.learning.prototypes_of_row);
}

}  // namespace

Machine iskpl_machine() {
    return {.name = "iskpl",
            .doc =
                "Interpretable single-kernel prototype learning finds few prototypes, each made of near rows "
                "of one class. The kernel is normalised: rows have length 1 in its feature space.",
            .reference = dictionary_reference,
            .prototypes = dictionary_prototypes,
            .task = Task::classification,
            .uses_sample_weights = false,
            .parameters = dictionary_parameters(),
            .train = train_iskpl};
}

}  // namespace dk
