// SPDX-License-Identifier: Apache-2.0
// Fast marginal likelihood maximisation solves max over alpha > 0 (infinite ones allowed) of the log evidence
//
//     L(alpha) = log of the integral over w of p(t | Phi w) N(w | 0, A^-1),    A = diag(alpha).
//
// As a function of one alpha_i, for fixed others, it is a constant and
//
//     l(alpha_i) = 1/2 (ln alpha_i - ln(alpha_i + s_i) + q_i^2 / (alpha_i + s_i)),
//
// which has its maximum at alpha_i = s_i^2 / (q_i^2 - s_i) where q_i^2 > s_i, and at infinity elsewhere. So
// the best change of a single alpha is known at once, and each iteration makes the best one of all.
//
//     paper               code
//     phi_i               program.candidates.row(i), of length 1
//     t                   program.targets
//     s_i (sparsity)      Quality::s
//     q_i (quality)       Quality::q
//     q_i^2 - s_i         Quality::surplus()
//     Phi, mu, Sigma, B   members of SparsePosterior (see sparse_posterior.cpp)
//
// References: Tipping, Faul, Fast marginal likelihood maximisation for sparse Bayesian models, AISTATS 2003;
// Faul, Tipping, Analysis of sparse Bayesian learning, NIPS 2002.
#include "solve/squares/sparse_bayes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "matrix/product.hpp"
#include "solve/squares/sparse_posterior.hpp"

namespace dk {

namespace {

/// Two candidates with a larger cosine are never used together. Nearly equal ones may be, because the way to
/// a better one can lead through models that use both.
constexpr double largest_cosine = 1 - 1e-9;
constexpr double least_gain = 1e-10;
constexpr Index candidates_at_once = 64;

/// Quality is what the evidence says of one candidate, for fixed alphas of the others.
struct Quality {
    double s = 0;
    double q = 0;

    double surplus() const { return q * q - s; }
    bool wanted() const { return s > 0 && surplus() > 1e-12 * s; }
    double best_alpha() const { return s * s / surplus(); }
    /// Gives l(alpha), which is 0 for an infinite alpha.
    double evidence(double alpha) const {
        return 0.5 * (std::log(alpha / (alpha + s)) + q * q / (alpha + s));
    }
};

class SparseBayes {
  public:
    SparseBayes(const SparseBayesProgram& program, Control& control)
        : program_(program), control_(control), posterior_(program, control), qualities_(program.count()) {}

    SparseBayesSolution solve() {
        SparseBayesSolution solution;
        const double bias = posterior_.bias();
        if (!(posterior_.target_variance() > 1e-26 * bias * bias)) {  // A bias alone explains equal targets.
            solution.bias = bias;
            solution.evidences = {0};
            solution.converged = true;
            return solution;
        }
        begin_with_most_correlated();
        while (true) {
            control_.check(1.0 * solution.iterations / program_.most_iterations);
            posterior_.fit();
            solution.evidences.push_back(posterior_.evidence());
            find_qualities();
            const Change change = best_change();
            if (change.candidate < 0) {
                solution.converged = true;
                break;
            }
            if (solution.iterations == program_.most_iterations) break;
            ++solution.iterations;
            apply(change);
        }
        write(solution);
        return solution;
    }

  private:
    /// A Change is a new alpha of a candidate; it is infinite where the candidate is removed.
    struct Change {
        Index candidate = -1;
        double alpha = 0;
        double gain = 0;  // by how much the log evidence rises
    };

    /// Begins with the one candidate most correlated with the targets. Its alpha is the best one when the
    /// candidate is alone and the noise is what is assumed at first.
    void begin_with_most_correlated() {
        Index best = 0;
        const double most = (program_.candidates * posterior_.centred_targets()).cwiseAbs().maxCoeff(&best);
        const double noise = posterior_.noise_variance();
        const Quality quality = program_.bernoulli() ? Quality{posterior_.target_variance(), most}
                                                     : Quality{1 / noise, most / noise};
        posterior_.include(best, quality.surplus() > 0 ? quality.best_alpha() : quality.s);
    }

    void apply(const Change& change) {
        if (std::isinf(change.alpha)) {
            posterior_.exclude(change.candidate);
        } else if (posterior_.position(change.candidate) < 0) {
            posterior_.include(change.candidate, change.alpha);
        } else {
            posterior_.set_alpha(change.candidate, change.alpha);
        }
    }

    /// Finds s and q of every candidate.
    void find_qualities() {
        const ProgressHold hold(control_);
        const Index count = program_.count();
        const Matrix weighted = posterior_.weighted_basis();  // Phi' B
        const Index m = weighted.rows();
        const auto room = [&] { return Matrix(candidates_at_once, m); };
        const Index pieces = (count + candidates_at_once - 1) / candidates_at_once;
        const auto look_at_piece = [&](Matrix& products, Index piece) {
            const Index begin = piece * candidates_at_once;
            const Index end = std::min(count, begin + candidates_at_once);
            const auto of_piece = products.topRows(end - begin);
            multiply_transposed(program_.candidates.middleRows(begin, end - begin), weighted, of_piece);
            for (Index j = begin; j < end; ++j) {
                const Index position = posterior_.position(j);
                qualities_[j] = position < 0 ? quality_of_unused(j, products.row(j - begin).transpose())
                                             : quality_of_used(position);
            }
        };
        const double values = values_of_product(count, m, program_.candidates.cols());
        parallel_for_with(pieces, control_, room, look_at_piece, workforce_for(values, control_));
    }

    /// Gives s = S = phi' B phi - phi' B Phi Sigma Phi' B phi and q = Q = phi' (gradient of the log
    /// likelihood), where `products` is Phi' B phi.
    Quality quality_of_unused(Index j, const ConstVectorRef& products) const {
        const auto phi = program_.candidates.row(j);
        const double square = phi.cwiseAbs2().dot(posterior_.curvatures());
        const Vector explained = posterior_.inverse_factor().triangularView<Eigen::Lower>() * products;
        return {square - explained.squaredNorm(), phi.dot(posterior_.residuals())};
    }

    /// Gives s = alpha S / (alpha - S) and q = alpha Q / (alpha - S), which S and Q would be if the candidate
    /// were not in use. With S = alpha - alpha^2 Sigma_jj and Q = alpha mu_j no digits cancel.
    Quality quality_of_used(Index position) const {
        const double variance = posterior_.variance(position);
        return {1 / variance - posterior_.alpha(position), posterior_.weight(position) / variance};
    }

    bool is_new_direction(Index candidate) const {
        const auto phi = program_.candidates.row(candidate);
        return std::ranges::all_of(posterior_.used(), [&](Index other) {
            return std::abs(phi.dot(program_.candidates.row(other))) <= largest_cosine;
        });
    }

    /// Gives the change that raises the evidence most, and none where no change is worth making.
    Change best_change() const {
        Change best;
        for (Index j = 0; j < program_.count(); ++j) {
            const Quality& quality = qualities_[j];
            const Index position = posterior_.position(j);
            Change change{j, infinity, 0};
            if (quality.wanted()) {
                change.alpha = quality.best_alpha();
                change.gain = quality.evidence(change.alpha);
            }
            if (position >= 0) {
                const double present = posterior_.alpha(position);
                const bool settled =
                    quality.wanted() && std::abs(std::log(change.alpha / present)) < program_.tolerance;
                if (settled) continue;
                change.gain -= quality.evidence(present);
            } else if (!quality.wanted() || change.gain < least_gain) {
                continue;
            }
            if (!quality.wanted() && std::ssize(posterior_.used()) == 1)
                continue;  // A model needs one candidate at least.
            if (change.gain <= best.gain && best.candidate >= 0) continue;
            if (position < 0 && !is_new_direction(j)) continue;
            best = change;
        }
        return best;
    }

    void write(SparseBayesSolution& solution) const {
        solution.relevant = posterior_.used();
        std::ranges::sort(solution.relevant);
        for (const Index candidate : solution.relevant) {
            const Index position = posterior_.position(candidate);
            solution.weights.push_back(posterior_.weight(position));
            solution.precisions.push_back(posterior_.alpha(position));
        }
        solution.bias = posterior_.bias();
        solution.noise_variance = program_.bernoulli() ? 0 : posterior_.noise_variance();
        solution.evidence = solution.evidences.back();
    }

    const SparseBayesProgram& program_;
    Control& control_;
    SparsePosterior posterior_;
    std::vector<Quality> qualities_;  // one for each candidate
};

}  // namespace

SparseBayesSolution solve_sparse_bayes(const SparseBayesProgram& program, Control& control) {
    return SparseBayes(program, control).solve();
}

}  // namespace dk
