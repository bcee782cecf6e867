// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "machine/machine.hpp"
#include "machine/ridge/left_out_error.hpp"
#include "solve/squares/ridge.hpp"

namespace dk {

enum class RidgeSolver { automatic, exact, falkon };

/// Parameters of the machines that solve a ridge regression.
namespace parameter {
constexpr RealKey cost{
    "C", 1, Range::positive(),
    "A larger C makes squared errors cost more: 1 / C is added to the diagonal of the kernel matrix."};
constexpr FlagKey select_cost{
    "select_C", false,
    "With yes, the one of 2^-10, 2^-8, ..., 2^20 with the least leave-one-out error takes the place of C. "
    "With coefficients of landmarks only, the errors of C above 10^4 are estimates."};
constexpr FlagKey offset{
    "offset", false,
    "With yes, functions have an offset, as those of a least squares support vector machine have."};
constexpr FlagKey leave_one_out{"leave_one_out", false,
                                "With yes, the model's report tells the exact leave-one-out error."};
constexpr ChoiceKey<RidgeSolver> solver{
    "solver",
    {"auto", "exact", "falkon"},
    "The system is solved by Cholesky's factors, or by a closed form for kernels that have factors (exact), "
    "or for the coefficients of landmarks only (falkon); auto is falkon from 30000 rows on and where the "
    "matrix does not fit memory_mb, and exact elsewhere."};
constexpr IntegerKey landmarks{"landmarks",
                               2000,
                               {1, 100000},
                               "With solver=falkon, so many rows have coefficients; with solver=auto fewer "
                               "where memory_mb allows no more."};
constexpr RealKey tolerance{"tolerance", 1e-7, Range::positive(),
                            "With solver=falkon, learning stops when the relative residual is at most this."};
constexpr IntegerKey max_iterations{
    "max_iterations", 50, {1, 1000000}, "With solver=falkon, learning stops after so many steps."};
}  // namespace parameter

/// What a classifier's functions are fitted to.
enum class ClassTargets { signs, scalar };

namespace parameter {
constexpr ChoiceKey<ClassTargets> class_targets{
    "targets",
    {"signs", "scalar"},
    "Each class has a function that is fitted to 1 for its rows and -1 for all others (signs), or one "
    "function is fitted to the number of the class in ascending order, 1, 2, ..., and the nearest number "
    "predicts (scalar), which takes the classes for steps of a scale."};
}  // namespace parameter

/// Lists the parameters above in their order.
std::vector<ParameterSpec> ridge_parameters();
/// Lists these and what a classifier has besides.
std::vector<ParameterSpec> ridge_classifier_parameters();

/// What a ridge regression found: coefficients A of some rows, one column for each function.
struct RidgeFit {
    RidgeSolution solution = {};
    double cost = 0;
    std::vector<Index> rows = {};  // the rows that have coefficients
    bool landmarks = false;        // whether these are a choice of few
    int iterations = 0;            // the steps of FALKON; 0 where the system was solved without it
    bool converged = true;
    std::optional<LeftOutError> left_out = {};  // where it was asked for
};

/// Tells whether the parameters ask for coefficients of landmarks alone.
inline bool uses_falkon(const Parameters& parameters) {
    return parameters[parameter::solver] == RidgeSolver::falkon;
}

/// Gives the square root of each row's weight, 1 where none were given.
Vector roots_of_weights(const Dataset& data);

/// Gives rows without any coefficient one that rounds away, because the model drops rows without, and what is
/// asked of it later is of all rows.
void keep_all_rows(Matrix& coefficients);

/// Gives 0, 1, ..., count - 1.
std::vector<Index> first_rows(Index count);

/// Solves the program at the top of ridge_fit.cpp by the solver that the parameters choose. `targets` is Y
/// row by row.
RidgeFit fit_ridge(const TrainingProblem& problem, const std::vector<double>& targets, Index columns,
                   const RidgeTargets& kind);

/// Adds what a model tells of the fit: C, and where it was found the leave-one-out error of so many columns
/// of targets.
void report_ridge_fit(Report& report, const RidgeFit& fitted, const Dataset& data, Index columns,
                      const RidgeTargets& kind);

/// Tells strategies that weigh kernels that errors count by their squares.
MachineLoss loss_of_squares(const Parameters& parameters, const Dataset& data);

/// Fits a function to the signs of membership of each class; two classes share one. With targets=scalar it
/// fits one function to the number of the class.
TrainedMachine train_ridge_classifier(const TrainingProblem& problem);

}  // namespace dk
