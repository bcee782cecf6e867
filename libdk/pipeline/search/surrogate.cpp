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

}  // namespace

Surrogate::Surrogate(const Matrix& points, const Vector& scores, Control& control) : points_(points) {
    const Index n = points.rows();
    centre_ = scores.mean();
    const double deviation = std::sqrt((scores.array() - centre_).square().mean());
    if (deviation > 0) spread_ = deviation;
    const Vector y = (scores.array() - centre_) / spread_;
    double most_likely = -infinity;
    for (const double length : lengths) {
        Matrix k(n, n);
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j)
                k(i, j) = covariance((points.row(i) - points.row(j)).squaredNorm(), length);
        }
        for (const double noise : noises) {
            Matrix factor = k;
            factor.diagonal().array() += noise;
            if (!cholesky_factor(factor, control)) continue;
            Vector weights = y;
            cholesky_solve(factor, weights, control);
            const double likelihood = -0.5 * y.dot(weights) - factor.diagonal().array().log().sum();
            if (likelihood <= most_likely) continue;
            most_likely = likelihood;
            length_ = length;
            factor_ = factor;
            weights_ = weights;
            best_mean_ = centre_ + spread_ * (k * weights).maxCoeff();
        }
    }
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
