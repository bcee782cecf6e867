// SPDX-License-Identifier: Apache-2.0
//
// Ridge regression with coefficients A of M landmarks among the n rows,
//
//     (K_nM' K_nM + ridge K_MM) A = K_nM' Y,   ridge = 1 / C,
//
// is solved by FALKON (solve/landmarks/falkon.cpp), or with an offset by an eigendecomposition
// (solve/landmarks/landmark_spectrum.cpp). One eigendecomposition and another pass over the rows also give
// the leave-one-out errors for all C, by which C is chosen.
//
// What is to be updated keeps the sums over rows, K_nM' K_nM and K_nM' Y, to which further rows add theirs:
// an update solves for all rows with the landmarks and C that the model has, without the rows that are gone.
//
//     letters     name
//     n, M        problem.data.rows(), landmarks.rows()
//     K_nM'       LandmarkRows::backward
//     K_MM        LandmarkRows::gram
//     K_nM' K_nM  LandmarkSums::square
//     Y           LandmarkRows::targets
//
// Where rows have weights, K_nM, Y and the 1 of an offset are multiplied with their square roots.
//
// A. Rudi, L. Carratino, L. Rosasco, FALKON: an optimal large scale kernel method, NIPS 2017.
#include "machine/ridge/landmark_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/lowrank/landmarks.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/product.hpp"
#include "solve/landmarks/falkon.hpp"
#include "solve/landmarks/landmark_spectrum.hpp"
#include "solve/squares/ridge_factor.hpp"

namespace dk {

namespace {

constexpr Index columns_at_once = 8192;  // of K_nM', which are rows of the data
constexpr Index judged_at_once = 1024;   // rows whose leverages stay in a cache
constexpr Index fewest_landmarks = 100;  // that solver=auto takes where memory is short

/// The landmarks with what all solvers ask of them.
struct LandmarkRows {
    const TrainingProblem& problem;
    std::vector<Index> rows;
    Dataset landmarks;
    GramEngine<double> backward;  // K_nM'
    LargeArray<double> values;    // K_MM
    Vector roots;                 // of the rows' weights, with which K_nM, Y and 1 are multiplied
    Matrix targets;               // Y

    LandmarkRows(const TrainingProblem& given, std::vector<Index> of_landmarks,
                 const std::vector<double>& of_rows, Index columns)
        : problem(given),
          rows(std::move(of_landmarks)),
          landmarks(given.data.select(rows)),
          backward(given.kernel, landmarks, given.data, &given.control),
          values(landmarks.rows() * landmarks.rows()),
          roots(roots_of_weights(given.data)),
          targets(roots.asDiagonal() * view(of_rows.data(), given.data.rows(), columns)) {
        GramEngine<double>(given.kernel, landmarks, landmarks, &given.control)
            .matrices(values.data(), given.control);
    }

    Index count() const { return landmarks.rows(); }
    ConstMatrixView gram() const { return view(values.data(), count(), count()); }
};

/// Computes K_nM' from column `begin` on, some columns at a time, and hands each piece to use(first column,
/// values). Their number is fixed, so that sums have the same bits for any number of threads.
template <typename Use>
void read_values(const LandmarkRows& own, Index begin, Use use) {
    Control& control = own.problem.control;
    const Index n = own.backward.cols();
    std::vector<Index> all(own.count());
    std::iota(all.begin(), all.end(), Index{0});
    LargeMatrix values(own.count(), std::min(n - begin, columns_at_once));
    for (Index first = begin; first < n; first += columns_at_once) {
        const Index count = std::min(columns_at_once, n - first);
        const auto done = static_cast<double>(first - begin);
        const auto all_columns = static_cast<double>(n - begin);
        const ProgressScope scope(control, done / all_columns,
                                  (done + static_cast<double>(count)) / all_columns);
        const ProgressHold hold(control);
        own.backward.rows_of(all, first, count, values.data(), values.cols(), control);
        if (!own.problem.data.sample_weights.empty())
            values.view().leftCols(count).array().rowwise() *=
                own.roots.segment(first, count).transpose().array();
        use(first, values.view().leftCols(count));
    }
}

/// Adds K_nM' K_nM and K_nM' Z of the rows from `begin` on, for other columns Z of all rows.
void add_square(const LandmarkRows& own, Index begin, const ConstMatrixRef& columns, MatrixView square,
                Matrix& right) {
    Control& control = own.problem.control;
    const Index m = own.count();
    LargeMatrix part(m, m);
    read_values(own, begin, [&](Index first, const ConstMatrixRef& values) {
        outer_product(values, part.view(), control);
        parallel_for_rows(m, m, control, [&](Index i) { square.row(i) += part.view().row(i); });
        multiply(values, columns.middleRows(first, values.cols()), right, Into::add, control);
    });
}

/// Adds the rows from `begin` on to sums of others.
void add_rows(const LandmarkRows& own, Index begin, LandmarkSums& sums) {
    const Index count = own.targets.rows() - begin;
    if (count == 0) return;
    const Index columns = own.targets.cols();
    Matrix with_ones(own.targets.rows(), columns + 1);
    with_ones << own.targets, own.roots;
    Matrix right(own.count(), columns + 1);
    right << sums.right, sums.values;
    add_square(own, begin, with_ones, sums.square.view(), right);
    const Vector roots = own.roots.tail(count);
    sums.weight += roots.squaredNorm();
    sums.right = right.leftCols(columns);
    sums.values = right.col(columns);
    sums.targets += (roots.asDiagonal() * own.targets.bottomRows(count)).colwise().sum();
}

/// Computes the sums over all rows.
LandmarkSums sums_of(const LandmarkRows& own) {
    const Index m = own.count();
    const Index columns = own.targets.cols();
    LandmarkSums sums{.weight = 0,
                      .square = LargeMatrix(m, m),
                      .right = Matrix::Zero(m, columns),
                      .values = Vector::Zero(m),
                      .targets = Eigen::RowVectorXd::Zero(columns)};
    sums.square.view().setZero();
    add_rows(own, 0, sums);
    return sums;
}

/// Finds the leave-one-out errors of all costs in one pass over the rows.
std::vector<LeftOutError> left_out_errors(const LandmarkRows& own, const LandmarkSpectrum& spectrum,
                                          const std::vector<double>& costs, const RidgeTargets& kind) {
    Control& control = own.problem.control;
    std::vector<double> ridges(costs.size());
    std::ranges::transform(costs, ridges.begin(), [](double cost) { return 1 / cost; });
    std::vector<LeftOutError> errors(costs.size());
    read_values(own, 0, [&](Index first, const ConstMatrixRef& values) {
        for (Index begin = 0; begin < values.cols(); begin += judged_at_once) {
            const Index count = std::min(judged_at_once, values.cols() - begin);
            const auto targets = own.targets.middleRows(first + begin, count);
            const Vector roots = own.roots.segment(first + begin, count);
            const auto leverages = spectrum.leverages(values.middleCols(begin, count), roots, control);
            const auto found = spectrum.left_out(leverages, targets, ridges, control);
            for (std::size_t c = 0; c < costs.size(); ++c)
                add_left_out(errors[c], found[c], targets, roots, kind);
        }
    });
    return errors;
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

using Square = std::function<void(MatrixView square, Matrix& right)>;

/// Solves it by FALKON, whose steps compute kernel values of all rows. `square` writes K_nM' K_nM and
/// K_nM' Y, or is null where it is not worth it.
RidgeFit fit_rows(const LandmarkRows& own, double cost, const Square& square) {
    const TrainingProblem& problem = own.problem;
    const Index columns = own.targets.cols();
    const GramEngine<double> forward(problem.kernel, problem.data, own.landmarks, &problem.control);
    const Parameters& parameters = problem.parameters;
    const LandmarkRidge program{
        .rows = own.roots.squaredNorm(),
        .columns = columns,
        .landmark_gram = own.gram(),
        .ridge = 1 / cost,
        .normal_product =
            [&](const Matrix& v, Matrix& out) {
                const std::vector<double>& weights = problem.data.sample_weights;
                if (!forward.factored())
                    return normal_product(forward, weights, v.data(), columns, out.data(), problem.control);
                Matrix images(problem.data.rows(), columns);
                forward.product(v.data(), columns, images.data(), problem.control);
                if (!weights.empty()) images.array().colwise() *= as_vector(weights).array();
                own.backward.product(images.data(), columns, out.data(), problem.control);
            },
        .right =
            [&](Matrix& out) {
                const Matrix targets = own.roots.asDiagonal() * own.targets;
                own.backward.product(targets.data(), columns, out.data(), problem.control);
            },
        .square = square,
        .tolerance = parameters[parameter::tolerance],
        .most_iterations = static_cast<int>(parameters[parameter::max_iterations])};
    const LandmarkRidgeSolution solved = solve_landmark_ridge(program, problem.control);
    return {.solution = {.coefficients = solved.coefficients,
                         .offsets = Vector::Zero(columns),
                         .left_out = {},
                         .ridge = program.ridge},
            .cost = cost,
            .rows = own.rows,
            .landmarks = true,
            .iterations = solved.iterations,
            .converged = solved.converged};
}

/// Solves it from sums over rows alone. With an offset b these are less their means, and b brings the means
/// back. A diagonal as large as the rounding of the sums keeps the matrix definite, and a step of refinement
/// takes it away again in all directions that are above the rounding.
RidgeFit fit_sums(const LandmarkRows& own, double cost, const LandmarkSums& sums) {
    Control& control = own.problem.control;
    const Index m = own.count();
    const bool offset = own.problem.parameters[parameter::offset];
    std::optional<LandmarkSums> centred;
    if (offset) centred.emplace(centred_sums(sums, control));
    const LandmarkSums& used = offset ? *centred : sums;
    LargeMatrix system(m, m);
    const ConstMatrixView gram = own.gram();
    parallel_for_rows(m, m, control, [&](Index i) {
        system.view().row(i) = used.square.view().row(i) + gram.row(i) / cost;
    });
    constexpr double margin = 10;
    const double rounding = margin * std::numeric_limits<double>::epsilon() *
                            std::sqrt(static_cast<double>(m)) * system.view().diagonal().maxCoeff();
    const FactoredRidge factor = factor_with_ridge(system.view(), rounding, control);
    Matrix coefficients = used.right;
    cholesky_solve_all(factor.lower.view(), coefficients, control);
    Matrix rest = used.right;
    multiply(system.view(), coefficients, rest, Into::subtract, control);
    cholesky_solve_all(factor.lower.view(), rest, control);
    coefficients += rest;
    keep_all_rows(coefficients);  // The sums are of all landmarks.
    Vector offsets = Vector::Zero(used.right.cols());
    if (offset) offsets = (sums.targets - sums.values.transpose() * coefficients).transpose() / sums.weight;
    return {.solution = {.coefficients = std::move(coefficients),
                         .offsets = std::move(offsets),
                         .left_out = {},
                         .ridge = 1 / cost},
            .cost = cost,
            .rows = own.rows,
            .landmarks = true};
}

/// Solves it with an offset, from an eigendecomposition of sums over rows.
RidgeFit fit_with_offset(const LandmarkRows& own, double cost, const LandmarkSpectrum& spectrum) {
    auto solved = spectrum.solve(1 / cost, own.problem.control);
    return {.solution = {.coefficients = std::move(solved.coefficients),
                         .offsets = solved.offsets.transpose(),
                         .left_out = {},
                         .ridge = 1 / cost},
            .cost = cost,
            .rows = own.rows,
            .landmarks = true};
}

/// Leaves the sums for the next update.
void keep_sums(const LandmarkRows& own, double cost, LandmarkSums sums) {
    EarlierModel& earlier = *own.problem.earlier;
    sums.cost = cost;
    earlier.factor = nullptr;
    earlier.sums = std::make_shared<const LandmarkSums>(std::move(sums));
    earlier.landmarks = own.rows;
}

/// Solves it from sums over rows, with the leave-one-out errors and the cost from one eigendecomposition
/// where they are asked for, and the offset too. Without an offset, coefficients are those of FALKON, which
/// has smaller errors of rounding; what is to be updated has those that an update would find.
RidgeFit fit_by_spectrum(const LandmarkRows& own, const RidgeTargets& kind) {
    const Parameters& parameters = own.problem.parameters;
    Control& control = own.problem.control;
    const bool offset = parameters[parameter::offset];
    const bool select = parameters[parameter::select_cost];
    const bool judged = select || parameters[parameter::leave_one_out];
    LandmarkSums sums;
    {
        const ProgressScope scope(control, 0, judged ? 0.4 : 0.9);
        sums = sums_of(own);
    }
    double cost = parameters[parameter::cost];
    std::optional<LeftOutError> least;
    std::optional<LandmarkSpectrum> spectrum;
    const bool kept = own.problem.earlier != nullptr;
    if (judged || (offset && !kept)) spectrum.emplace(own.gram(), sums, offset, control);
    if (judged) {
        const ProgressScope scope(control, 0.4, 0.9);
        const auto costs = select ? costs_to_choose_from() : std::vector<double>{cost};
        const std::vector<LeftOutError> errors = left_out_errors(own, *spectrum, costs, kind);
        const auto best = std::ranges::min_element(errors, std::less());
        cost = costs[best - errors.begin()];
        least = *best;
    }
    const ProgressScope scope(control, 0.9, 1);
    RidgeFit fitted = kept     ? fit_sums(own, cost, sums)
                      : offset ? fit_with_offset(own, cost, *spectrum)
                               : fit_rows(own, cost, [&](MatrixView square, Matrix& right) {
                                     square = sums.square.view();
                                     right = sums.right;
                                 });
    fitted.left_out = least;
    if (kept) keep_sums(own, cost, std::move(sums));
    return fitted;
}

/// Solves for the rows of an earlier model and further ones. The landmarks are the first rows.
RidgeFit fit_further_rows(const LandmarkRows& own) {
    Control& control = own.problem.control;
    const LandmarkSums& before = *own.problem.earlier->sums;
    if (before.right.cols() != own.targets.cols())
        fail(Status::model_format, "damaged model: sums of ", before.right.cols(), " functions for ",
             own.targets.cols());
    LandmarkSums sums = sums_of_landmarks(before, own.rows, control);  // a copy
    {
        const ProgressScope scope(control, 0, 0.6);
        add_rows(own, own.count(), sums);
    }
    const double cost = before.cost;
    RidgeFit fitted = fit_sums(own, cost, sums);
    keep_sums(own, cost, std::move(sums));
    return fitted;
}

}  // namespace

RidgeFit fit_landmarks(const TrainingProblem& problem, const std::vector<double>& targets, Index columns,
                       const RidgeTargets& kind) {
    const Parameters& parameters = problem.parameters;
    const Index n = problem.data.rows();
    const bool kept = problem.earlier != nullptr;
    const bool further = kept && problem.earlier->sums;
    const double of_rows = 5.0 * n * (columns + 1);
    // Conjugate gradients, the sums of groups of rows in their products, and prototypes have numbers for each
    // landmark and function.
    constexpr double of_functions = 20;
    const bool sums = kept || parameters[parameter::select_cost] || parameters[parameter::offset] ||
                      parameters[parameter::leave_one_out];
    const auto at_once = [&](double m) { return static_cast<double>(std::min(n, columns_at_once)) * m; };
    const double pieces = further ? 1 : 3;  // Leverages are two more.
    const auto bytes = [&](double m) {
        const double of_all = of_rows + of_functions * m * (columns + 1);
        return 8.0 *
               (sums ? (further ? 11.0 : 10.0) * m * m + pieces * at_once(m) + of_all : 4.0 * m * m + of_all);
    };
    Index m = further ? problem.earlier->sums->landmarks() : std::min(n, parameters[parameter::landmarks]);
    if (parameters[parameter::solver] == RidgeSolver::automatic && !further) {
        while (m > fewest_landmarks && !problem.budget.allows(bytes(m)))
            m = std::max(fewest_landmarks, m / 2);
    }
    problem.budget.require(bytes(m), text(m, " landmarks of ", n, " rows"));
    const LandmarkRows own(problem,
                           further ? first_rows(m) : uniform_landmarks(n, m, parameters[parameter::seed]),
                           targets, columns);
    if (further) return fit_further_rows(own);
    if (sums) return fit_by_spectrum(own, kind);
    const bool square = square_is_worth_it(problem.data, m, columns) &&
                        problem.budget.allows(bytes(m) + 8.0 * (3.0 * m * m + at_once(m)));
    const Square of_rows_at_once = [&](MatrixView out, Matrix& right) {
        out.setZero();
        right.setZero();
        add_square(own, 0, own.targets, out, right);
    };
    return fit_rows(own, parameters[parameter::cost], square ? of_rows_at_once : Square());
}

}  // namespace dk
