// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/large_array.hpp"
#include "base/parallel.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/eigen/leading_eigen.hpp"
#include "weights/class_index.hpp"

namespace dk {

namespace parameter {
constexpr RealKey rho{"rho", 1e-3, Range::positive(),
                      "The variance of a class in the directions that are not kept."};
constexpr IntegerKey rank{
    "rank", 20, {0, 1000}, "How many directions of largest variance are kept of each class."};
}  // namespace parameter

namespace {

// DiMKL6: Bhattacharyya's distance between two classes as Gaussians in feature space. The covariance of class
// c keeps its largest eigenvalues and has rho for all others (probabilistic PCA), C_c = rho I + (Phi W_c)(Phi
// W_c)', so that the dimension of the space cancels (Zhou, Chellappa, From sample similarity to ensemble
// similarity, IEEE TPAMI 28, 2006).

struct Gaussian {
    ClassRange range;
    std::vector<double> eigenvalues;  // lambda, descending, all above rho
    std::vector<double> weights;      // W_c: eigenvalues x rows of the class
    double mean_similarity = 0;       // s' K s, s = 1 / n_c

    Index rank() const { return std::ssize(eigenvalues); }
    const double* weights_of(Index e) const { return weights.data() + e * range.size; }
};

/// Means of the rows of the quadrant of class a (rows) and class b (columns).
std::vector<double> row_means(const ClassMatrix& matrix, ClassRange a, ClassRange b) {
    std::vector<double> means;
    for (Index i = a.begin; i < a.end(); ++i) {
        const double* row = matrix.row(i) + b.begin;
        means.push_back(std::accumulate(row, row + b.size, 0.0) / b.size);
    }
    return means;
}

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / std::ssize(values);
}

Gaussian fitted_gaussian(const ClassMatrix& matrix, ClassRange range, double rho, Index most_rank,
                         Control& control) {
    const Index n = range.size;
    const double count = n;
    const double all = matrix.rows;
    control.memory().require(8 * (all * all + count * count),
                             text("weights=dimkl6 on ", matrix.rows, " rows"));
    const std::vector<double> means = row_means(matrix, range, range);
    Gaussian gaussian{.range = range, .eigenvalues = {}, .weights = {}, .mean_similarity = mean_of(means)};
    LargeMatrix covariance(n, n);  // J'KJ, J = n^(-1/2) (I - s 1')
    parallel_for(n, control, [&](Index i) {
        const double* row = matrix.row(range.begin + i) + range.begin;
        for (Index j = 0; j < n; ++j) {
            covariance(i, j) = (row[j] - means[i] - means[j] + gaussian.mean_similarity) / count;
        }
    });
    const LeadingEigen leading = leading_eigen(covariance.view(), std::min(most_rank, n - 1), rho, control);
    for (Index e = 0; e < leading.values.size(); ++e) {
        const auto vector = leading.vectors.row(e);
        const double centre = vector.mean();
        const double scale = std::sqrt((1 - rho / leading.values(e)) / count);
        for (const double v : vector) gaussian.weights.push_back(scale * (v - centre));
    }
    gaussian.eigenvalues.assign(leading.values.begin(), leading.values.end());
    return gaussian;
}

/// W_1' K_12 W_2, rank x rank.
std::vector<double> crossed(const ClassMatrix& matrix, const Gaussian& first, const Gaussian& second,
                            Control& control) {
    std::vector<double> right(first.range.size * second.rank());  // K_12 W_2
    parallel_for(first.range.size, control, [&](Index i) {
        const double* row = matrix.row(first.range.begin + i) + second.range.begin;
        for (Index e = 0; e < second.rank(); ++e) {
            right[i * second.rank() + e] =
                std::inner_product(row, row + second.range.size, second.weights_of(e), 0.0);
        }
    });
    std::vector<double> out(first.rank() * second.rank());
    for (Index d = 0; d < first.rank(); ++d) {
        for (Index i = 0; i < first.range.size; ++i) {
            for (Index e = 0; e < second.rank(); ++e) {
                out[d * second.rank() + e] += first.weights_of(d)[i] * right[i * second.rank() + e];
            }
        }
    }
    return out;
}

/// W' difference
void append_projections(const Gaussian& gaussian, std::span<const double> own, std::span<const double> other,
                        std::vector<double>& out) {
    for (Index e = 0; e < gaussian.rank(); ++e) {
        double sum = 0;
        for (std::size_t i = 0; i < own.size(); ++i) sum += gaussian.weights_of(e)[i] * (own[i] - other[i]);
        out.push_back(sum);
    }
}

double half_log_determinant(const Gaussian& gaussian) {
    double sum = 0;
    for (const double lambda : gaussian.eigenvalues) sum += std::log(lambda);
    return 0.5 * sum;
}

double bhattacharyya(const ClassMatrix& matrix, const Gaussian& first, const Gaussian& second, double rho,
                     Control& control) {
    const auto between = row_means(matrix, first.range, second.range);
    const auto transposed = row_means(matrix, second.range, first.range);
    const double distance = first.mean_similarity - 2 * mean_of(between) + second.mean_similarity;

    // the mean covariance in the space that both spans: rho I + 1/2 [lambda1 - rho, X; X', lambda2 - rho]
    const Index rank = first.rank() + second.rank();
    std::vector<double> middle(rank * rank);
    const auto at = [rank](Index i, Index j) { return (i * rank + j); };
    for (Index i = 0; i < rank; ++i) {
        const double lambda = i < first.rank() ? first.eigenvalues[i] : second.eigenvalues[i - first.rank()];
        middle[at(i, i)] = rho + 0.5 * (lambda - rho);
    }
    const auto product = crossed(matrix, first, second, control);
    for (Index i = 0; i < first.rank(); ++i) {
        for (Index j = 0; j < second.rank(); ++j) {
            middle[at(i, first.rank() + j)] = middle[at(first.rank() + j, i)] =
                0.5 * product[i * second.rank() + j];
        }
    }
    std::vector<double> projected;  // h, but for its factor 2^(-1/2)
    append_projections(first, row_means(matrix, first.range, first.range), between, projected);
    append_projections(second, transposed, row_means(matrix, second.range, second.range), projected);

    double explained = 0;  // h' L^-1 h
    double determinant = 0;
    if (rank > 0) {
        if (!cholesky_factor(view(middle.data(), rank, rank), control))
            fail(Status::numerical, "weights=dimkl6: a mean covariance is not positive definite; raise rho");
        for (Index i = 0; i < rank; ++i) determinant += 2 * std::log(middle[at(i, i)]);
        std::vector<double> solved = projected;
        cholesky_solve(view(middle.data(), rank, rank), as_vector(solved), control);
        explained = 0.5 * std::inner_product(solved.begin(), solved.end(), projected.begin(), 0.0);
    }
    const double ranks = 0.5 * rank * std::log(rho);
    const double found =
        (distance - explained) / (8 * rho) +
        0.5 * (determinant - ranks - half_log_determinant(first) - half_log_determinant(second));
    return std::max(found, 0.0);
}

KernelWeights weigh_by_gaussians(const WeightProblem& problem) {
    const double rho = problem.parameters[parameter::rho];
    const Index rank = problem.parameters[parameter::rank];
    return weigh_by_index(problem, "dimkl6", [&](const ClassMatrix& matrix, Control& control) {
        const ProgressHold hold(control);
        std::vector<Gaussian> gaussians;
        for (const ClassRange range : matrix.classes)
            gaussians.push_back(fitted_gaussian(matrix, range, rho, rank, control));
        return mean_over_pairs(matrix.classes, false, [&](Index a, Index b) {
            return bhattacharyya(matrix, gaussians[a], gaussians[b], rho, control);
        });
    });
}

}  // namespace

WeightStrategy dimkl6_strategy() {
    return {.name = "dimkl6",
            .doc = "DiMKL6: Bhattacharyya distance of the classes as Gaussians in feature space",
            .reference =
                "Divergence measures for multiple kernel learning (DiMKL); Zhou, Chellappa, IEEE "
                "TPAMI 28, 2006",
            .arguments = "",
            .parameters = {parameter::rho, parameter::rank},
            .normalises = true,
            .compares_classes = true,
            .check = nullptr,
            .weigh = weigh_by_gaussians};
}

}  // namespace dk
