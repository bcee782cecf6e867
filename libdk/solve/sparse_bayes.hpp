// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// A linear model t ~ bias + sum_j w_j phi_j with a Gaussian prior of precision alpha_j on each weight, where
/// the alphas maximise the evidence: most become infinite, and their weights zero.
struct SparseBayesProgram {
    enum class Likelihood { bernoulli, gaussian };

    const double* candidates;         // row j: phi_j at every observation, of length 1
    Index count;                      // of candidates
    std::span<const double> targets;  // 0 and 1, or numbers
    Likelihood likelihood;
    double tolerance = 1e-3;  // stops when no ln(alpha) would change by more
    std::int64_t most_iterations = 500;

    Index observations() const { return size_of(targets); }
    const double* candidate(Index j) const { return candidates + j * observations(); }
};

struct SparseBayesSolution {
    std::vector<Index> relevant = {};  // candidates with a weight, ascending
    std::vector<double> weights = {};
    std::vector<double> precisions = {};  // alpha
    double bias = 0;
    double noise_variance = 0;  // of the Gaussian likelihood
    double evidence = 0;        // log, by Laplace's approximation where the likelihood is Bernoulli's
    std::vector<double> evidences = {};  // after each iteration
    std::int64_t iterations = 0;
    bool converged = false;
};

/// Fast marginal likelihood maximisation (Tipping, Faul, AISTATS 2003): in each iteration the one candidate
/// is added, removed or given another alpha with which the evidence gains most.
SparseBayesSolution solve_sparse_bayes(const SparseBayesProgram& program, Control& control);

}  // namespace dk
