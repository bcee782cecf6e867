// SPDX-License-Identifier: Apache-2.0
//
// SVMsel trains a support vector machine and keeps a few of its support vectors, with new weights that make
// the function come nearest to the whole one,
//
//     min over I, beta of   |sum_i alpha_i phi(x_i) - sum over i in I of beta_i phi(x_i)|^2,   |I| = m.
//
// One support vector is deleted at a time (prototype/support_selection.cpp). The paper estimates what that
// costs by kernel principal components, of which each deletion needs new ones; the exact cost is known from
// the inverse kernel matrix and takes one operation in n as much.
//
//     letter     name
//     alpha      SupportFunction::alpha
//     m, beta    parameter::prototypes, ReducedFunction::weights
//
// B. Schoelkopf, S. Mika, C. J. C. Burges, P. Knirsch, K.-R. Mueller, G. Raetsch, A. J. Smola, Input space
// versus feature space in kernel-based methods, IEEE Transactions on Neural Networks 10, 1999; compared in A.
// Demontis, M. Melis, B. Biggio, G. Fumera, F. Roli, Super-sparse learning in similarity spaces, IEEE
// Computational Intelligence Magazine 11, 2016.
#include "kernel/engine/gram_engine.hpp"
#include "machine/reduction/support_functions.hpp"
#include "prototype/support_selection.hpp"

namespace dk {

namespace {

enum class Selection { automatic, kpca, exact };

}  // namespace

namespace parameter {
constexpr IntegerKey kept_vectors{"prototypes",
                                  10,
                                  {1, 1000000},
                                  "So many support vectors are kept for each function, of which two classes "
                                  "have one and more have one each."};
constexpr ChoiceKey<Selection> selection{
    "selection",
    {"auto", "kpca", "exact"},
    "The support vector that is deleted next costs least by an upper bound from kernel principal components "
    "(kpca) or exactly (exact); auto is exact for more than 500 support vectors, and kpca below."};
}  // namespace parameter

namespace {

constexpr Index most_by_bound = 500;

DeletionCost cost_for(Selection selection, Index rows) {
    if (selection == Selection::automatic)
        return rows > most_by_bound ? DeletionCost::exact : DeletionCost::bound;
    return selection == Selection::exact ? DeletionCost::exact : DeletionCost::bound;
}

ReducedFunction selected(const TrainingProblem& problem, const SupportFunction& function) {
    const Index n = std::ssize(function.rows);
    problem.budget.require(8.0 * 5 * n * n, text("kernel matrix of ", n, " support vectors"));
    const Dataset support = problem.data.select(function.rows);
    Matrix K(n, n);
    {
        const ProgressScope scope(problem.control, 0, 0.1);
        GramEngine<double>(problem.kernel, support, support, &problem.control)
            .matrices(K.data(), problem.control);
    }
    const ProgressScope scope(problem.control, 0.1, 1);
    const SupportSelection found =
        select_support(K, function.alpha, problem.parameters[parameter::kept_vectors],
                       cost_for(problem.parameters[parameter::selection], n), problem.control);
    ReducedFunction reduced{.weights = found.weights, .squared_norm = found.squared_norm, .lost = found.lost};
    for (const Index i : found.rows) reduced.rows.push_back(function.rows[i]);
    return reduced;
}

TrainedMachine train_selected_svm(const TrainingProblem& problem) {
    const SupportFunctions given = train_support_functions(problem);
    std::vector<ReducedFunction> reduced;
    const double count = std::ssize(given.functions);
    for (const SupportFunction& function : given.functions) {
        const double done = std::ssize(reduced);
        const ProgressScope scope(problem.control, 0.5 + 0.35 * done / count, 0.5 + 0.35 * (done + 1) / count,
                                  "selection");
        reduced.push_back(selected(problem, function));
    }
    return reduced_machine(problem, given, reduced);
}

}  // namespace

Machine selected_svm_machine() {
    std::vector<ParameterSpec> parameters{parameter::kept_vectors, parameter::selection};
    const auto passed = passed_to_svm();
    parameters.insert(parameters.end(), passed.begin(), passed.end());
    return {
        .name = "selected_svm",
        .doc =
            "SVMsel is a support vector machine that keeps only a few of its support vectors, those that "
            "can replace the others best.",
        .reference =
            "Schoelkopf, Mika, Burges, Knirsch, Mueller, Raetsch, Smola, Input space versus feature space "
            "in kernel-based methods, IEEE Transactions on Neural Networks 10, 1999",
        .prototypes = prototypes_are::free_vectors,
        .task = Task::classification,
        .parameters = std::move(parameters),
        .train = train_selected_svm};
}

}  // namespace dk
