// SPDX-License-Identifier: Apache-2.0
#include "solve/smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dk {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double smallest_curvature = 1e-12;
constexpr int most_refreshes = 10;

/// The largest -y g over variables that can rise along y, and the smallest over those that can fall.
struct Extremes {
    double highest = -infinity;
    double lowest = infinity;
    Index highest_at = -1;

    double gap() const { return highest_at >= 0 && lowest < infinity ? highest - lowest : 0; }
};

class Smo {
  public:
    Smo(const SignedQuadraticProgram& program, const SmoOptions& options, Control& control)
        : program_(program), options_(options), control_(control), n_(program.kernel.size()) {
        limit_ = options.max_iterations > 0
                     ? options.max_iterations
                     : std::max<std::int64_t>(10000000, 100 * static_cast<std::int64_t>(n_));
        solution_.alpha = program.start;
        const auto diagonal = program.kernel.diagonal();
        curvature_.assign(diagonal.begin(), diagonal.end());
        for (std::size_t i = 0; i < program.ridge.size(); ++i) curvature_[i] += program.ridge[i];
    }

    SmoSolution solve() {
        refresh_gradient();
        const double first_gap = gap();
        // The gradient drifts by rounding; the stop is believed only for one computed anew.
        for (int refresh = 0; refresh < most_refreshes && gap() > options_.tolerance; ++refresh) {
            const auto before = solution_.iterations;
            descend(first_gap);
            refresh_gradient();
            if (solution_.iterations == limit_ || solution_.iterations == before) break;
        }
        finish();
        return std::move(solution_);
    }

  private:
    double y(Index i) const { return program_.signs[unsigned_of(i)]; }
    double& alpha(Index i) { return solution_.alpha[unsigned_of(i)]; }
    double gradient(Index i) const { return solution_.gradient[unsigned_of(i)]; }
    double upper(Index i) const { return program_.upper[unsigned_of(i)]; }
    bool can_rise_along_y(Index i) { return y(i) > 0 ? alpha(i) < upper(i) : alpha(i) > 0; }
    bool can_fall_along_y(Index i) { return y(i) > 0 ? alpha(i) > 0 : alpha(i) < upper(i); }

    /// With `sign` = 0 all variables, else those of one sign.
    Extremes extremes(double sign) {
        Extremes found;
        for (Index i = 0; i < n_; ++i) {
            if (sign != 0 && y(i) != sign) continue;
            const double value = -y(i) * gradient(i);
            if (value > found.highest && can_rise_along_y(i)) {
                found.highest = value;
                found.highest_at = i;
            }
            if (value < found.lowest && can_fall_along_y(i)) found.lowest = value;
        }
        return found;
    }

    double gap() {
        if (!program_.both_sums_fixed) return extremes(0).gap();
        return std::max(extremes(1).gap(), extremes(-1).gap());
    }

    void refresh_gradient() {
        std::vector<double> signed_alpha(unsigned_of(n_));
        for (Index i = 0; i < n_; ++i) signed_alpha[unsigned_of(i)] = y(i) * alpha(i);
        solution_.gradient.resize(unsigned_of(n_));
        program_.kernel.product(signed_alpha, solution_.gradient, control_);
        for (Index i = 0; i < n_; ++i) {
            const double ridge = program_.ridge.empty() ? 0 : program_.ridge[unsigned_of(i)];
            auto& g = solution_.gradient[unsigned_of(i)];
            g = y(i) * g + ridge * alpha(i) + program_.linear[unsigned_of(i)];
        }
    }

    void descend(double first_gap) {
        while (solution_.iterations < limit_) {
            const double sign = widest_sign();
            const Extremes found = extremes(sign);
            const double open = found.gap();
            if (open <= options_.tolerance) {
                if (!program_.both_sums_fixed || gap() <= options_.tolerance) return;
            }
            report(first_gap, open);
            const Index i = found.highest_at;
            const auto row_i = program_.kernel.row(i, control_);
            const Index j = second_index(i, found.highest, sign, row_i);
            if (j < 0) return;
            step(i, j, row_i, program_.kernel.row(j, control_));
            ++solution_.iterations;
        }
    }

    /// The sign whose variables violate optimality most, when sums over each sign are fixed; else 0.
    double widest_sign() {
        if (!program_.both_sums_fixed) return 0;
        return extremes(1).gap() >= extremes(-1).gap() ? 1 : -1;
    }

    /// The partner whose exact step with i gains most, (b^2 / a) / 2 with b the violation and a the
    /// curvature along the pair.
    Index second_index(Index i, double highest, double sign, std::span<const double> row_i) {
        Index best = -1;
        double best_gain = 0;
        for (Index t = 0; t < n_; ++t) {
            if ((sign != 0 && y(t) != sign) || !can_fall_along_y(t)) continue;
            const double violation = highest + y(t) * gradient(t);
            if (violation <= 0) continue;
            const double gain = violation * violation / pair_curvature(i, t, row_i);
            if (gain > best_gain) {
                best_gain = gain;
                best = t;
            }
        }
        return best;
    }

    double pair_curvature(Index i, Index j, std::span<const double> row_i) const {
        const double value =
            curvature_[unsigned_of(i)] + curvature_[unsigned_of(j)] - 2 * row_i[unsigned_of(j)];
        return value > smallest_curvature ? value : smallest_curvature;
    }

    /// Moves a_i along y_i by the best step and a_j against y_j, cut at the bounds.
    void step(Index i, Index j, std::span<const double> row_i, std::span<const double> row_j) {
        const double violation = -y(i) * gradient(i) + y(j) * gradient(j);
        const double room_i = y(i) > 0 ? upper(i) - alpha(i) : alpha(i);
        const double room_j = y(j) > 0 ? alpha(j) : upper(j) - alpha(j);
        const double move = std::min({violation / pair_curvature(i, j, row_i), room_i, room_j});
        const auto shift = [&](Index t, double direction, bool at_bound) {
            const double value = alpha(t) + y(t) * direction * move;
            const bool rises = y(t) * direction > 0;
            alpha(t) = at_bound ? (rises ? upper(t) : 0.0) : std::clamp(value, 0.0, upper(t));
        };
        shift(i, +1, move == room_i);
        shift(j, -1, move == room_j);
        double* g = solution_.gradient.data();
        const double* signs = program_.signs.data();
        for (Index t = 0; t < n_; ++t)
            g[t] += move * signs[t] * (row_i[unsigned_of(t)] - row_j[unsigned_of(t)]);
        if (!program_.ridge.empty()) {
            g[i] += program_.ridge[unsigned_of(i)] * y(i) * move;
            g[j] -= program_.ridge[unsigned_of(j)] * y(j) * move;
        }
    }

    /// Polls for cancel after so much work that it is answered in time and costs nothing.
    void report(double first_gap, double open) {
        work_ += 4 * n_;
        if (work_ < 200000) return;
        work_ = 0;
        const double span = std::log(std::max(first_gap / options_.tolerance, 1.0 + 1e-9));
        control_.check(std::clamp(std::log(std::max(first_gap / open, 1.0)) / span, 0.0, 1.0));
    }

    void finish() {
        for (Index i = 0; i < n_; ++i) {
            solution_.objective += 0.5 * alpha(i) * (gradient(i) + program_.linear[unsigned_of(i)]);
        }
        solution_.gap = gap();
        solution_.converged = solution_.gap <= options_.tolerance;
    }

    const SignedQuadraticProgram& program_;
    const SmoOptions& options_;
    Control& control_;
    Index n_;
    std::int64_t limit_ = 0;
    Index work_ = 0;
    std::vector<double> curvature_;
    SmoSolution solution_;
};

}  // namespace

SmoSolution solve_smo(const SignedQuadraticProgram& program, const SmoOptions& options, Control& control) {
    return Smo(program, options, control).solve();
}

double smo_offset(const SignedQuadraticProgram& program, const SmoSolution& solution) {
    double free_sum = 0;
    double free_count = 0;
    double lowest = -infinity;
    double highest = infinity;
    for (std::size_t i = 0; i < solution.alpha.size(); ++i) {
        const double y = program.signs[i];
        const double value = -y * solution.gradient[i];
        const bool at_zero = solution.alpha[i] <= 0;
        const bool at_upper = solution.alpha[i] >= program.upper[i];
        if (at_zero && at_upper) continue;  // a variable fixed by its bounds says nothing
        if (!at_zero && !at_upper) {
            free_sum += value;
            free_count += 1;
        } else if ((y > 0) == at_zero) {
            lowest = std::max(lowest, value);
        } else {
            highest = std::min(highest, value);
        }
    }
    if (free_count > 0) return free_sum / free_count;
    if (lowest == -infinity) return highest;
    if (highest == infinity) return lowest;
    return 0.5 * (lowest + highest);
}

}  // namespace dk
