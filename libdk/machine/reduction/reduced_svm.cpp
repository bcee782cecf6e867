// SPDX-License-Identifier: Apache-2.0
//
// SVMred trains a support vector machine and replaces its support vectors by a few free vectors z_j, which
// need not be rows,
//
//     min over z, beta of   |sum_i alpha_i phi(x_i) - sum_j beta_j phi(z_j)|^2,   j = 1, ..., m.
//
// The vectors are found one after the other (prototype/reduced_set.cpp).
//
//     letter     name
//     alpha      SupportFunction::alpha
//     m          parameter::reduced_vectors
//     z, beta    ReducedFunction::points, ReducedFunction::weights
//
// C. J. C. Burges, Simplified support vector decision rules, ICML 1996; B. Schoelkopf, S. Mika, C. J. C.
// Burges, P. Knirsch, K.-R. Mueller, G. Raetsch, A. J. Smola, Input space versus feature space in
// kernel-based methods, IEEE Transactions on Neural Networks 10, 1999.
#include "machine/reduction/support_functions.hpp"
#include "machine/super_sparse/super_sparse_learning.hpp"
#include "prototype/reduced_set.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey reduced_vectors{"prototypes",
                                     10,
                                     {1, 100000},
                                     "So many vectors at most take the place of the support vectors of each "
                                     "function, of which two classes have one and more have one each."};
constexpr FlagKey polish{"polish", false,
                         "With yes, all vectors of a function move together at the end, which takes longer."};
}  // namespace parameter

namespace {

ReducedFunction reduced(const TrainingProblem& problem, const Dataset& rows,
                        const SupportFunction& function) {
    const Index n = std::ssize(function.rows);
    problem.budget.require(8.0 * (5.0 * n * n + 4.0 * n * rows.cols()),
                           text("kernel matrix of ", n, " support vectors"));
    const ReducedSet found =
        reduced_set(problem.kernel, rows.select(function.rows), function.alpha,
                    {.vectors = problem.parameters[parameter::reduced_vectors],
                     .polish = problem.parameters[parameter::polish],
                     .seed = static_cast<std::uint64_t>(problem.parameters[parameter::seed])},
                    problem.control);
    return {.points = found.points,
            .weights = found.weights,
            .squared_norm = found.squared_norm,
            .lost = found.left.empty() ? found.squared_norm : found.left.back()};
}

TrainedMachine train_reduced_svm(const TrainingProblem& problem) {
    const Dataset rows = learning_rows(problem.kernel, problem.data, problem.control);
    require_reducible(*problem.kernel, rows);
    const SupportFunctions given = train_support_functions(problem);
    std::vector<ReducedFunction> functions;
    const double count = std::ssize(given.functions);
    for (const SupportFunction& function : given.functions) {
        const double done = std::ssize(functions);
        const ProgressScope scope(problem.control, 0.5 + 0.35 * done / count, 0.5 + 0.35 * (done + 1) / count,
                                  "reduction");
        functions.push_back(reduced(problem, rows, function));
    }
    return reduced_machine(problem, given, functions);
}

}  // namespace

Machine reduced_svm_machine() {
    std::vector<ParameterSpec> parameters{parameter::reduced_vectors, parameter::polish};
    const auto passed = passed_to_svm();
    parameters.insert(parameters.end(), passed.begin(), passed.end());
    return {
        .name = "reduced_svm",
        .doc =
            "SVMred is a support vector machine whose support vectors a few vectors replace that need not "
            "be training rows.",
        .reference =
            "Burges, Simplified support vector decision rules, ICML 1996; Schoelkopf et al., Input space "
            "versus feature space in kernel-based methods, IEEE Transactions on Neural Networks 10, 1999",
        .prototypes = prototypes_are::free_vectors,
        .task = Task::classification,
        .parameters = std::move(parameters),
        .train = train_reduced_svm,
        .reads_rows = true};
}

}  // namespace dk
