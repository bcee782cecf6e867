// SPDX-License-Identifier: Apache-2.0
//
// Ridge regression in similarity space learns functions f_c(x) = sum_j beta_jc s(x, z_j) + b_c of the
// similarities to a basis of training rows z_j,
//
//     min over beta, b of   sum_i u_i |f(x_i) - y_i|^2 + lambda |beta|^2.
//
// The penalty is on the weights and not on the length of a function in feature space, as in kernel ridge
// regression; so s need not be positive semidefinite.
//
//     letter     name
//     s, z_j     problem.kernel, the rows `basis`
//     y, u       targets.Y(), targets.row_weights
//     beta, b    SimilarityFunctions
//
// lambda is the one of 49 with the least error on rows left out. They are 10^-10 to 10^2 times the largest
// squared singular value of the centred similarities. The default leaves out one row at a time, whose
// similarities stay a column (solve/squares/column_ridge.cpp).
//
// A. Demontis, M. Melis, B. Biggio, G. Fumera, F. Roli, Super-sparse learning in similarity spaces, IEEE
// Computational Intelligence Magazine 11, 2016.
#include <cmath>
#include <numeric>

#include "machine/similarity/similarity_space.hpp"
#include "solve/squares/column_ridge.hpp"

namespace dk {

namespace parameter {
constexpr RealKey ridge_lambda{
    "lambda",
    0,
    {0, 1e300},
    "The sum of the squared weights counts so many times beside the squared errors; 0 stands for the lambda "
    "with the least error on rows left out."};
constexpr IntegerKey ridge_folds{
    "folds",
    0,
    {0, 1000000},
    "With lambda=0, rows are left out in so many parts by cross-validation; 0 stands for one row at a time, "
    "which is quicker."};
}  // namespace parameter

namespace {

std::vector<double> ridges_to_choose_from(double largest_square) {
    const double unit = largest_square > 0 ? largest_square : 1;
    std::vector<double> ridges;
    for (int quarter = 8; quarter >= -40; --quarter) ridges.push_back(unit * std::pow(10.0, 0.25 * quarter));
    return ridges;
}

UnseenError left_out_error(const ColumnRidge::Solution& solution, const SimilarityTargets& targets) {
    UnseenError error;
    const ConstMatrixView Y = targets.Y();
    for (Index i = 0; i < Y.rows(); ++i)
        add_error(error, targets.rule, targets.row_weights[i], Y.row(i), Y.row(i) - solution.left_out.row(i));
    return error;
}

/// Solves the program for each ridge, from one decomposition.
void solve_ridges(const CentredColumns& columns, std::span<const double> ridges, Control& control,
                  const PathReader& reader) {
    const ColumnRidge ridge(columns, control);
    for (Index l = 0; l < std::ssize(ridges); ++l) {
        control.check();
        ColumnRidge::Solution solution = ridge.solve(ridges[l], control);
        reader(l, {std::move(solution.beta), std::move(solution.offsets)});
    }
}

/// Chooses the ridge with the least error on rows left out, and reports that error.
double chosen_ridge(const TrainingProblem& problem, const SimilaritySpace& space,
                    const SimilarityTargets& targets, const ColumnRidge& ridge, Report& report) {
    const auto ridges = ridges_to_choose_from(ridge.largest_square());
    const Index folds = problem.parameters[parameter::ridge_folds];
    std::vector<UnseenError> errors;
    if (folds > 0) {
        errors =
            cross_validated_errors(problem, space, targets, ridges, std::max<Index>(folds, 2), solve_ridges);
        report_error(report, "held_out", errors[least_error(errors)], targets);
    } else {
        for (const double lambda : ridges) {
            problem.control.check();
            errors.push_back(left_out_error(ridge.solve(lambda, problem.control), targets));
        }
    }
    return ridges[least_error(errors)];
}

TrainedMachine train_similarity_ridge(const TrainingProblem& problem) {
    Control& control = problem.control;
    const SimilarityTargets targets = similarity_targets(problem);
    std::optional<ProgressScope> scope;
    scope.emplace(control, 0, 0.2, "similarities");
    const SimilaritySpace space(problem);
    std::vector<Index> all(problem.data.rows());
    std::iota(all.begin(), all.end(), Index{0});
    const auto basis = space.basis_among(all);
    const CentredColumns columns =
        centred_columns(space.similarities(all, basis), targets.Y(), as_vector(targets.row_weights), control);
    scope.emplace(control, 0.2, 0.6);
    const ColumnRidge ridge(columns, control);
    scope.emplace(control, 0.6, 0.9);
    Report report;
    double lambda = problem.parameters[parameter::ridge_lambda];
    if (lambda == 0) lambda = chosen_ridge(problem, space, targets, ridge, report);
    ColumnRidge::Solution solution = ridge.solve(lambda, control);
    scope.reset();
    report.add("lambda", lambda);
    report_error(report, "leave_one_out", left_out_error(solution, targets), targets);
    return similarity_machine(problem, basis, {std::move(solution.beta), std::move(solution.offsets)},
                              targets.rule, std::move(report));
}

}  // namespace

Machine similarity_ridge_machine() {
    return {.name = "similarity_ridge",
            .doc =
                "The ridge classifier in similarity space learns weights of the similarities to training "
                "rows. The similarity may be any, also an indefinite one.",
            .reference = similarity_space_reference,
            .prototypes = prototypes_are::free_vectors,
            .task = Task::classification,
            .parameters = {parameter::ridge_lambda, parameter::ridge_folds, parameter::basis,
                           parameter::basis_rows, parameter::per_class},
            .train = train_similarity_ridge,
            .few_pairs = has_random_basis};
}

Machine similarity_ridge_regression_machine() {
    return {
        .name = "similarity_ridge_regression",
        .doc =
            "Ridge regression in similarity space learns weights of the similarities to training rows, for "
            "one target or several. The similarity may be any, also an indefinite one.",
        .reference = similarity_space_reference,
        .prototypes = prototypes_are::free_vectors,
        .task = Task::regression,
        .parameters = {parameter::ridge_lambda, parameter::ridge_folds, parameter::basis,
                       parameter::basis_rows},
        .train = train_similarity_ridge,
        .few_pairs = has_random_basis,
        .several_targets = true};
}

}  // namespace dk
