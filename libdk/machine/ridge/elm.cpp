// SPDX-License-Identifier: Apache-2.0
#include "kernel/lowrank/low_rank.hpp"
#include "machine/ridge/ridge_fit.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey hidden{
    "hidden", 1000, {1, 1000000}, "The machine learns from so many random features of the kernel."};
}  // namespace parameter

namespace {

/// Trains the ridge classifier on random features H of the kernel: beta = (H'H + I / C)^-1 H'Y.
TrainedMachine train_elm(const TrainingProblem& problem) {
    refuse_sample_weights(problem, "elm");
    Parameters features("lowrank", low_rank_parameters());
    features.set(parameter::rank.name, problem.parameters.text(parameter::hidden.name));
    features.set(parameter::method.name, "random");
    features.set(parameter::seed.name, problem.parameters.text(parameter::seed.name));
    const KernelPointer kernel = low_rank(problem.kernel, features, problem.data, problem.control);
    std::vector<ParameterSpec> specs = ridge_parameters();
    specs.insert(specs.end(), {parameter::neighbours, parameter::seed});
    Parameters parameters("machine kelm", std::move(specs));
    for (const std::string_view key : {parameter::cost.name, parameter::leave_one_out.name,
                                       parameter::neighbours.name, parameter::seed.name})
        parameters.set(key, problem.parameters.text(key));
    return train_ridge_classifier(
        {problem.data, kernel, problem.bank, parameters, problem.precision, problem.budget, problem.control});
}

}  // namespace

Machine elm_machine() {
    return {.name = "elm",
            .doc =
                "The extreme learning machine is ridge regression to the signs of the classes on random "
                "features of the kernel.",
            .reference =
                "Huang, Zhu, Siew, Extreme learning machine, Neurocomputing 70, 2006; Rahimi, Recht, "
                "Random features for large-scale kernel machines, NIPS 2007",
            .task = Task::classification,
            .parameters = {parameter::cost, parameter::hidden, parameter::leave_one_out},
            .train = train_elm,
            .reads_rows = true};
}

}  // namespace dk
