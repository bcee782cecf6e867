// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "machine/margin/margin_report.hpp"
#include "machine/single_function.hpp"

namespace dk {

namespace parameter {
constexpr RealKey outlier_nu{"nu", 0.5, Range::share(),
                             "At most this share of training rows may be taken for outliers."};
}  // namespace parameter

namespace {

/// Solves min 1/2 a'Ka over 0 <= a_i <= weight_i with the sum nu n, which separates the rows from the origin
/// of feature space (Schoelkopf et al. 2001). Its prototypes are a mean of the rows at the edge, and the
/// origin.
TrainedMachine train_one_class(const TrainingProblem& problem) {
    const auto gram =
        make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget, &problem.control);
    const auto n = problem.data.rows();
    BoxProgram program = zero_program(*gram, problem.data.rows());
    program.upper = row_weights(problem.data);
    std::vector<Index> all(n);
    std::iota(all.begin(), all.end(), Index{0});
    fill_start(program.start, all, program.upper,
               problem.parameters[parameter::outlier_nu] *
                   std::accumulate(program.upper.begin(), program.upper.end(), 0.0));
    SmoSolution solved;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        solved = solve_smo(program, smo_options(problem.parameters), problem.control);
    }
    Report report;
    report_solution(report, program, solved);
    return single_function(problem, solved.beta, smo_offset(program, solved), std::move(report),
                           DecisionRule::binary);
}

}  // namespace

Machine one_class_svm_machine() {
    return {.name = "one_class_svm",
            .doc =
                "The one-class support vector machine predicts 1 for rows like the training rows, and -1 for "
                "others.",
            .reference =
                "Schoelkopf, Platt, Shawe-Taylor, Smola, Williamson, Estimating the support of a "
                "high-dimensional distribution, Neural Computation 13, 2001",
            .prototypes =
                "The function has two prototypes, p+ and p-. There is one class, so that coefficients do not "
                "balance: those of p+ or of p- sum to less than 1, and the rest is at the origin of feature "
                "space.",
            .task = Task::novelty,
            .parameters = {parameter::outlier_nu, parameter::tolerance, parameter::max_iterations},
            .train = train_one_class,
            .loss = [](const Parameters& parameters, const Dataset&) {
                return MachineLoss{.errors = ErrorLoss::outliers,
                                   .outlier_share = parameters[parameter::outlier_nu]};
            }};
}

}  // namespace dk
