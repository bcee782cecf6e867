// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "solve/squares/sparse_bayes.hpp"

namespace dk {

/// The candidates that a model uses, with their precisions, and its noise.
struct SparseState {
    std::vector<Index> used = {};
    std::vector<double> alphas = {};
    double noise_variance = 1;
};

/// SparsePosterior is the posterior of the weights that a sparse Bayesian model uses at present: its mode,
/// and the Gaussian of the same curvature there. The bias is the first weight, so the used candidate at
/// position p has the weight p + 1.
class SparsePosterior {
  public:
    SparsePosterior(const SparseBayesProgram& program, Control& control);

    /// Gives the candidates in use, in the order in which they came.
    const std::vector<Index>& used() const { return used_; }
    /// Gives the position of a candidate among the used ones, or -1.
    Index position(Index candidate) const { return position_[candidate]; }
    void include(Index candidate, double alpha);
    void exclude(Index candidate);
    void set_alpha(Index candidate, double alpha) { precisions_[position_[candidate] + 1] = alpha; }
    double alpha(Index position) const { return precisions_[position + 1]; }

    /// Uses other candidates from now on.
    void use(const SparseState& state);
    SparseState state() const;

    /// Brings the mode and everything below up to date with the candidates in use and their alphas.
    void fit();
    /// Does the same and leaves the noise as it is.
    void fit_at_noise();

    double bias() const { return weights_[0]; }
    double weight(Index position) const { return weights_[position + 1]; }
    /// Gives the posterior variance of a used candidate's weight.
    double variance(Index position) const { return variances_[position + 1]; }
    /// Gives the gradient of the log likelihood with respect to the decision values, which is B (t - y) at
    /// the Gaussian mode.
    const Vector& residuals() const { return residuals_; }
    /// Gives the diagonal of B, which is minus the second derivatives of the log likelihood.
    const Vector& curvatures() const { return curvatures_; }
    /// Gives Phi' B, which has a row for each weight.
    Matrix weighted_basis() const { return basis_ * curvatures_.asDiagonal(); }
    /// Gives L^-1, where Phi' B Phi + A = L L'. So the covariance of the weights is Sigma = L^-T L^-1.
    const Matrix& inverse_factor() const { return inverse_factor_; }

    /// Gives the deviations of the targets from their mean.
    const Vector& centred_targets() const { return centred_; }
    /// Gives the mean square of these deviations.
    double target_variance() const { return target_variance_; }
    double noise_variance() const { return noise_variance_; }
    /// Gives MacKay's estimate of the noise from the last fit, which divides the squared residuals by the
    /// number of observations that no weight has used up.
    double renewed_noise_variance() const;
    /// Tells whether the noise is as small as is told from none: the candidates explain all targets.
    bool explains_all() const { return noise_variance_ <= least_noise_variance(); }
    /// Gives the logarithm of the evidence at the last fit.
    double evidence() const;

  private:
    void find_gaussian_mode();
    void find_bernoulli_mode();
    bool halved_step(const Vector& direction, double& posterior);
    void factor_curvature();
    bool factor_product();
    void factor_rows();
    void refine_gaussian_mode();
    double least_noise_variance() const { return 1e-12 * std::max(target_variance_, 1e-280); }
    Vector solved(const Vector& right);
    void find_decisions();
    void find_logistic_derivatives();
    void find_covariance();
    double log_posterior() const;

    const SparseBayesProgram& program_;
    Control& control_;
    Vector centred_;
    double target_variance_ = 0;
    double noise_variance_ = 1;
    std::vector<Index> used_;
    std::vector<Index> position_;
    Matrix basis_;       // Phi': ones for the bias, then the candidates in use
    Vector precisions_;  // the diagonal of A
    Vector weights_;     // mu
    Vector decisions_;   // y
    Vector residuals_;
    Vector curvatures_;
    Matrix factor_;  // L, in the lower triangle
    Matrix inverse_factor_;
    Vector variances_;  // the diagonal of Sigma
};

}  // namespace dk
