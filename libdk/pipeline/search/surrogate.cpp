// SPDX-License-Identifier: Apache-2.0
// The scores y at the points x_1 ... x_n are, less their mean and in units of their deviation, a draw from a
// Gaussian process with covariance k(x_i, x_j) + noise [i = j], where k is Matern's with nu = 5/2,
//
//     k(x, z) = (1 + s + s^2 / 3) exp(-s)     s = sqrt(5) |x - z| / length
//
// Then what is to be expected at x is, with K = k(X, X) + noise I = L L' and k_x = k(X, x),
//
//     mean(x) = k_x' K^-1 y     deviation(x)^2 = 1 - |L^-1 k_x|^2              (Rasmussen, Williams,
//     eq. 2.25)
//
// which is kernel ridge regression with a deviation. Length and noise are those of a few for which the scores
// are the most likely: log p(y) = -1/2 y' K^-1 y - sum_i log L_ii + constant (eq. 2.30).
//
// Rasmussen, Williams, Gaussian processes for machine learning, 2006; Jones, Schonlau, Welch, Efficient
// global optimization of expensive black-box functions, Journal of Global Optimization 13, 1998, for the
// improvement.
#include "pipeline/search/surrogate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "matrix/cholesky.hpp"

namespace dk {

namespace {

constexpr std::array lengths{0.15, 0.3, 0.6, 1.2};
constexpr std::array noises{1e-3, 1e-2, 1e-1, 0.5};

double covariance(double squared_distance, double length) {
    const double s = std::sqrt(5 * squared_distance) / length;
    return (1 + s + s * s / 3) * std::exp(-s);
}

/// Gives k(x_i, point) for every point x_i.
Vector covariances(const Matrix& points, std::span<const double> point, double length) {
    const Vector x = Eigen::Map<const Vector>(point.data(), std::ssize(point));
    Vector k(points.rows());
    for (Index i = 0; i < points.rows(); ++i)
        k(i) = covariance((points.row(i).transpose() - x).squaredNorm(), length);
    return k;
}

/// Scores less their mean, in units of their deviation; where all are alike, the unit is 1.
struct Standardised {
    double centre;
    double spread;
    Vector y;
    explicit Standardised(const Vector& scores) : centre(scores.mean()) {
        const double deviation = std::sqrt((scores.array() - centre).square().mean());
        spread = deviation > 0 ? deviation : 1;
        y = (scores.array() - centre) / spread;
    }
};

Matrix covariance_matrix(const Matrix& points, double length) {
    Matrix k(points.rows(), points.rows());
    for (Index i = 0; i < k.rows(); ++i) {
        for (Index j = 0; j <= i; ++j)
            k(i, j) = k(j, i) = covariance((points.row(i) - points.row(j)).squaredNorm(), length);
    }
    return k;
}

/// Factors K = L L'; with the noise that there always is, no pivot is 0.
Matrix factored(Matrix k, double noise, Control& control) {
    k.diagonal().array() += noise;
    if (!cholesky_factor(k, control)) fail(Status::numerical, "scores of a search cannot be compared");
    return k;
}

Vector solved(const Matrix& factor, const Vector& y, Control& control) {
    Vector weights = y;
    cholesky_solve(factor, weights, control);
    return weights;
}

}  // namespace

Smoothness likely_smoothness(const Matrix& points, const Vector& scores, Control& control) {
    const Vector y = Standardised(scores).y;
    Smoothness likely{lengths.front(), noises.front()};
    double most_likely = -infinity;
    for (const double length : lengths) {
        const Matrix k = covariance_matrix(points, length);
        for (const double noise : noises) {
            const Matrix factor = factored(k, noise, control);
            const double likelihood =
                -0.5 * y.dot(solved(factor, y, control)) - factor.diagonal().array().log().sum();
            if (likelihood <= most_likely) continue;
            most_likely = likelihood;
            likely = {length, noise};
        }
    }
    return likely;
}

Surrogate::Surrogate(const Matrix& points, const Vector& scores, Smoothness smoothness, Control& control)
    : points_(points), length_(smoothness.length) {
    const Standardised standardised(scores);
    centre_ = standardised.centre;
    spread_ = standardised.spread;
    const Matrix k = covariance_matrix(points, length_);
    factor_ = factored(k, smoothness.noise, control);
    weights_ = solved(factor_, standardised.y, control);
    best_mean_ = centre_ + spread_ * (k * weights_).maxCoeff();
}

Expectation Surrogate::at(std::span<const double> point) const {
    const Vector k = covariances(points_, point, length_);
    const Vector reduced = factor_.triangularView<Eigen::Lower>().solve(k);
    const double variance = std::max(1 - reduced.squaredNorm(), 0.0);
    return {centre_ + spread_ * k.dot(weights_), spread_ * std::sqrt(variance)};
}

double expected_improvement(const Expectation& expectation, double best) {
    const double above = expectation.mean - best;
    if (expectation.deviation <= 0) return std::max(above, 0.0);
    const double z = above / expectation.deviation;
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * 3.14159265358979323846);
    const double probability = 0.5 * std::erfc(-z / std::sqrt(2.0));
    return above * probability + expectation.deviation * density;
}

}  // namespace dk
