// SPDX-License-Identifier: Apache-2.0
//
// Ridge regression in the dual, for the columns of Y at once:
//
//     min over A, b of   |K A + 1 b' - Y|^2 + 1 / C <A, K A>,   solved by   A = (K + I / C)^-1 (Y - 1 b').
//
// With the signs of class membership as Y it is the kernel extreme learning machine, equation (32) of the
// first reference, and with b the least squares support vector machine. Three solvers share the work: one for
// the whole matrix, one for kernels that have factors, and one that finds coefficients A of landmarks only
// (landmark_fit.cpp).
//
//     letter     name
//     K          the matrix of TrainingGram
//     Y          targets, row by row
//     A, b       RidgeSolution::coefficients, RidgeSolution::offsets
//     1 / C      RidgeProgram::ridge
//
// G.-B. Huang, H. Zhou, X. Ding, R. Zhang, Extreme learning machine for regression and multiclass
// classification, IEEE Transactions on Systems, Man, and Cybernetics B 42, 2012; C. Saunders, A. Gammerman,
// V. Vovk, Ridge regression learning algorithm in dual variables, ICML 1998; A. Rudi, L. Carratino,
// L. Rosasco, FALKON: an optimal large scale kernel method, NIPS 2017.
#include "machine/ridge/ridge_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "machine/ridge/landmark_fit.hpp"

namespace dk {

namespace {

/// Finds the fit of the cost with the least leave-one-out error, the smallest of equal ones. `solve` hands
/// the solutions for all ridges to a judge, from one eigendecomposition.
template <typename Solve>
RidgeFit best_fit(const RidgeProgram& program, bool classes, Solve solve) {
    const std::vector<double> costs = costs_to_choose_from();
    std::vector<double> ridges(costs.size());
    std::ranges::transform(costs, ridges.begin(), [](double cost) { return 1 / cost; });
    RidgeFit best;
    std::size_t next = 0;
    solve(ridges, [&](RidgeSolution solution) {
        LeftOutError error;
        add_left_out(error, solution.left_out, program.targets, classes);
        if (next == 0 || error < *best.left_out) {
            best.left_out = error;
            best.solution = std::move(solution);
            best.cost = costs[next];
        }
        ++next;
    });
    return best;
}

/// With so many rows or more, solver=auto takes landmarks instead of the whole kernel matrix.
constexpr Index landmark_rows = 30000;

/// Tells whether solver=auto solves for all rows: the matrix and two copies of it fit, and do not take long.
bool solves_for_all(const TrainingProblem& problem) {
    constexpr double matrices = 3;
    const double rows = problem.data.rows();
    return problem.data.rows() < landmark_rows && problem.budget.allows(8 * matrices * rows * rows);
}

/// Tells whether the system is solved by features of the rows, which are dense and fewer than rows.
bool solves_by_features(const TrainingGram* gram) {
    if (gram == nullptr) return false;
    const FeatureRows features = gram->features();
    // Where features are as many as rows, the matrix itself is less work.
    return features.dimension > 0 && features.dimension < features.rows && !features.sparse();
}

/// Tells whether coefficients are found for landmarks only.
bool uses_landmarks(const TrainingProblem& problem, bool by_features) {
    const Parameters& parameters = problem.parameters;
    const RidgeSolver solver = parameters[parameter::solver];
    const bool falkon = solver == RidgeSolver::falkon;
    if (falkon && problem.kernel->knows_rows())
        fail(Status::unsupported, "solver=falkon needs similarities of landmarks to all rows, and kernel ",
             problem.kernel->text(), " tells rows from their copies; use solver=exact or another spectrum");
    if (falkon) return true;
    return solver == RidgeSolver::automatic && !by_features && !problem.kernel->knows_rows() &&
           !solves_for_all(problem);
}

/// Computes K of the rows from `first` on with all rows.
LargeMatrix gram_of_further_rows(const TrainingProblem& problem, Index first) {
    std::vector<Index> further(problem.data.rows() - first);
    std::iota(further.begin(), further.end(), first);
    const Dataset rows = problem.data.select(further);
    LargeMatrix values(rows.rows(), problem.data.rows());
    GramEngine<double>(problem.kernel, rows, problem.data, &problem.control)
        .matrices(values.data(), problem.control);
    return values;
}

/// Gives the factor of the matrix of all rows, and leaves it for the next update. Rows behind those of an
/// earlier factor join it, where they are so few that this is less work than a new one.
template <typename WholeMatrix>
const RidgeFactor& kept_factor(const TrainingProblem& problem, double ridge, WholeMatrix matrix) {
    std::shared_ptr<const RidgeFactor>& factor = problem.earlier->factor;
    const Index n = problem.data.rows();
    constexpr double matrices = 3.5;  // two factors, the inverse where it is asked for, and the further rows
    problem.budget.require(8 * matrices * static_cast<double>(n) * static_cast<double>(n),
                           text("a factor of ", n, " rows, and a copy for the next update"));
    constexpr Index fewest_old_for_each = 4;
    if (factor && fewest_old_for_each * (n - factor->rows()) > factor->rows()) factor = nullptr;
    std::optional<RidgeFactor> larger;
    if (factor && factor->rows() < n)
        larger = factor->with_rows(gram_of_further_rows(problem, factor->rows()).view(), problem.control);
    if (larger) factor = std::make_shared<const RidgeFactor>(std::move(*larger));
    if (!factor || factor->rows() < n)
        factor = std::make_shared<const RidgeFactor>(factor_with_ridge(matrix(), ridge, problem.control),
                                                     problem.control);
    return *factor;
}

}  // namespace

std::vector<Index> first_rows(Index count) {
    std::vector<Index> rows(count);
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

RidgeFit fit_ridge(const TrainingProblem& problem, const std::vector<double>& targets, Index columns,
                   bool classes) {
    if (problem.earlier != nullptr && problem.earlier->sums)
        return fit_landmarks(problem, targets, columns, classes);
    const auto new_gram = [&] {
        return make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget,
                                  &problem.control);
    };
    auto gram = problem.kernel->factored() ? new_gram() : nullptr;
    const bool by_features = solves_by_features(gram.get());
    if (uses_landmarks(problem, by_features)) return fit_landmarks(problem, targets, columns, classes);
    // Targets, coefficients and prototypes have a number for each row and function.
    constexpr double numbers = 8;
    problem.budget.require(
        8 * numbers * static_cast<double>(problem.data.rows()) * static_cast<double>(columns),
        text(columns, " functions of ", problem.data.rows(), " rows"));
    const Parameters& parameters = problem.parameters;
    const bool select = parameters[parameter::select_cost];
    const double cost = parameters[parameter::cost];
    const RidgeProgram program{.targets = view(targets.data(), problem.data.rows(), columns),
                               .ridge = 1 / cost,
                               .offset = parameters[parameter::offset],
                               .leave_one_out = select || parameters[parameter::leave_one_out]};
    if (!gram) gram = new_gram();
    const FeatureRows features = gram->features();
    RidgeFit fitted{.cost = cost, .rows = first_rows(problem.data.rows())};
    const Index n = problem.data.rows();
    const auto matrix = [&] { return view(gram->whole(2, problem.control), n, n); };
    if (!select) {
        // The factor of values in single precision would be that of another matrix than further rows have.
        const bool keeps_factor = problem.earlier != nullptr && problem.precision == Precision::real64;
        fitted.solution = by_features    ? ridge_by_features(features, program, problem.control)
                          : keeps_factor ? ridge_by_factor(kept_factor(problem, program.ridge, matrix),
                                                           program, problem.control)
                                         : ridge_by_cholesky(matrix(), program, problem.control);
        if (program.leave_one_out)
            add_left_out(fitted.left_out.emplace(), fitted.solution.left_out, program.targets, classes);
        return fitted;
    }
    if (by_features)
        problem.budget.require(16.0 * n * features.dimension, text("the features of ", n, " rows, twice"));
    RidgeFit best = best_fit(program, classes, [&](std::span<const double> ridges, const auto& judge) {
        if (by_features) {
            ridges_by_features(features, program, ridges, problem.control, judge);
        } else {
            ridges_by_eigenvalues(matrix(), program, ridges, problem.control, judge);
        }
    });
    if (by_features) {
        // The solutions that were judged do not look after rounding.
        RidgeProgram chosen = program;
        chosen.ridge = 1 / best.cost;
        chosen.leave_one_out = false;
        best.solution = ridge_by_features(features, chosen, problem.control);
    }
    best.rows = std::move(fitted.rows);
    return best;
}

MachineLoss loss_of_squares(const Parameters& parameters, const Dataset&) {
    return {.errors = ErrorLoss::squares, .offset = parameters[parameter::offset]};
}

void report_ridge_fit(Report& report, const RidgeFit& fitted, const std::vector<double>& targets,
                      Index columns, bool classes) {
    report.add("C", fitted.cost).add("ridge", fitted.solution.ridge);
    if (fitted.solution.least) report.add("coefficients", "least");
    if (fitted.landmarks) report.add("landmarks", std::ssize(fitted.rows));
    if (fitted.iterations > 0) {
        report.add("iterations", static_cast<std::int64_t>(fitted.iterations))
            .add("converged", fitted.converged);
    }
    if (!fitted.left_out) return;
    const auto values = static_cast<double>(targets.size());
    const double rows = values / static_cast<double>(columns);
    if (classes) report.add("leave_one_out_accuracy", 1 - fitted.left_out->wrong / rows);
    report.add("leave_one_out_rmse", std::sqrt(fitted.left_out->squares / values));
}

std::vector<ParameterSpec> ridge_parameters() {
    return {parameter::cost,   parameter::select_cost, parameter::offset,    parameter::leave_one_out,
            parameter::solver, parameter::landmarks,   parameter::tolerance, parameter::max_iterations};
}

}  // namespace dk
