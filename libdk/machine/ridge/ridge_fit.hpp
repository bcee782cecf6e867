// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"
#include "solve/squares/ridge.hpp"

namespace dk {

enum class RidgeSolver { automatic, exact, falkon };

/// Parameters of the machines that solve a ridge regression.
namespace parameter {
constexpr RealKey cost{"C", 1, Range::positive(),
                       "The cost of squared errors: 1 / C is added to the diagonal of the kernel matrix."};
constexpr FlagKey select_cost{
    "select_C", false,
    "Whether to take, instead of C, the one of 2^-10, 2^-8, ..., 2^20 with the least leave-one-out error."};
constexpr FlagKey offset{
    "offset", false,
    "Whether functions have an offset, as those of a least squares support vector machine have."};
constexpr FlagKey leave_one_out{"leave_one_out", false, "Whether to report the exact leave-one-out error."};
constexpr ChoiceKey<RidgeSolver> solver{
    "solver",
    {"auto", "exact", "falkon"},
    "How the system is solved: exact is Cholesky, or a closed form for kernels that have factors; falkon "
    "finds "
    "coefficients of landmarks only; auto is falkon from 30000 rows on, and exact below."};
constexpr IntegerKey landmarks{
    "landmarks", 2000, {1, 100000}, "How many rows have coefficients with solver=falkon."};
constexpr RealKey tolerance{"tolerance", 1e-7, Range::positive(),
                            "The relative residual at which solver=falkon stops."};
constexpr IntegerKey max_iterations{
    "max_iterations", 50, {1, 1000000}, "The limit of steps of solver=falkon."};
}  // namespace parameter

/// The parameters above, in their order.
std::vector<ParameterSpec> ridge_parameters();

/// What a ridge regression found: coefficients A of some rows, one column for each function.
struct RidgeFit {
    RidgeSolution solution = {};
    double cost = 0;
    std::vector<Index> rows = {};  // the rows that have coefficients
    int iterations = 0;            // of conjugate gradients; 0 where the system was solved exactly
    bool converged = true;
};

/// min |K A + 1 b' - Y|^2 + 1 / C <A, K A> by the solver that the parameters choose, which are Y's columns
/// one after the other in each row of `targets`. With `classes`, the targets are signs that tell classes
/// apart.
RidgeFit fit_ridge(const TrainingProblem& problem, const std::vector<double>& targets, Index columns,
                   bool classes);

/// What a model tells of the fit: C, and the leave-one-out error where it was found.
void report_ridge_fit(Report& report, const RidgeFit& fitted, const std::vector<double>& targets,
                      Index columns, bool classes);

void refuse_sample_weights(const TrainingProblem& problem, std::string_view machine);

/// One function for every class (for two classes, one), fitted to the signs of class membership.
TrainedMachine train_ridge_classifier(const TrainingProblem& problem);

}  // namespace dk
