// SPDX-License-Identifier: Apache-2.0
#include "solve/penalised_squares.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "solve/cholesky.hpp"

namespace dk {

namespace {

constexpr Index rows_of_part = 1024;

/// Weighted sums over rows by parts in fixed order, so that they do not depend on the threads.
template <typename Body>
std::vector<double> summed(Index rows, Index size, Control& control, Body body) {
    const Index parts = (rows + rows_of_part - 1) / rows_of_part;
    std::vector<double> sums(unsigned_of(parts * size));
    parallel_for(parts, control, [&](Index part) {
        double* out = sums.data() + part * size;
        for (Index i = part * rows_of_part; i < std::min(rows, (part + 1) * rows_of_part); ++i) body(i, out);
    });
    for (Index part = 1; part < parts; ++part) {
        for (Index e = 0; e < size; ++e) sums[unsigned_of(e)] += sums[unsigned_of(part * size + e)];
    }
    sums.resize(unsigned_of(size));
    return sums;
}

/// Means, and products of the centred columns of [S y] that the solution needs.
struct Moments {
    std::vector<double> feature_means;
    std::vector<double> target_means;
    std::vector<double> square;  // S'DS, count x count
    std::vector<double> right;   // S'Dy, count x columns
};

Moments moments(const PenalisedSquares& problem, Control& control) {
    const Index m = problem.count;
    const Index columns = problem.columns;
    Moments out;
    std::vector<double> means = summed(problem.rows(), m + columns, control, [&](Index i, double* sums) {
        const double u = problem.weights[unsigned_of(i)];
        for (Index j = 0; j < m; ++j) sums[j] += u * problem.features[unsigned_of(i * m + j)];
        for (Index c = 0; c < columns; ++c) sums[m + c] += u * problem.targets[unsigned_of(i * columns + c)];
    });
    out.feature_means.assign(means.begin(), means.begin() + m);
    out.target_means.assign(means.begin() + m, means.end());
    const std::vector<double> products =
        summed(problem.rows(), m * (m + columns), control, [&](Index i, double* sums) {
            const double u = problem.weights[unsigned_of(i)];
            const double* s = problem.features.data() + i * m;
            const double* y = problem.targets.data() + i * columns;
            for (Index j = 0; j < m; ++j) {
                const double centred = u * (s[j] - out.feature_means[unsigned_of(j)]);
                double* row = sums + j * (m + columns);
                for (Index k = 0; k <= j; ++k) row[k] += centred * (s[k] - out.feature_means[unsigned_of(k)]);
                for (Index c = 0; c < columns; ++c)
                    row[m + c] += centred * (y[c] - out.target_means[unsigned_of(c)]);
            }
        });
    for (Index j = 0; j < m; ++j) {
        for (Index k = 0; k < m; ++k)
            out.square.push_back(products[unsigned_of(std::max(j, k) * (m + columns) + std::min(j, k))]);
        for (Index c = 0; c < columns; ++c)
            out.right.push_back(products[unsigned_of(j * (m + columns) + m + c)]);
    }
    return out;
}

std::vector<double> ridge_weights(const Moments& known, const PenalisedSquares& problem, Control& control) {
    const Index m = problem.count;
    double trace = 0;
    for (Index j = 0; j < m; ++j) trace += known.square[unsigned_of(j * m + j)];
    double jitter = 0;
    for (int attempt = 0; attempt < 8; ++attempt) {
        std::vector<double> matrix = known.square;
        for (Index j = 0; j < m; ++j) matrix[unsigned_of(j * m + j)] += problem.lambda + jitter;
        if (cholesky_factor(matrix.data(), m, control)) {
            std::vector<double> weights = known.right;
            cholesky_solve_all(matrix.data(), m, weights.data(), problem.columns, control);
            return weights;
        }
        jitter = jitter == 0 ? 1e-14 * trace / static_cast<double>(m) + 1e-300 : 100 * jitter;
    }
    fail(Status::numerical, "the similarities to ", m, " prototypes are not finite, or zero");
}

/// Coordinate descent to 1e-10 of the largest weight.
std::vector<double> lasso_weights(const Moments& known, const PenalisedSquares& problem,
                                  std::span<const double> start, Control& control) {
    const Index m = problem.count;
    const Index columns = problem.columns;
    std::vector<double> weights(start.begin(), start.end());
    weights.resize(unsigned_of(m * columns));
    for (Index c = 0; c < columns; ++c) {
        for (int sweep = 0; sweep < 10000; ++sweep) {
            control.check();
            double moved = 0;
            double largest = 0;
            for (Index j = 0; j < m; ++j) {
                const double own = known.square[unsigned_of(j * m + j)];
                double& weight = weights[unsigned_of(j * columns + c)];
                double pull = known.right[unsigned_of(j * columns + c)];
                for (Index k = 0; k < m; ++k) {
                    if (k != j)
                        pull -= known.square[unsigned_of(j * m + k)] * weights[unsigned_of(k * columns + c)];
                }
                const double shrunk = std::max(std::abs(pull) - 0.5 * problem.lambda, 0.0);
                const double renewed = own > 0 ? std::copysign(shrunk, pull) / own : 0;
                moved = std::max(moved, std::abs(renewed - weight));
                largest = std::max(largest, std::abs(renewed));
                weight = renewed;
            }
            if (moved <= 1e-10 * largest) break;
        }
    }
    return weights;
}

}  // namespace

PenalisedSolution solve_penalised_squares(const PenalisedSquares& problem, std::span<const double> start,
                                          Control& control) {
    const ProgressHold hold(control);
    const Index m = problem.count;
    const Index columns = problem.columns;
    const Moments known = moments(problem, control);
    PenalisedSolution solution;
    solution.weights = problem.lasso ? lasso_weights(known, problem, start, control)
                                     : ridge_weights(known, problem, control);
    for (Index c = 0; c < columns; ++c) {
        double offset = known.target_means[unsigned_of(c)];
        for (Index j = 0; j < m; ++j)
            offset -= known.feature_means[unsigned_of(j)] * solution.weights[unsigned_of(j * columns + c)];
        solution.offsets.push_back(offset);
    }
    solution.residuals.resize(problem.targets.size());
    const std::vector<double> error = summed(problem.rows(), 1, control, [&](Index i, double* sum) {
        const double* s = problem.features.data() + i * m;
        for (Index c = 0; c < columns; ++c) {
            double r = solution.offsets[unsigned_of(c)] - problem.targets[unsigned_of(i * columns + c)];
            for (Index j = 0; j < m; ++j) r += s[j] * solution.weights[unsigned_of(j * columns + c)];
            solution.residuals[unsigned_of(i * columns + c)] = r;
            *sum += problem.weights[unsigned_of(i)] * r * r;
        }
    });
    solution.error = error.front();
    solution.objective = solution.error;
    for (const double w : solution.weights)
        solution.objective += problem.lambda * (problem.lasso ? std::abs(w) : w * w);
    return solution;
}

}  // namespace dk
