// SPDX-License-Identifier: Apache-2.0
//
// Ridge regression in the dual, for the columns of Y at once:
//
//     min over A, b of   |K A + 1 b' - Y|^2 + 1 / C <A, K A>,   solved by   A = (K + I / C)^-1 (Y - 1 b').
//
// Where rows have weights w, their squared errors count so many times. With S = diag(sqrt(w)) that is the
// same program for S K S, S Y and S 1, whose coefficients are S^-1 A.
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
//     S 1        roots_of_weights()
//
// G.-B. Huang, H. Zhou, X. Ding, R. Zhang, Extreme learning machine for regression and multiclass
// classification, IEEE Transactions on Systems, Man, and Cybernetics B 42, 2012; C. Saunders, A. Gammerman,
// V. Vovk, Ridge regression learning algorithm in dual variables, ICML 1998; A. Rudi, L. Carratino,
// L. Rosasco, FALKON: an optimal large scale kernel method, NIPS 2017.
#include "machine/ridge/ridge_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "machine/ridge/landmark_fit.hpp"

namespace dk {

namespace {

/// Finds the fit of the cost with the least leave-one-out error, the smallest of equal ones. `solve` hands
/// the solutions for all ridges to a judge, from one eigendecomposition.
template <typename Solve>
RidgeFit best_fit(const RidgeProgram& program, const Vector& roots, const RidgeTargets& kind, Solve solve) {
    const std::vector<double> costs = costs_to_choose_from();
    std::vector<double> ridges(costs.size());
    std::ranges::transform(costs, ridges.begin(), [](double cost) { return 1 / cost; });
    RidgeFit best;
    std::size_t next = 0;
    solve(ridges, [&](RidgeSolution solution) {
        LeftOutError error;
        add_left_out(error, solution.left_out, program.targets, roots, kind);
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

/// Computes S K S of the rows from `first` on with all rows.
LargeMatrix gram_of_further_rows(const TrainingProblem& problem, Index first) {
    std::vector<Index> further(problem.data.rows() - first);
    std::iota(further.begin(), further.end(), first);
    const Dataset rows = problem.data.select(further);
    LargeMatrix values(rows.rows(), problem.data.rows());
    GramEngine<double>(problem.kernel, rows, problem.data, &problem.control)
        .matrices(values.data(), problem.control);
    if (problem.data.sample_weights.empty()) return values;
    const Vector roots = roots_of_weights(problem.data);
    values.view().array().colwise() *= roots.tail(rows.rows()).array();
    values.view().array().rowwise() *= roots.transpose().array();
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

/// The matrix or the features of rows, which are multiplied with the square roots of the rows' weights where
/// they have any.
class WeighedRows {
  public:
    WeighedRows(const TrainingProblem& problem, TrainingGram& gram, bool by_features)
        : problem_(problem), gram_(gram) {
        if (!by_features) return;
        features_ = gram.features();
        const bool weighed = !problem.data.sample_weights.empty();
        const bool copied_twice = weighed && problem.parameters[parameter::select_cost];
        if (weighed || problem.parameters[parameter::select_cost])
            problem.budget.require(
                (copied_twice ? 24.0 : 16.0) * features_.rows * features_.dimension,
                text("the features of ", features_.rows, " rows, ", copied_twice ? "three times" : "twice"));
        if (!weighed) return;
        const Vector roots = roots_of_weights(problem.data);
        const ConstMatrixView given = view(features_.values, features_.rows, features_.dimension);
        weighed_features_ = LargeMatrix(given.rows(), given.cols());
        parallel_for_rows(given.rows(), given.cols(), problem.control,
                          [&](Index i) { weighed_features_.view().row(i) = roots[i] * given.row(i); });
        features_.values = weighed_features_.data();
    }

    const FeatureRows& features() const { return features_; }

    /// Gives S K S, which is made by the first call.
    ConstMatrixView matrix() {
        const Index n = problem_.data.rows();
        if (!weighed_matrix_.empty()) return std::as_const(weighed_matrix_).view();
        const bool weighed = !problem_.data.sample_weights.empty();
        const ConstMatrixView whole = view(gram_.whole(weighed ? 3 : 2, problem_.control), n, n);
        if (!weighed) return whole;
        const Vector roots = roots_of_weights(problem_.data);
        weighed_matrix_ = LargeMatrix(n, n);
        parallel_for_rows(n, n, problem_.control, [&](Index i) {
            weighed_matrix_.view().row(i) = roots[i] * whole.row(i).cwiseProduct(roots.transpose());
        });
        return std::as_const(weighed_matrix_).view();
    }

  private:
    const TrainingProblem& problem_;
    TrainingGram& gram_;
    FeatureRows features_;
    LargeMatrix weighed_features_;
    LargeMatrix weighed_matrix_;
};

}  // namespace

Vector roots_of_weights(const Dataset& data) {
    if (data.sample_weights.empty()) return Vector::Ones(data.rows());
    return as_vector(data.sample_weights).cwiseSqrt();
}

void keep_all_rows(Matrix& coefficients) {
    constexpr double rounding = std::numeric_limits<double>::epsilon();
    const double tiny = rounding * rounding * coefficients.cwiseAbs().maxCoeff();
    for (Index i = 0; i < coefficients.rows(); ++i) {
        if ((coefficients.row(i).array() == 0).all()) coefficients(i, 0) = tiny;
    }
}

std::vector<Index> first_rows(Index count) {
    std::vector<Index> rows(count);
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

RidgeFit fit_ridge(const TrainingProblem& problem, const std::vector<double>& targets, Index columns,
                   const RidgeTargets& kind) {
    if (problem.earlier != nullptr && problem.earlier->sums)
        return fit_landmarks(problem, targets, columns, kind);
    const auto new_gram = [&] {
        return make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget,
                                  &problem.control);
    };
    auto gram = problem.kernel->factored() ? new_gram() : nullptr;
    const bool by_features = solves_by_features(gram.get());
    if (uses_landmarks(problem, by_features)) return fit_landmarks(problem, targets, columns, kind);
    // Targets, coefficients and prototypes have a number for each row and function.
    constexpr double numbers = 8;
    problem.budget.require(
        8 * numbers * static_cast<double>(problem.data.rows()) * static_cast<double>(columns),
        text(columns, " functions of ", problem.data.rows(), " rows"));
    const Parameters& parameters = problem.parameters;
    const bool select = parameters[parameter::select_cost];
    const double cost = parameters[parameter::cost];
    const Index n = problem.data.rows();
    const bool weighed = !problem.data.sample_weights.empty();
    const Vector roots = roots_of_weights(problem.data);
    const Matrix weighed_targets = roots.asDiagonal() * view(targets.data(), n, columns);
    const RidgeProgram program{.targets = view(weighed_targets.data(), n, columns),
                               .ridge = 1 / cost,
                               .offset = parameters[parameter::offset],
                               .offset_column = weighed ? roots : Vector(),
                               .leave_one_out = select || parameters[parameter::leave_one_out]};
    if (!gram) gram = new_gram();
    WeighedRows rows(problem, *gram, by_features);
    RidgeFit fitted{.cost = cost, .rows = first_rows(n)};
    if (select) {
        fitted = best_fit(program, roots, kind, [&](std::span<const double> ridges, const auto& judge) {
            if (by_features) {
                ridges_by_features(rows.features(), program, ridges, problem.control, judge);
            } else {
                ridges_by_eigenvalues(rows.matrix(), program, ridges, problem.control, judge);
            }
        });
        fitted.rows = first_rows(n);
    }
    // Solutions by features that were judged do not look after rounding.
    if (!select || by_features) {
        RidgeProgram chosen = program;
        chosen.ridge = 1 / fitted.cost;
        chosen.leave_one_out = program.leave_one_out && !select;
        // The factor of values in single precision would be that of another matrix than further rows have.
        const bool keeps_factor = problem.earlier != nullptr && problem.precision == Precision::real64;
        fitted.solution =
            by_features ? ridge_by_features(rows.features(), chosen, problem.control)
            : keeps_factor
                ? ridge_by_factor(kept_factor(problem, chosen.ridge, [&] { return rows.matrix(); }), chosen,
                                  problem.control)
                : ridge_by_cholesky(rows.matrix(), chosen, problem.control);
        if (chosen.leave_one_out)
            add_left_out(fitted.left_out.emplace(), fitted.solution.left_out, program.targets, roots, kind);
    }
    if (weighed) {
        fitted.solution.coefficients = roots.asDiagonal() * fitted.solution.coefficients;
    } else {
        keep_all_rows(fitted.solution.coefficients);
    }
    return fitted;
}

MachineLoss loss_of_squares(const Parameters& parameters, const Dataset&) {
    return {.errors = ErrorLoss::squares, .offset = parameters[parameter::offset]};
}

void report_ridge_fit(Report& report, const RidgeFit& fitted, const Dataset& data, Index columns,
                      const RidgeTargets& kind) {
    report.add("C", fitted.cost).add("ridge", fitted.solution.ridge);
    if (fitted.solution.least) report.add("coefficients", "least");
    if (fitted.landmarks) report.add("landmarks", std::ssize(fitted.rows));
    if (fitted.iterations > 0) {
        report.add("iterations", static_cast<std::int64_t>(fitted.iterations))
            .add("converged", fitted.converged);
    }
    if (!data.sample_weights.empty()) report.add("weighed", true);
    if (!fitted.left_out) return;
    const double weight = roots_of_weights(data).squaredNorm();
    if (kind.classes) report.add("leave_one_out_accuracy", 1 - fitted.left_out->wrong / weight);
    report.add("leave_one_out_rmse",
               std::sqrt(fitted.left_out->squares / (weight * static_cast<double>(columns))));
}

std::vector<ParameterSpec> ridge_parameters() {
    return {parameter::cost,   parameter::select_cost, parameter::offset,    parameter::leave_one_out,
            parameter::solver, parameter::landmarks,   parameter::tolerance, parameter::max_iterations};
}

std::vector<ParameterSpec> ridge_classifier_parameters() {
    std::vector<ParameterSpec> specs = ridge_parameters();
    specs.emplace_back(parameter::class_targets);
    return specs;
}

}  // namespace dk
