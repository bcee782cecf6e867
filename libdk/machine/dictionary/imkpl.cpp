// SPDX-License-Identifier: Apache-2.0
#include "machine/dictionary/dictionary_machine.hpp"

namespace dk {

namespace parameter {
constexpr RealKey mu{
    "mu", 0.2, {0, 1e6}, "The weight of near rows being of one class, for which the kernels are chosen."};
constexpr ChoiceKey<WeightPolicy> policy{
    "policy",
    {"quadratic", "capped", "lp_vertex"},
    "How kernels are weighed by their costs: with a quadratic penalty (quadratic), the cheapest ones equally "
    "(capped), or the cheapest one alone (lp_vertex)."};
constexpr IntegerKey kernels{
    "kernels",
    0,
    {0, 1e9},
    "How many kernels have a weight in the first iteration (quadratic) or always (capped); 0 is a tenth of "
    "the bank, and at least 2."};
}  // namespace parameter

Machine imkpl_machine() {
    std::vector<ParameterSpec> parameters = dictionary_parameters();
    parameters.insert(parameters.end(), {parameter::mu, parameter::policy, parameter::kernels});
    return {
        .name = "imkpl",
        .doc =
            "Interpretable multiple-kernel prototype learning: few prototypes, each made of near rows of one "
            "class, in the kernels that show them. It weighs the bank itself.",
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
