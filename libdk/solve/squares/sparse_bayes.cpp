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
// Such changes lead from one candidate to an optimum, and often to a better one from where Tipping's own
// iteration ends, which begins with all candidates (some, evenly spread, of more than 400) and changes all
// alphas and the noise at once,
//
//     alpha_i <- (1 - alpha_i Sigma_ii) / mu_i^2,
//
// so that regressions climb from both, and keep the state of the largest evidence.
//
//     paper               code
//     phi_i               program.candidates.row(i), of length 1
//     t                   program.targets
//     s_i (sparsity)      Quality::s
//     q_i (quality)       Quality::q
//     q_i^2 - s_i         Quality::surplus()
//     Phi, mu, Sigma, B   members of SparsePosterior (see sparse_posterior.cpp)
//
// References: Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001, (16) to (18);
// Tipping, Faul, Fast marginal likelihood maximisation for sparse Bayesian models, AISTATS 2003;
// Faul, Tipping, Analysis of sparse Bayesian learning, NIPS 2002.
#include "solve/squares/sparse_bayes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

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
        const double bias = posterior_.bias();
        if (!(posterior_.target_variance() > 1e-26 * bias * bias))  // A bias alone explains equal targets.
            return {.bias = bias, .evidences = {0}, .converged = true};
        begin_with_most_correlated();
        if (program_.bernoulli()) return solution_of(climb());
        constexpr double share = 0.2;  // of each of five parts
        std::optional<ProgressScope> scope;
        scope.emplace(control_, 0, share);
        Climb best = climb();
        double done = share;
        // Weights are about as large as the targets' deviation, or as good as free.
        const double n = program_.observations();
        for (const double alpha :
             {1 / posterior_.target_variance(), 1 / (n * n * posterior_.target_variance())}) {
            scope.emplace(control_, done, done + share);
            begin_where_all_end(alpha);
            scope.emplace(control_, done + share, done + 2 * share);
            Climb way = climb();
            if (way.evidence > best.evidence) best = std::move(way);
            done += 2 * share;
        }
        return solution_of(best);
    }

  private:
    /// A Change is a new alpha of a candidate; it is infinite where the candidate is removed.
    struct Change {
        Index candidate = -1;
        double alpha = 0;
        double gain = 0;  // by how much the log evidence rises
    };

    /// A Climb is a sequence of changes, with the best state on its way.
    struct Climb {
        SparseState best = {};
        double evidence = -infinity;  // of the best state
        std::vector<double> evidences = {};
        std::int64_t iterations = 0;
        bool converged = false;
    };

    /// Makes the best change of one candidate until none is worth making.
    Climb climb() {
        Climb way;
        while (true) {
            control_.check(1.0 * way.iterations / program_.most_iterations);
            posterior_.fit();
            way.evidences.push_back(posterior_.evidence());
            // The Bernoulli evidence is an approximation, whose last state is the one that does not change.
            if (program_.bernoulli() || way.evidences.back() > way.evidence) {
                way.evidence = way.evidences.back();
                way.best = posterior_.state();
            }
            find_qualities();
            const Change change = best_change();
            if (change.candidate < 0) {
                way.converged = true;
                return way;
            }
            if (way.iterations == program_.most_iterations) return way;
            ++way.iterations;
            apply(change);
        }
    }

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

    /// Makes the state with which Tipping's iteration begins: all candidates that are not zero or, of more
    /// than 400, so many evenly spread ones that a turn does not cost more.
    SparseState all_candidates(double alpha) const {
        constexpr double most_products = 400.0 * 400.0 * 400.0;
        const double most = std::sqrt(most_products / program_.observations());
        const Index count = std::min(program_.count(), static_cast<Index>(most) + 1);
        SparseState all{.noise_variance = 0.1 * posterior_.target_variance()};
        for (Index k = 0; k < count; ++k) {
            const Index j = k * program_.count() / count;
            if (program_.candidates.row(j).isZero(0)) continue;
            all.used.push_back(j);
            all.alphas.push_back(alpha);
        }
        return all;
    }

    /// Runs Tipping's iteration from all candidates with a precision to its end. Candidates whose weights the
    /// targets hardly determine are gone then.
    void begin_where_all_end(double first_alpha) {
        constexpr double least_known = 1e-4;
        const double most_turns = program_.most_iterations;
        posterior_.use(all_candidates(first_alpha));
        for (std::int64_t turn = 0; turn < program_.most_iterations; ++turn) {
            control_.check(static_cast<double>(turn) / most_turns);
            posterior_.fit_at_noise();
            SparseState next{.noise_variance = posterior_.renewed_noise_variance()};
            double change = 0;
            for (Index p = 0; p < std::ssize(posterior_.used()); ++p) {
                const double alpha = posterior_.alpha(p);
                const double known = 1 - alpha * posterior_.variance(p);
                const double square = posterior_.weight(p) * posterior_.weight(p);
                const double renewed = known / square;
                if (!(known > least_known) || !std::isfinite(renewed)) continue;
                change = std::max(change, std::abs(std::log(renewed / alpha)));
                next.used.push_back(posterior_.used()[p]);
                next.alphas.push_back(renewed);
            }
            if (next.used.empty()) return;  // The model needs a candidate, and has those of before.
            posterior_.use(next);
            if (change < program_.tolerance) return;
        }
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
            // Where all targets are explained, more candidates explain no more, and only some can go.
            if (posterior_.explains_all() && !program_.bernoulli() && quality.wanted()) continue;
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

    SparseBayesSolution solution_of(const Climb& way) {
        posterior_.use(way.best);
        posterior_.fit_at_noise();
        SparseBayesSolution solution{.relevant = posterior_.used(),
                                     .bias = posterior_.bias(),
                                     .noise_variance = program_.bernoulli() ? 0 : posterior_.noise_variance(),
                                     .evidence = way.evidence,
                                     .evidences = way.evidences,
                                     .iterations = way.iterations,
                                     .converged = way.converged};
        std::ranges::sort(solution.relevant);
        for (const Index candidate : solution.relevant) {
            const Index position = posterior_.position(candidate);
            solution.weights.push_back(posterior_.weight(position));
            solution.precisions.push_back(posterior_.alpha(position));
        }
        return solution;
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
