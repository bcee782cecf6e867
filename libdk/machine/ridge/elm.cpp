// SPDX-License-Identifier: Apache-2.0
// An extreme learning machine has one layer of random nodes h, of which only the outputs' weights beta are
// learned: beta = (H'H + I / C)^-1 H'Y, where row i of H is h(x_i) and column t of Y is 1 for the rows of
// class t and -1 for all others. The nodes are sigmoids with random weights, or random features of a kernel.
//
//   paper    code                        what it is
//   h        the map of low_rank()       the random nodes
//   L        parameter::hidden           their number
//   C        parameter::cost             what squared errors cost
//
// Huang, Zhu, Siew, Extreme learning machine, Neurocomputing 70, 2006; Afzal, Deep learning in kernel
// machines, 2018, equations 5.1 to 5.9.
#include "base/error.hpp"
#include "kernel/lowrank/low_rank.hpp"
#include "machine/ridge/ridge_fit.hpp"

namespace dk {

namespace {
enum class HiddenNodes { kernel, sigmoid };
}  // namespace

namespace parameter {
constexpr IntegerKey hidden{"hidden", 1000, {1, 1000000}, "The machine has so many random nodes."};
constexpr ChoiceKey<HiddenNodes> hidden_features{
    "features",
    {"kernel", "sigmoid"},
    "The nodes are random features of the kernel, or sigmoids of random weights in [-1, 1] and biases in [0, "
    "1], "
    "which see the rows themselves: they take kernel=linear, and rows in that range (scale=symmetric)."};
}  // namespace parameter

namespace {

/// Trains the ridge classifier on the outputs H of the random nodes.
TrainedMachine train_elm(const TrainingProblem& problem) {
    const bool sigmoid = problem.parameters[parameter::hidden_features] == HiddenNodes::sigmoid;
    if (sigmoid && !problem.kernel->linear())
        fail(Status::invalid_parameter,
             "elm: features=sigmoid takes kernel=linear, since its nodes see the rows, not ",
             problem.kernel->text());
    Parameters features("lowrank", low_rank_parameters());
    features.set(parameter::rank.name, problem.parameters.text(parameter::hidden.name));
    features.set(parameter::method.name, sigmoid ? "sigmoid_nodes" : "random");
    features.set(parameter::seed.name, problem.parameters.text(parameter::seed.name));
    const KernelPointer kernel = low_rank(problem.kernel, features, problem.data, problem.control);
    std::vector<ParameterSpec> specs = ridge_classifier_parameters();
    specs.insert(specs.end(), {parameter::neighbours, parameter::seed});
    Parameters parameters("machine kelm", std::move(specs));
    for (const std::string_view key :
         {parameter::cost.name, parameter::select_cost.name, parameter::leave_one_out.name,
          parameter::class_targets.name, parameter::neighbours.name, parameter::seed.name})
        parameters.set(key, problem.parameters.text(key));
    return train_ridge_classifier(
        {problem.data, kernel, problem.bank, parameters, problem.precision, problem.budget, problem.control});
}

}  // namespace

Machine elm_machine() {
    return {.name = "elm",
            .doc =
                "The extreme learning machine is ridge regression to the signs of the classes on random "
                "features of the kernel, or on random sigmoid nodes.",
            .reference =
                "Huang, Zhu, Siew, Extreme learning machine, Neurocomputing 70, 2006; Rahimi, Recht, "
                "Random features for large-scale kernel machines, NIPS 2007",
            .prototypes =
                "Each decision function has two prototypes, p+ and p-, which are convex combinations of "
                "training rows. Features are the random features of a row.",
            .task = Task::classification,
            .parameters = {parameter::cost, parameter::select_cost, parameter::hidden,
                           parameter::hidden_features, parameter::leave_one_out, parameter::class_targets},
            .train = train_elm,
            .reads_rows = true,
            .loss = [](const Parameters&,
                       const Dataset&) { return MachineLoss{.errors = ErrorLoss::squares, .offset = false}; },
            .several_labels = true};
}

}  // namespace dk
