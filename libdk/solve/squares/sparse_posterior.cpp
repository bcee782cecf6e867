// SPDX-License-Identifier: Apache-2.0
// A SparsePosterior finds the posterior of the weights w of a sparse Bayesian model for fixed precisions
// alpha, which is, up to a constant,
//
//     log p(w | t, alpha) = log p(t | Phi w) - 1/2 w' A w,    A = diag(alpha),
//
// and replaces it by a Gaussian around its mode mu with the covariance Sigma = (Phi' B Phi + A)^-1. This is
// exact for the Gaussian likelihood, and Laplace's approximation for the Bernoulli likelihood with logistic
// decisions.
//
//     paper          code
//     Phi            basis_', with a first column of ones for the bias
//     t, y = Phi w   program_.targets, decisions_
//     alpha          precisions_, which hold for the bias a precision of nearly nothing
//     mu             weights_
//     B              curvatures_: 1 / sigma^2, or p (1 - p) with p = 1 / (1 + exp(-y))
//     sigma^2        noise_variance_
//     Sigma          inverse_factor_' inverse_factor_, whose diagonal is variances_
//
// Where the noise is small, the used candidates alike, and so Phi' B Phi + A nearly singular, its factor L is
// that of [B^1/2 Phi; A^1/2] = Q L', of which nothing is squared (Golub, Van Loan, Matrix computations, 5.3).
//
// Reference: Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001.
#include "solve/squares/sparse_posterior.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "matrix/cholesky.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr double bias_precision = 1e-12;  // so small that the bias is as good as free
constexpr int most_newton_steps = 100;
constexpr int most_halvings = 40;

void append(Vector& values, double value) {
    values.conservativeResize(values.size() + 1);
    values[values.size() - 1] = value;
}

void remove(Vector& values, Index position) {
    const Index after = values.size() - position - 1;
    values.segment(position, after) = values.tail(after).eval();
    values.conservativeResize(values.size() - 1);
}

}  // namespace

SparsePosterior::SparsePosterior(const SparseBayesProgram& program, Control& control)
    : program_(program),
      control_(control),
      position_(program.count(), -1),
      basis_(Matrix::Ones(1, program.observations())),
      precisions_(Vector::Constant(1, bias_precision)) {
    const double mean = program.targets.mean();
    centred_ = program.targets.array() - mean;
    target_variance_ = centred_.squaredNorm() / program.observations();
    noise_variance_ = std::max(0.1 * target_variance_, 1e-300);
    weights_ = Vector::Constant(1, program.bernoulli() ? std::log(mean / (1 - mean)) : mean);
}

void SparsePosterior::include(Index candidate, double alpha) {
    position_[candidate] = std::ssize(used_);
    used_.push_back(candidate);
    basis_.conservativeResize(basis_.rows() + 1, Eigen::NoChange);
    basis_.bottomRows(1) = program_.candidates.row(candidate);
    append(precisions_, alpha);
    append(weights_, 0);
}

void SparsePosterior::exclude(Index candidate) {
    const Index position = position_[candidate];
    used_.erase(used_.begin() + position);
    position_[candidate] = -1;
    for (Index p = position; p < std::ssize(used_); ++p) position_[used_[p]] = p;
    for (Index row = position + 1; row + 1 < basis_.rows(); ++row) basis_.row(row) = basis_.row(row + 1);
    basis_.conservativeResize(basis_.rows() - 1, Eigen::NoChange);
    remove(precisions_, position + 1);
    remove(weights_, position + 1);
}

void SparsePosterior::use(const SparseState& state) {
    const Index count = std::ssize(state.used);
    used_ = state.used;
    std::ranges::fill(position_, -1);
    basis_.conservativeResize(count + 1, Eigen::NoChange);
    precisions_.conservativeResize(count + 1);
    weights_ = bias() * Vector::Unit(count + 1, 0);
    for (Index p = 0; p < count; ++p) {
        position_[used_[p]] = p;
        basis_.row(p + 1) = program_.candidates.row(used_[p]);
        precisions_[p + 1] = state.alphas[p];
    }
    noise_variance_ = state.noise_variance;
}

SparseState SparsePosterior::state() const {
    return {used_, {precisions_.begin() + 1, precisions_.end()}, noise_variance_};
}

void SparsePosterior::fit() {
    if (!program_.bernoulli()) {
        fit_at_noise();
        noise_variance_ = renewed_noise_variance();
    }
    fit_at_noise();
}

void SparsePosterior::fit_at_noise() {
    if (program_.bernoulli()) {
        find_bernoulli_mode();
    } else {
        find_gaussian_mode();
    }
    find_covariance();
}

/// Finds L with L L' = Phi' B Phi + A.
void SparsePosterior::factor_curvature() {
    if (!factor_product()) factor_rows();
}

/// Finds L from the product. Gives false where rounding has hidden some direction's curvature.
bool SparsePosterior::factor_product() {
    const Index m = basis_.rows();
    factor_.resize(m, m);
    multiply_transposed(weighted_basis(), basis_, factor_);
    factor_.diagonal() += precisions_;
    const ProgressHold hold(control_);
    if (!cholesky_factor(factor_, control_)) return false;
    constexpr double least_ratio = 1e-4;  // Its square is what the product lets see, with eight digits left.
    return factor_.diagonal().minCoeff() > least_ratio * factor_.diagonal().maxCoeff();
}

/// Finds L from the rows of [B^1/2 Phi; A^1/2].
void SparsePosterior::factor_rows() {
    const Index m = basis_.rows();
    const Index n = basis_.cols();
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(n + m, m);
    rows.topRows(n) = (basis_ * curvatures_.cwiseSqrt().asDiagonal()).transpose();
    rows.bottomRows(m).diagonal() = precisions_.cwiseSqrt();
    const Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> split(rows);  // in place
    control_.check();
    factor_ = rows.topRows(m).triangularView<Eigen::Upper>().transpose();
    for (Index j = 0; j < m; ++j) {
        if (factor_(j, j) < 0) factor_.col(j) *= -1;
    }
}

/// Gives Sigma right, by the factor of Sigma^-1.
Vector SparsePosterior::solved(const Vector& right) {
    const ProgressHold hold(control_);
    Vector x = right;
    cholesky_solve(factor_, x, control_);
    return x;
}

void SparsePosterior::find_decisions() {
    decisions_ = basis_.transpose() * weights_;
}

/// Finds mu = Sigma Phi' B t with B = I / sigma^2.
void SparsePosterior::find_gaussian_mode() {
    curvatures_ = Vector::Constant(program_.observations(), 1 / noise_variance_);
    factor_curvature();
    weights_ = solved(basis_ * program_.targets / noise_variance_);
    find_decisions();
    refine_gaussian_mode();
}

/// Solves for what rounding has left over, so that the mode is that of the rows and not of their squares
/// (Bjoerck, Stability analysis of the method of seminormal equations, 1987).
void SparsePosterior::refine_gaussian_mode() {
    constexpr int steps = 2;
    for (int step = 0; step <= steps; ++step) {
        residuals_ = (program_.targets - decisions_) / noise_variance_;
        if (step == steps) return;
        weights_ += solved(basis_ * residuals_ - precisions_.cwiseProduct(weights_));
        find_decisions();
    }
}

/// The weight of precision alpha_i uses up 1 - alpha_i Sigma_ii of an observation.
double SparsePosterior::renewed_noise_variance() const {
    const double squares = (noise_variance_ * residuals_).squaredNorm();
    const double used_up = (1 - precisions_.array() * variances_.array()).sum();
    const double left = std::max(program_.observations() - used_up, 1e-3);
    return std::max(squares / left, least_noise_variance());
}

/// Finds the derivatives t - p and p (1 - p) of the log likelihood at the logistic decisions.
void SparsePosterior::find_logistic_derivatives() {
    const Eigen::ArrayXd p = 1 / (1 + (-decisions_.array()).exp());
    residuals_ = program_.targets.array() - p;
    curvatures_ = (p * (1 - p)).max(1e-300);
}

/// Gives sum_n (t_n y_n - ln(1 + exp(y_n))) - 1/2 mu' A mu, the log posterior of logistic decisions but for
/// its constant.
double SparsePosterior::log_posterior() const {
    double sum = program_.targets.dot(decisions_);
    for (const double y : decisions_) sum -= std::max(y, 0.0) + std::log1p(std::exp(-std::abs(y)));
    return sum - 0.5 * weights_.dot(precisions_.cwiseProduct(weights_));
}

/// Finds the mode by Newton's method on the log posterior, whose steps are halved until it does not fall.
void SparsePosterior::find_bernoulli_mode() {
    find_decisions();
    double posterior = log_posterior();
    for (int step = 0; step < most_newton_steps; ++step) {
        find_logistic_derivatives();
        factor_curvature();
        const Vector gradient = basis_ * residuals_ - precisions_.cwiseProduct(weights_);
        const Vector direction = solved(gradient);
        // A smaller gain is lost in the rounding of the posterior.
        if (!(direction.dot(gradient) > 1e-18 * (1 + std::abs(posterior)))) return;
        if (!halved_step(direction, posterior)) return;
    }
    find_logistic_derivatives();
    factor_curvature();
}

/// Moves the weights along the direction. Gives false, and moves nothing, where every length lowers the
/// posterior.
bool SparsePosterior::halved_step(const Vector& direction, double& posterior) {
    const double rounding = 1e-14 * (1 + std::abs(posterior));
    const Vector before = weights_;
    double length = 1;
    for (int halving = 0; halving < most_halvings; ++halving) {
        weights_ = before + length * direction;
        find_decisions();
        const double found = log_posterior();
        if (found >= posterior - rounding) {
            posterior = found;
            return true;
        }
        length *= 0.5;
    }
    weights_ = before;
    find_decisions();
    find_logistic_derivatives();
    return false;
}

void SparsePosterior::find_covariance() {
    const Index m = basis_.rows();
    inverse_factor_ = Matrix::Identity(m, m);
    const ProgressHold hold(control_);
    solve_lower(factor_, inverse_factor_, control_);
    variances_ = inverse_factor_.colwise().squaredNorm();
}

/// The log evidence is log p(t | mu) - 1/2 mu' A mu + 1/2 log |A| - 1/2 log |Phi' B Phi + A|. The
/// exponents of the Gaussian one are sums of squares, and not their sum t' (t - y) / sigma^2, of which
/// targets far from zero leave rounding. The Bernoulli evidence leaves out the bias's part of A, because that
/// precision is no prior belief.
double SparsePosterior::evidence() const {
    const Index used = std::ssize(used_);
    const double half_log_determinant = factor_.diagonal().array().log().sum();
    double sum = 0.5 * precisions_.tail(used).array().log().sum() - half_log_determinant;
    if (program_.bernoulli()) return sum + log_posterior() + 0.5 * bias_precision * bias() * bias();
    sum += 0.5 * std::log(bias_precision);
    const double n = program_.observations();
    const double energy =
        noise_variance_ * residuals_.squaredNorm() + weights_.dot(precisions_.cwiseProduct(weights_));
    return sum - 0.5 * (n * std::log(2 * std::numbers::pi * noise_variance_) + energy);
}

}  // namespace dk
