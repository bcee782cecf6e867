// SPDX-License-Identifier: Apache-2.0
#include "machine/dictionary/dictionary_machine.hpp"

namespace dk {

namespace parameter {
constexpr RealKey mu{
    "mu", 0.2, {0, 1e6}, "A larger mu makes kernels weigh more in which near rows are of one class."};
constexpr ChoiceKey<WeightPolicy> policy{
    "policy",
    {"quadratic", "capped", "lp_vertex"},
    "Kernels are weighed by their costs: with a quadratic penalty of the weights (quadratic), the cheapest "
    "ones equally (capped), or the cheapest one alone (lp_vertex)."};
constexpr IntegerKey kernels{
    "kernels",
    0,
    {0, 1e9},
    "So many kernels have a weight in the first iteration (quadratic) or always (capped); 0 stands for a "
    "tenth of the bank, and at least 2."};
}  // namespace parameter

Machine imkpl_machine() {
    std::vector<ParameterSpec> parameters = dictionary_parameters();
    parameters.insert(parameters.end(), {parameter::mu, parameter::policy, parameter::kernels});
    return {.name = "imkpl",
            .doc =
                "Interpretable multiple-kernel prototype learning finds few prototypes, each made of near "
                "rows of one class, and weighs the kernels of the bank such that they show these.",
            .reference = dictionary_reference,
            .task = Task::classification,
            .parameters = std::move(parameters),
            .train =
                [](const TrainingProblem& problem) {
                    const Parameters& values = problem.parameters;
                    return train_dictionary(problem, problem.bank,
                                            WeighingOptions{.policy = values[parameter::policy],
                                                            .kernels = values[parameter::kernels],
                                                            .mu = values[parameter::mu]});
                },
            .weighs_kernels = true};
}

}  // namespace dk
