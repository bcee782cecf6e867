// SPDX-License-Identifier: Apache-2.0
//
// Ridge regression in the dual, for the columns of Y at once:
//
//     min over A, b of   |K A + 1 b' - Y|^2 + 1 / C <A, K A>,   solved by   A = (K + I / C)^-1 (Y - 1 b').
//
// With the signs of class membership as Y it is the kernel extreme learning machine, equation (32) of the
// first reference, and with b the least squares support vector machine. Three solvers share the work: one for
// the whole matrix, one for kernels that have factors, and FALKON, which finds coefficients A of landmarks
// only.
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
#include "kernel/lowrank/landmarks.hpp"
#include "solve/squares/falkon.hpp"

namespace dk {

namespace {

/// The costs that select_C compares.
std::vector<double> costs_to_choose_from() {
    std::vector<double> costs;
    for (int power = -10; power <= 20; power += 2) costs.push_back(std::ldexp(1.0, power));
    return costs;
}

/// The number of rows that a model of the others tells wrongly, and the sum of their squared errors. Of two
/// errors the one with fewer wrong rows is less; where there are no classes none is wrong, and the squares
/// decide.
struct LeftOutError {
    double wrong = 0;
    double squares = 0;

    bool operator<(const LeftOutError& other) const {
        return wrong != other.wrong ? wrong < other.wrong : squares < other.squares;
    }
};

/// Adds up the errors of the leave-one-out predictions. The sign of a single column tells the class, and the
/// largest of several.
LeftOutError left_out_error(const RidgeProgram& program, const RidgeSolution& solution, bool classes) {
    LeftOutError error;
    for (Index i = 0; i < program.rows(); ++i) {
        const Vector found = solution.left_out.row(i);
        const Vector target = program.targets.row(i);
        error.squares += (found - target).squaredNorm();
        if (!classes) continue;
        const bool right = program.columns() == 1
                               ? (found[0] > 0) == (target[0] > 0)
                               : first_largest(as_span(found)) == first_largest(as_span(target));
        error.wrong += right ? 0 : 1;
    }
    return error;
}

std::vector<Index> all_rows(Index count) {
    std::vector<Index> rows(count);
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

/// Finds the fit of the cost with the least leave-one-out error, the smallest of equal ones. `solve` hands
/// the solutions for all ridges to a judge, from one eigendecomposition.
template <typename Solve>
RidgeFit best_fit(const RidgeProgram& program, bool classes, Solve solve) {
    const std::vector<double> costs = costs_to_choose_from();
    std::vector<double> ridges(costs.size());
    std::ranges::transform(costs, ridges.begin(), [](double cost) { return 1 / cost; });
    RidgeFit best;
    LeftOutError least;
    std::size_t next = 0;
    solve(ridges, [&](RidgeSolution solution) {
        const LeftOutError error = left_out_error(program, solution, classes);
        if (next == 0 || error < least) {
            least = error;
            best.solution = std::move(solution);
            best.cost = costs[next];
        }
        ++next;
    });
    return best;
}

/// With so many rows or more, solver=auto takes landmarks instead of the whole kernel matrix.
constexpr Index landmark_rows = 30000;

/// Tells whether coefficients are found for landmarks only.
bool uses_landmarks(const TrainingProblem& problem) {
    const Parameters& parameters = problem.parameters;
    const RidgeSolver solver = parameters[parameter::solver];
    const bool falkon = solver == RidgeSolver::falkon;
    const bool needs_all = parameters[parameter::select_cost] || parameters[parameter::offset] ||
                           parameters[parameter::leave_one_out];
    if (falkon && needs_all)
        fail(Status::unsupported,
             "solver=falkon has no offset, no leave_one_out and no select_C; use solver=exact or "
             "kernel=lowrank(...)");
    if (falkon && problem.kernel->knows_rows())
        fail(Status::unsupported, "solver=falkon needs similarities of landmarks to all rows, and kernel ",
             problem.kernel->text(), " tells rows from their copies; use solver=exact or another spectrum");
    if (falkon) return true;
    return solver == RidgeSolver::automatic && problem.data.rows() >= landmark_rows && !needs_all &&
           !problem.kernel->factored() && !problem.kernel->knows_rows();
}

/// Tells whether K_nM' K_nM, which takes landmarks / 2 multiplications for each element of K_nM, costs at
/// most so much as some steps of conjugate gradients. A step computes each element twice. Of few rows no step
/// takes long.
bool square_is_worth_it(const Dataset& data, Index landmarks, Index columns) {
    constexpr Index least_rows_a_landmark = 8;
    constexpr double most_steps = 20;
    constexpr double of_a_map = 16;  // An exponential takes as long as so many multiplications.
    const double of_a_step = 2 * (static_cast<double>(data.cols()) + of_a_map + columns);
    return data.kind() == DataKind::dense && data.rows() >= least_rows_a_landmark * landmarks &&
           0.5 * landmarks <= most_steps * of_a_step;
}

constexpr Index columns_at_once = 8192;  // of K_nM', while its square is summed

/// Computes K_nM' K_nM from some columns of K_nM' at a time. Their number is fixed, so that sums have the
/// same bits for any number of threads.
void square_of(const GramEngine<double>& landmarks, MatrixView out, Control& control) {
    const Index m = landmarks.rows();
    const Index n = landmarks.cols();
    std::vector<Index> all(m);
    std::iota(all.begin(), all.end(), Index{0});
    out.setZero();
    LargeMatrix values(m, std::min(n, columns_at_once));
    LargeMatrix part(m, m);
    for (Index first = 0; first < n; first += columns_at_once) {
        const Index count = std::min(columns_at_once, n - first);
        landmarks.rows_of(all, first, count, values.data(), values.cols(), control);
        outer_product(values.view().leftCols(count), part.view(), control);
        parallel_for_rows(m, m, control, [&](Index i) { out.row(i) += part.view().row(i); });
    }
}

/// Finds A of landmarks alone, without any matrix of all rows (FALKON).
RidgeFit fit_landmarks(const TrainingProblem& problem, const std::vector<double>& targets, Index columns) {
    const Parameters& parameters = problem.parameters;
    const Index n = problem.data.rows();
    const Index m = std::min(n, parameters[parameter::landmarks]);
    problem.budget.require(8.0 * (4.0 * m * m + 2.0 * n * columns), text(m, " landmarks of ", n, " rows"));
    const bool squares =
        square_is_worth_it(problem.data, m, columns) &&
        problem.budget.allows(8.0 * (7.0 * m * m + 1.0 * columns_at_once * m + 2.0 * n * columns));
    RidgeFit fitted{.cost = parameters[parameter::cost],
                    .rows = uniform_landmarks(n, m, parameters[parameter::seed])};
    const Dataset landmarks = problem.data.select(fitted.rows);
    const GramEngine<double> forward(problem.kernel, problem.data, landmarks, &problem.control, fitted.rows);
    const GramEngine<double> backward(problem.kernel, landmarks, problem.data, &problem.control);
    LargeArray<double> gram(m * m);
    GramEngine<double>(problem.kernel, landmarks, landmarks, &problem.control)
        .matrices(gram.data(), problem.control);
    const LandmarkRidge program{
        .targets = view(targets.data(), n, columns),
        .landmark_gram = view(std::as_const(gram).data(), m, m),
        .ridge = 1 / fitted.cost,
        .product = [&](const Matrix& v,
                       Matrix& out) { forward.product(v.data(), columns, out.data(), problem.control); },
        .transposed_product =
            [&](const Matrix& v, Matrix& out) {
                backward.product(v.data(), columns, out.data(), problem.control);
            },
        .square = squares ? [&](MatrixView out) { square_of(backward, out, problem.control); }
                          : std::function<void(MatrixView)>(),
        .tolerance = parameters[parameter::tolerance],
        .most_iterations = static_cast<int>(parameters[parameter::max_iterations])};
    const LandmarkRidgeSolution solved = solve_landmark_ridge(program, problem.control);
    fitted.solution = {.coefficients = solved.coefficients,
                       .offsets = Vector::Zero(columns),
                       .left_out = {},
                       .ridge = program.ridge};
    fitted.iterations = solved.iterations;
    fitted.converged = solved.converged;
    return fitted;
}

}  // namespace

RidgeFit fit_ridge(const TrainingProblem& problem, const std::vector<double>& targets, Index columns,
                   bool classes) {
    if (uses_landmarks(problem)) return fit_landmarks(problem, targets, columns);
    const Parameters& parameters = problem.parameters;
    const bool select = parameters[parameter::select_cost];
    const double cost = parameters[parameter::cost];
    const RidgeProgram program{.targets = view(targets.data(), problem.data.rows(), columns),
                               .ridge = 1 / cost,
                               .offset = parameters[parameter::offset],
                               .leave_one_out = select || parameters[parameter::leave_one_out]};
    const auto gram =
        make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget, &problem.control);
    RidgeFit fitted{.cost = cost, .rows = all_rows(problem.data.rows())};
    const FeatureRows features = gram->features();
    // Where features are as many as rows, the matrix itself is less work.
    const bool fewer = features.dimension > 0 && features.dimension < features.rows;
    const bool by_features = fewer && !features.sparse();
    const Index n = problem.data.rows();
    const auto matrix = [&] { return view(gram->whole(2, problem.control), n, n); };
    if (!select) {
        fitted.solution = by_features ? ridge_by_features(features, program, problem.control)
                                      : ridge_by_cholesky(matrix(), program, problem.control);
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
    best.rows = std::move(fitted.rows);
    return best;
}

MachineLoss loss_of_squares(const Parameters& parameters, const Dataset&) {
    return {.errors = ErrorLoss::squares, .offset = parameters[parameter::offset]};
}

void report_ridge_fit(Report& report, const RidgeFit& fitted, const std::vector<double>& targets,
                      Index columns, bool classes) {
    report.add("C", fitted.cost).add("ridge", fitted.solution.ridge);
    if (fitted.iterations > 0) {
        report.add("landmarks", std::ssize(fitted.rows))
            .add("iterations", static_cast<std::int64_t>(fitted.iterations))
            .add("converged", fitted.converged);
    }
    if (fitted.solution.left_out.size() == 0) return;
    const RidgeProgram program{.targets = view(targets.data(), std::ssize(targets) / columns, columns)};
    const LeftOutError error = left_out_error(program, fitted.solution, classes);
    if (classes) report.add("leave_one_out_accuracy", 1 - error.wrong / program.rows());
    report.add("leave_one_out_rmse", std::sqrt(error.squares / targets.size()));
}

std::vector<ParameterSpec> ridge_parameters() {
    return {parameter::cost,   parameter::select_cost, parameter::offset,    parameter::leave_one_out,
            parameter::solver, parameter::landmarks,   parameter::tolerance, parameter::max_iterations};
}

}  // namespace dk
