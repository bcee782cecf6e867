// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// SparseBayesProgram is a linear model t ~ bias + sum_j w_j phi_j with a Gaussian prior of mean 0 and
/// precision alpha_j on each weight w_j. The alphas maximise the evidence, which makes most of them infinite
/// and their weights zero.
struct SparseBayesProgram {
    enum class Likelihood { bernoulli, gaussian };

    ConstMatrixView candidates;  // row j is phi_j at every observation, scaled to length 1
    ConstVectorView targets;     // t: 0 and 1 for the Bernoulli likelihood, any numbers for the Gaussian one
    Likelihood likelihood;
    double tolerance = 1e-3;  // The search stops when no ln(alpha) in use would change by more.
    std::int64_t most_iterations = 500;

    Index count() const { return candidates.rows(); }
    Index observations() const { return targets.size(); }
    bool bernoulli() const { return likelihood == Likelihood::bernoulli; }
};

struct SparseBayesSolution {
    std::vector<Index> relevant = {};  // the candidates with a weight, ascending
    std::vector<double> weights = {};
    std::vector<double> precisions = {};  // alpha
    double bias = 0;
    double noise_variance = 0;  // sigma^2 of the Gaussian likelihood; 0 for the Bernoulli one
    double evidence = 0;        // the logarithm, by Laplace's approximation for the Bernoulli likelihood
    // The logarithm after each iteration of the way from the best start, which is not the largest at its end
    // where changes of the noise have lowered it.
    std::vector<double> evidences = {};
    std::int64_t iterations = 0;
    bool converged = false;
};

/// Solves it by fast marginal likelihood maximisation (Tipping, Faul, AISTATS 2003): each iteration adds,
/// removes or re-estimates the one candidate that raises the evidence most. With the Gaussian likelihood it
/// does so from three starts, one candidate and two ends of Tipping's iteration from all, and keeps the best
/// end; each may take most_iterations.
SparseBayesSolution solve_sparse_bayes(const SparseBayesProgram& program, Control& control);

}  // namespace dk
