// SPDX-License-Identifier: Apache-2.0
#include "solve/sparse_bayes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "solve/cholesky.hpp"
#include "solve/multiply.hpp"

namespace dk {

namespace {

constexpr double bias_precision = 1e-12;  // as good as none
/// Of candidates that are used together. Nearly equal ones may be: the way to a better one leads past both.
constexpr double largest_cosine = 1 - 1e-9;
constexpr Index candidates_at_once = 64;

double dot(const double* a, const double* b, std::size_t n) {
    return std::inner_product(a, a + n, b, 0.0);
}

/// What the evidence says of one candidate, the others being as they are (Faul, Tipping, NIPS 2002): as a
/// function of its own alpha it is 1/2 (ln alpha - ln(alpha + s) + q^2 / (alpha + s)) and a constant.
struct Quality {
    double s = 0;
    double q = 0;

    double surplus() const { return q * q - s; }
    double best_alpha() const { return s * s / surplus(); }
    double evidence(double alpha) const {
        return 0.5 * (std::log(alpha / (alpha + s)) + q * q / (alpha + s));
    }
};

class SparseBayes {
  public:
    SparseBayes(const SparseBayesProgram& program, Control& control)
        : program_(program),
          control_(control),
          n_(unsigned_of(program.observations())),
          qualities_(unsigned_of(program.count)),
          active_position_(unsigned_of(program.count), -1) {
        const double mean =
            std::accumulate(program.targets.begin(), program.targets.end(), 0.0) / static_cast<double>(n_);
        for (const double t : program.targets) {
            centred_.push_back(t - mean);
            variance_ += (t - mean) * (t - mean) / static_cast<double>(n_);
        }
        noise_ = std::max(0.1 * variance_, 1e-300);
        weights_ = {bernoulli() ? std::log(mean / (1 - mean)) : mean};
    }

    SparseBayesSolution solve() {
        SparseBayesSolution solution;
        if (!(variance_ > 1e-26 * weights_[0] * weights_[0])) {  // constant targets: the bias is all
            solution.bias = weights_[0];
            solution.evidences = {0};
            solution.converged = true;
            return solution;
        }
        begin_with_most_correlated();
        while (true) {
            control_.check(static_cast<double>(solution.iterations) /
                           static_cast<double>(program_.most_iterations));
            fit();
            solution.evidences.push_back(evidence());
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
    /// A new alpha of a candidate, infinite where it goes.
    struct Change {
        Index candidate = -1;
        double alpha = 0;
        double gain = 0;
    };

    bool bernoulli() const { return program_.likelihood == SparseBayesProgram::Likelihood::bernoulli; }
    std::size_t size() const { return active_.size() + 1; }  // with the bias
    const double* column(std::size_t c) const { return program_.candidate(active_[c - 1]); }
    double precision(std::size_t c) const { return c == 0 ? bias_precision : alphas_[c - 1]; }

    void begin_with_most_correlated() {
        Index best = 0;
        double most = -1;
        for (Index j = 0; j < program_.count; ++j) {
            const double product = std::abs(dot(program_.candidate(j), centred_.data(), n_));
            if (product > most) {
                most = product;
                best = j;
            }
        }
        // the alpha that is best for a single candidate, of the noise that is assumed
        const double curvature = bernoulli() ? variance_ : 1 / noise_;
        const Quality quality{curvature, (bernoulli() ? most : most / noise_)};
        include(best, quality.surplus() > 0 ? quality.best_alpha() : quality.s);
    }

    void include(Index candidate, double alpha) {
        active_position_[unsigned_of(candidate)] = size_of(active_);
        active_.push_back(candidate);
        alphas_.push_back(alpha);
        weights_.push_back(0);
    }

    void exclude(Index candidate) {
        const Index position = active_position_[unsigned_of(candidate)];
        active_.erase(active_.begin() + position);
        alphas_.erase(alphas_.begin() + position);
        weights_.erase(weights_.begin() + position + 1);
        active_position_[unsigned_of(candidate)] = -1;
        for (std::size_t a = unsigned_of(position); a < active_.size(); ++a)
            active_position_[unsigned_of(active_[a])] = static_cast<Index>(a);
    }

    void apply(const Change& change) {
        if (std::isinf(change.alpha)) {
            exclude(change.candidate);
        } else if (active_position_[unsigned_of(change.candidate)] < 0) {
            include(change.candidate, change.alpha);
        } else {
            alphas_[unsigned_of(active_position_[unsigned_of(change.candidate)])] = change.alpha;
        }
    }

    // ---- the mode of the weights, and the curvature there

    /// Phi' diag(b) Phi + A, and its factor.
    void factor_curvature() {
        const std::size_t m = size();
        const auto order = static_cast<Index>(m);
        const auto n = static_cast<Index>(n_);
        factor_.assign(m * m, 0.0);
        std::vector<double> columns(n_, 1.0);
        for (std::size_t c = 1; c < m; ++c) columns.insert(columns.end(), column(c), column(c) + n_);
        const std::vector<double> weighted = weighted_columns();
        multiply_transposed(weighted.data(), n, order, columns.data(), n, order, n, 1, 0, factor_.data(),
                            order);
        for (std::size_t c = 0; c < m; ++c) factor_[c * m + c] += precision(c);
        const ProgressHold hold(control_);
        if (!cholesky_factor(factor_.data(), static_cast<Index>(m), control_))
            fail(Status::numerical, "the posterior of ", m, " weights has no curvature in some direction");
    }

    void find_decisions() {
        decisions_.assign(n_, weights_[0]);
        for (std::size_t c = 1; c < size(); ++c) {
            for (std::size_t i = 0; i < n_; ++i) decisions_[i] += weights_[c] * column(c)[i];
        }
    }

    /// Of the posterior, without constants.
    double log_posterior() const {
        double sum = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            const double f = decisions_[i];
            sum += program_.targets[i] * f - std::max(f, 0.0) - std::log1p(std::exp(-std::abs(f)));
        }
        for (std::size_t c = 0; c < size(); ++c) sum -= 0.5 * precision(c) * weights_[c] * weights_[c];
        return sum;
    }

    void find_residuals() {
        residuals_.resize(n_);
        curvatures_.resize(n_);
        for (std::size_t i = 0; i < n_; ++i) {
            const double p = 1 / (1 + std::exp(-decisions_[i]));
            residuals_[i] = program_.targets[i] - p;
            curvatures_[i] = std::max(p * (1 - p), 1e-300);
        }
    }

    std::vector<double> gradient() const {
        std::vector<double> out{std::accumulate(residuals_.begin(), residuals_.end(), 0.0)};
        for (std::size_t c = 1; c < size(); ++c) out.push_back(dot(residuals_.data(), column(c), n_));
        for (std::size_t c = 0; c < size(); ++c) out[c] -= precision(c) * weights_[c];
        return out;
    }

    /// Newton's method with halving.
    void find_bernoulli_mode() {
        find_decisions();
        double posterior = log_posterior();
        for (int step = 0; step < 100; ++step) {
            find_residuals();
            factor_curvature();
            std::vector<double> direction = gradient();
            const std::vector<double> slope = direction;
            const ProgressHold hold(control_);
            cholesky_solve(factor_.data(), static_cast<Index>(size()), direction.data(), control_);
            const double promised = dot(direction.data(), slope.data(), size());
            const double rounding = 1e-14 * (1 + std::abs(posterior));
            if (!(promised > 1e-4 * rounding)) return;
            const std::vector<double> before = weights_;
            double length = 1;
            double found = posterior;
            for (int half = 0; half < 40; ++half) {
                for (std::size_t c = 0; c < size(); ++c) weights_[c] = before[c] + length * direction[c];
                find_decisions();
                found = log_posterior();
                if (found >= posterior - rounding) break;
                length *= 0.5;
            }
            if (!(found >= posterior - rounding)) {  // rounding leaves nothing to gain
                weights_ = before;
                find_decisions();
                find_residuals();
                return;
            }
            posterior = found;
        }
        find_residuals();
        factor_curvature();
    }

    void find_gaussian_mode() {
        curvatures_.assign(n_, 1 / noise_);
        factor_curvature();
        std::vector<double> right{0};
        for (std::size_t i = 0; i < n_; ++i) right[0] += program_.targets[i] / noise_;
        for (std::size_t c = 1; c < size(); ++c)
            right.push_back(dot(program_.targets.data(), column(c), n_) / noise_);
        const ProgressHold hold(control_);
        cholesky_solve(factor_.data(), static_cast<Index>(size()), right.data(), control_);
        weights_ = right;
        find_decisions();
        residuals_.resize(n_);
        for (std::size_t i = 0; i < n_; ++i) residuals_[i] = (program_.targets[i] - decisions_[i]) / noise_;
    }

    void fit() {
        if (bernoulli()) {
            find_bernoulli_mode();
        } else {
            find_gaussian_mode();
            renew_noise();
            find_gaussian_mode();
        }
        find_covariance();
    }

    /// MacKay's estimate: the residuals' square over the observations that no weight has used up.
    void renew_noise() {
        find_covariance();
        double squares = 0;
        for (const double r : residuals_) squares += (r * noise_) * (r * noise_);
        double used = 0;
        for (std::size_t c = 0; c < size(); ++c) used += 1 - precision(c) * covariance_diagonal_[c];
        const double left = std::max(static_cast<double>(n_) - used, 1e-3);
        noise_ = std::max(squares / left, 1e-12 * std::max(variance_, 1e-280));
    }

    /// The inverse of the factor, and the diagonal of Sigma = L^-T L^-1.
    void find_covariance() {
        const std::size_t m = size();
        inverse_.assign(m * m, 0.0);
        covariance_diagonal_.assign(m, 0.0);
        for (std::size_t c = 0; c < m; ++c) {
            for (std::size_t r = c; r < m; ++r) {
                double sum = r == c ? 1 : 0;
                for (std::size_t k = c; k < r; ++k) sum -= factor_[r * m + k] * inverse_[k * m + c];
                inverse_[r * m + c] = sum / factor_[r * m + r];
                covariance_diagonal_[c] += inverse_[r * m + c] * inverse_[r * m + c];
            }
        }
    }

    // ---- what each candidate would bring

    /// B Phi for the weights in use, the bias first: size() x observations.
    std::vector<double> weighted_columns() const {
        std::vector<double> weighted(curvatures_);
        for (std::size_t c = 1; c < size(); ++c) {
            for (std::size_t i = 0; i < n_; ++i) weighted.push_back(curvatures_[i] * column(c)[i]);
        }
        return weighted;
    }

    Quality quality_of_inactive(Index j, const double* products) const {
        const double* phi = program_.candidate(j);
        double s = 0;
        for (std::size_t i = 0; i < n_; ++i) s += curvatures_[i] * phi[i] * phi[i];
        for (std::size_t r = 0; r < size(); ++r) {
            const double part = dot(inverse_.data() + r * size(), products, r + 1);
            s -= part * part;
        }
        return {s, dot(phi, residuals_.data(), n_)};
    }

    void find_qualities() {
        const ProgressHold hold(control_);
        const Index pieces = (program_.count + candidates_at_once - 1) / candidates_at_once;
        const auto m = static_cast<Index>(size());
        const auto n = static_cast<Index>(n_);
        const std::vector<double> weighted = weighted_columns();
        const auto room = [&] { return std::vector<double>(unsigned_of(candidates_at_once * m)); };
        parallel_for_with(pieces, control_, room, [&](std::vector<double>& products, Index piece) {
            const Index begin = piece * candidates_at_once;
            const Index count = std::min(candidates_at_once, program_.count - begin);
            multiply_transposed(program_.candidate(begin), n, count, weighted.data(), n, m, n, 1, 0,
                                products.data(), m);
            for (Index j = begin; j < begin + count; ++j) {
                const Index position = active_position_[unsigned_of(j)];
                if (position < 0) {
                    qualities_[unsigned_of(j)] = quality_of_inactive(j, products.data() + (j - begin) * m);
                    continue;
                }
                // of a used one, what it would be without: alpha S / (alpha - S) without its cancellation
                const double variance = covariance_diagonal_[unsigned_of(position) + 1];
                qualities_[unsigned_of(j)] = {1 / variance - alphas_[unsigned_of(position)],
                                              weights_[unsigned_of(position) + 1] / variance};
            }
        });
    }

    bool is_new_direction(Index candidate) const {
        return std::ranges::all_of(active_, [&](Index other) {
            return std::abs(dot(program_.candidate(candidate), program_.candidate(other), n_)) <=
                   largest_cosine;
        });
    }

    /// Nothing where no change is worth making.
    Change best_change() const {
        Change best;
        constexpr double least_gain = 1e-10;
        for (Index j = 0; j < program_.count; ++j) {
            const Quality& quality = qualities_[unsigned_of(j)];
            const Index position = active_position_[unsigned_of(j)];
            const bool wanted = quality.s > 0 && quality.surplus() > 1e-12 * quality.s;
            Change change{j, std::numeric_limits<double>::infinity(), 0};
            if (wanted) {
                change.alpha = quality.best_alpha();
                change.gain = quality.evidence(change.alpha);
            }
            if (position >= 0) {
                const double present = alphas_[unsigned_of(position)];
                const bool settled =
                    wanted && std::abs(std::log(change.alpha / present)) < program_.tolerance;
                if (settled) continue;
                change.gain -= quality.evidence(present);
            } else if (!wanted || change.gain < least_gain) {
                continue;
            }
            if (!wanted && active_.size() == 1) continue;  // the last one stays
            if (change.gain <= best.gain && best.candidate >= 0) continue;
            if (position < 0 && !is_new_direction(j)) continue;
            best = change;
        }
        return best;
    }

    double evidence() const {
        double log_determinant = 0;
        for (std::size_t c = 0; c < size(); ++c) log_determinant += 2 * std::log(factor_[c * size() + c]);
        double sum = -0.5 * log_determinant;
        for (const double alpha : alphas_) sum += 0.5 * std::log(alpha);
        if (bernoulli()) return sum + log_posterior() + 0.5 * bias_precision * weights_[0] * weights_[0];
        sum += 0.5 * std::log(bias_precision);
        double energy = 0;
        for (std::size_t i = 0; i < n_; ++i) energy += program_.targets[i] * residuals_[i];
        return sum - 0.5 * (static_cast<double>(n_) * std::log(2 * std::numbers::pi * noise_) + energy);
    }

    void write(SparseBayesSolution& solution) const {
        std::vector<std::size_t> order(active_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t a) { return active_[a]; });
        for (const std::size_t a : order) {
            solution.relevant.push_back(active_[a]);
            solution.weights.push_back(weights_[a + 1]);
            solution.precisions.push_back(alphas_[a]);
        }
        solution.bias = weights_[0];
        solution.noise_variance = bernoulli() ? 0 : noise_;
        solution.evidence = solution.evidences.back();
    }

    const SparseBayesProgram& program_;
    Control& control_;
    std::size_t n_;
    std::vector<double> centred_;
    double variance_ = 0;
    double noise_ = 1;
    std::vector<Quality> qualities_;
    std::vector<Index> active_position_;  // -1: not used
    std::vector<Index> active_;
    std::vector<double> alphas_;
    std::vector<double> weights_;  // the bias first
    std::vector<double> decisions_;
    std::vector<double> residuals_;   // the likelihood's gradient
    std::vector<double> curvatures_;  // B
    std::vector<double> factor_;      // L of Phi' B Phi + A
    std::vector<double> inverse_;     // L^-1
    std::vector<double> covariance_diagonal_;
};

}  // namespace

SparseBayesSolution solve_sparse_bayes(const SparseBayesProgram& program, Control& control) {
    return SparseBayes(program, control).solve();
}

}  // namespace dk
