// SPDX-License-Identifier: Apache-2.0
// MKLGL learns kernel weights and a machine together (group_lasso.cpp). Here it is a strategy: its
// parameters, the loss that it learns with, and the way that suits the kernels. Kernels with few features and
// squared slack have one that needs no kernel matrix (feature_margins.cpp).
//
// Xu, Jin, Yang, King, Lyu, Simple and efficient multiple kernel learning by group lasso, ICML 2010.
#include "base/error.hpp"
#include "weights/group_lasso/feature_margins.hpp"
#include "weights/group_lasso/group_lasso.hpp"
#include "weights/strategy/strategy.hpp"
#include "weights/strategy/weight_scale.hpp"

namespace dk {

namespace {
enum class LearnedLoss { machine, hinge, squared_hinge, squares };
}  // namespace

namespace parameter {
constexpr RealKey norm{
    "p",
    4.0 / 3,
    {1, 1000},
    "The weights have a p-norm of at most 1: with p = 1 most of them are 0, and the larger p is, the more "
    "alike they are."};
constexpr RealKey cost{
    "C",
    0,
    {0, 1e300},
    "This is the cost C of errors in the machine that learns the weights; 0 takes the C of the machine that "
    "will use them, or 1 where it has none."};
constexpr ChoiceKey<LearnedLoss> learned_loss{
    "loss",
    {"machine", "hinge", "squared_hinge", "squares"},
    "The weights are learned with the loss of the machine that will use them, its class weights and its "
    "tube, or "
    "with another one. Machines without a loss of their own have hinge for classes and squares for targets."};
constexpr RealKey gap{
    "gap", 1e-3, Range::positive(),
    "Learning stops when the duality gap, divided by the objective, is at most this. The gap "
    "bounds how far the objective is from the best one."};
constexpr IntegerKey max_iterations{"max_iterations",
                                    200,
                                    {1, 1000000},
                                    "Learning stops after this many iterations, in each of which the machine "
                                    "and then the weights are found."};
}  // namespace parameter

namespace {

/// Chooses the loss with which the weights are learned.
ErrorLoss chosen_loss(const WeightProblem& problem) {
    const bool classes = problem.data.labels.has_value();
    const ErrorLoss own = problem.loss.errors;
    switch (problem.parameters[parameter::learned_loss]) {
        case LearnedLoss::machine:
            if (own == ErrorLoss::outliers || own == ErrorLoss::squares) return own;
            if (classes) return own == ErrorLoss::squared_hinge ? own : ErrorLoss::hinge;
            return own == ErrorLoss::tube ? own : ErrorLoss::squares;
        case LearnedLoss::squares:
            return ErrorLoss::squares;
        case LearnedLoss::hinge:
        case LearnedLoss::squared_hinge:
            break;
    }
    if (!classes) fail(Status::unsupported, "weights=mklgl: loss=hinge and squared_hinge compare classes");
    return problem.parameters[parameter::learned_loss] == LearnedLoss::hinge ? ErrorLoss::hinge
                                                                             : ErrorLoss::squared_hinge;
}

/// A weight that is a smaller share of the largest one becomes 0 in the end.
constexpr double smallest_share = 1e-6;

KernelWeights learn_with_machine(const WeightProblem& problem) {
    const Parameters& parameters = problem.parameters;
    const double p = parameters[parameter::norm];
    const double given = parameters[parameter::cost];
    const double cost = given > 0 ? given : problem.cost;
    const ErrorLoss loss = chosen_loss(problem);
    const GroupLassoOptions options{.norm = p,
                                    .gap = parameters[parameter::gap],
                                    .most_turns = parameters[parameter::max_iterations],
                                    .start = closed_form_weights(Vector::Ones(std::ssize(problem.bank)), p)};
    GroupLassoSolution solved;
    if (loss == ErrorLoss::squared_hinge && have_features(problem.bank, problem.data.rows())) {
        solved = solve_feature_margins(problem, cost, options);
    } else {
        const auto machines = make_bank_machines(problem, loss, cost);
        solved = solve_group_lasso(*machines, options, problem.control);
    }
    Vector& weights = solved.weights;
    weights = (weights.array() < smallest_share * weights.maxCoeff()).select(0.0, weights);
    const Vector shares = weights / weights.sum();
    weights = parameters[parameter::weight_scale] == WeightScale::sum ? shares : of_norm_one(weights, p);
    KernelWeights found;
    found.weights.assign(weights.begin(), weights.end());
    found.report.add("share", std::vector<double>(shares.begin(), shares.end()))
        .add("norms", std::vector<double>(solved.norms.begin(), solved.norms.end()))
        .add("C", cost)
        .add("effective_C", cost * weights.sum())
        .add("objective", solved.objectives.back())
        .add("gap", solved.gaps.back())
        .add("iterations", solved.turns)
        .add("converged", solved.converged)
        .add("objectives", solved.objectives)
        .add("gaps", solved.gaps);
    return found;
}

}  // namespace

WeightStrategy mklgl_strategy() {
    return {.name = "mklgl",
            .doc =
                "MKLGL learns the weights together with the machine: among all weights whose p-norm is at "
                "most 1, it "
                "finds those with which the machine has the smallest objective.",
            .reference =
                "Xu, Jin, Yang, King, Lyu, Simple and efficient multiple kernel learning by group "
                "lasso, ICML 2010",
            .arguments = "",
            .parameters = {parameter::norm, parameter::cost, parameter::learned_loss, parameter::weight_scale,
                           parameter::gap, parameter::max_iterations},
            .normalises = true,
            .needs = Knowledge::targets,
            .check = nullptr,
            .weigh =
                [](const WeightProblem& problem) {
                    if (!problem.data.labels && problem.data.targets.empty() &&
                        problem.loss.errors != ErrorLoss::outliers)
                        fail(Status::unsupported,
                             "weights=mklgl learns from one class or target a row; the rows have none");
                    if (problem.data.target_count > 1)
                        fail(Status::unsupported, "weights=mklgl learns from one target, and rows have ",
                             problem.data.target_count, "; align and alignf take several");
                    return learn_with_machine(problem);
                },
            .reads_cost = true,
            .solves_program = true};
}

}  // namespace dk
