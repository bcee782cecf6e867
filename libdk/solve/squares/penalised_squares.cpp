// SPDX-License-Identifier: Apache-2.0
// This file solves penalised least squares with weighted rows,
//
//     min over beta, b of   sum_i u_i |S_i beta + b - y_i|^2 + lambda |beta|^2   (or lambda |beta|_1).
//
// The offset is b = y0 - s beta with the weighted means s and y0 of the rows of S and of y. With the centred
// S_c and y_c, the weights solve (equation 4 of the reference, with the offset eliminated)
//
//     (S_c' D S_c + lambda I) beta = S_c' D y_c,   D = diag(u),
//
// or, for the lasso, they minimise beta' S_c' D S_c beta - 2 beta' S_c' D y_c + lambda |beta|_1.
//
//     symbol        code
//     S, y, u       problem.features, problem.targets, problem.weights
//     s, y0         known.feature_means, known.target_means
//     S_c' D S_c    known.square
//     S_c' D y_c    known.right
//
// Reference for the program, which is its equation 3 for fixed prototypes: Demontis, Melis, Biggio, Fumera,
// Roli, Super-sparse learning in similarity spaces, IEEE Computational Intelligence Magazine 11, 2016. It has
// the penalty |beta|^2 only.
#include "solve/squares/penalised_squares.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index rows_of_part = 1024;
constexpr int most_sweeps = 10000;

/// Sums over the rows: body(first, count, sums) adds those of a part. Parts are added in their order, so that
/// the bits do not depend on the threads.
template <typename Body>
Matrix summed(Index rows, Index sum_rows, Index sum_cols, Control& control, Body body) {
    std::vector<Matrix> parts((rows + rows_of_part - 1) / rows_of_part);
    parallel_for(std::ssize(parts), control, [&](Index part) {
        const Index first = part * rows_of_part;
        parts[part] = Matrix::Zero(sum_rows, sum_cols);
        body(first, std::min(rows_of_part, rows - first), parts[part]);
    });
    for (std::size_t part = 1; part < parts.size(); ++part) parts[0] += parts[part];
    return std::move(parts[0]);
}

/// Moments are what the solution needs to know of all rows.
struct Moments {
    Eigen::RowVectorXd feature_means;
    Eigen::RowVectorXd target_means;
    Matrix square;
    Matrix right;
};

Moments moments(const PenalisedSquares& problem, Control& control) {
    const Index m = problem.count();
    const Index columns = problem.columns();
    const auto u = [&](Index first, Index count) { return problem.weights.segment(first, count); };
    Moments known;
    const Matrix means =
        summed(problem.rows(), 1, m + columns, control, [&](Index first, Index count, Matrix& sums) {
            sums.leftCols(m) = u(first, count).transpose() * problem.features.middleRows(first, count);
            sums.rightCols(columns) = u(first, count).transpose() * problem.targets.middleRows(first, count);
        });
    known.feature_means = means.leftCols(m);
    known.target_means = means.rightCols(columns);
    const Matrix products =
        summed(problem.rows(), m, m + columns, control, [&](Index first, Index count, Matrix& sums) {
            Matrix centred(count, m + columns);  // [S_c y_c]
            centred.leftCols(m) = problem.features.middleRows(first, count).rowwise() - known.feature_means;
            centred.rightCols(columns) =
                problem.targets.middleRows(first, count).rowwise() - known.target_means;
            const Matrix weighted = u(first, count).asDiagonal() * centred.leftCols(m);  // D S_c
            transposed_multiply(weighted, centred, sums);
        });
    known.square = products.leftCols(m);
    known.right = products.rightCols(columns);
    return known;
}

/// Solves the normal equations (4). Where rounding made S_c' D S_c indefinite, a little more is added to its
/// diagonal.
Matrix ridge_weights(const Moments& known, const PenalisedSquares& problem, Control& control) {
    const Index m = problem.count();
    double jitter = 0;
    for (int attempt = 0; attempt < 8; ++attempt) {
        Matrix factor = known.square;
        factor.diagonal().array() += problem.lambda + jitter;
        if (cholesky_factor(factor, control)) {
            Matrix weights = known.right;
            cholesky_solve_all(factor, weights, control);
            return weights;
        }
        jitter = jitter == 0 ? 1e-14 * known.square.trace() / m + 1e-300 : 100 * jitter;
    }
    fail(Status::numerical, "the similarities to ", m, " prototypes are not finite, or zero");
}

/// Minimises by coordinate descent: each weight in turn takes the value that is best for the present others,
/// until a sweep moves none by more than 1e-10 of the largest.
Matrix lasso_weights(const Moments& known, const PenalisedSquares& problem, const Matrix& start,
                     Control& control) {
    Matrix weights = start.size() > 0 ? start : Matrix::Zero(problem.count(), problem.columns());
    for (Index c = 0; c < problem.columns(); ++c) {
        auto beta = weights.col(c);
        for (int sweep = 0; sweep < most_sweeps; ++sweep) {
            control.check();
            double moved = 0;
            for (Index j = 0; j < beta.size(); ++j) {
                const double own = known.square(j, j);
                const double others = known.square.row(j).dot(beta) - own * beta[j];
                const double pull = known.right(j, c) - others;
                const double shrunk = std::max(std::abs(pull) - 0.5 * problem.lambda, 0.0);
                const double renewed = own > 0 ? std::copysign(shrunk, pull) / own : 0;
                moved = std::max(moved, std::abs(renewed - beta[j]));
                beta[j] = renewed;
            }
            if (moved <= 1e-10 * beta.cwiseAbs().maxCoeff()) break;
        }
    }
    return weights;
}

}  // namespace

PenalisedSolution solve_penalised_squares(const PenalisedSquares& problem, const Matrix& start,
                                          Control& control) {
    const ProgressHold hold(control);
    const Moments known = moments(problem, control);
    PenalisedSolution solution;
    Matrix& beta = solution.weights;
    beta = problem.lasso ? lasso_weights(known, problem, start, control)
                         : ridge_weights(known, problem, control);
    solution.offsets = (known.target_means - known.feature_means * beta).transpose();
    solution.residuals.resize(problem.rows(), problem.columns());
    multiply(problem.features, beta, solution.residuals, Into::assign, control);
    solution.residuals.rowwise() += solution.offsets.transpose();
    solution.residuals -= problem.targets;
    solution.error = problem.weights.dot(solution.residuals.rowwise().squaredNorm());
    const double penalty = problem.lasso ? beta.lpNorm<1>() : beta.squaredNorm();
    solution.objective = solution.error + problem.lambda * penalty;
    return solution;
}

}  // namespace dk
