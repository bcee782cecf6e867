// SPDX-License-Identifier: Apache-2.0
#include "solve/interior_point.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solve/cholesky.hpp"
#include "solve/feature_products.hpp"

namespace dk {

namespace {

constexpr Index least_rows = 2048;  // smaller programs are one or two working sets
constexpr Index most_features = 2000;
constexpr Index rows_a_feature = 4;
constexpr std::int64_t most_sparse_products = 200000000;  // a step, beyond which decomposition goes on
constexpr int most_steps = 200;
constexpr double accuracy = 1e-7;  // of the gap, relative to the objective
constexpr double short_of_bound = 0.995;
constexpr double at_bound = 1e-5;  // of the widest box: nearer than this is on it

using Values = std::vector<double>;
using Sums = std::array<double, 2>;  // one a group

/// The variables, the multipliers of their bounds and of the sums, and steps of them.
struct Point {
    Values b;
    Values lower;
    Values upper;
    Sums sums{};
};

class InteriorPoint {
  public:
    InteriorPoint(const BoxProgram& program, Control& control)
        : program_(program),
          control_(control),
          features_(program.gram.features(), control),
          wanted_(group_sums(program, program.start)) {
        begin();
    }

    /// False when rounding, or a program that has no interior, stops it before the optimum.
    bool solve() {
        for (int step = 0; step < most_steps; ++step) {
            control_.check(static_cast<double>(step) / most_steps);
            const double mean = complementarity();
            const double objective = observe();
            if (!std::isfinite(mean) || !std::isfinite(objective)) return false;
            const double gap = mean * static_cast<double>(2 * n());
            if (gap <= accuracy * (1 + std::abs(objective)) && residual_ <= accuracy * (1 + largest_linear_))
                return true;
            if (!prepare_system()) return false;
            const Point guess = direction(0, nullptr);
            const double reached = complementarity_after(guess, longest_step(guess));
            const double centring = std::pow(reached / mean, 3);
            const Point way = direction(centring * mean, &guess);
            const double length = std::min(1.0, short_of_bound * longest_step(way));
            if (length < 1e-8) return false;
            advance(way, length);
        }
        return false;
    }

    /// Feasible, with what is all but on a bound put on it.
    Values rounded() const {
        Values b = point_.b;
        double widest = 0;
        for (Index t = 0; t < n(); ++t) widest = std::max(widest, std::abs(at(b, t)));
        for (Index t = 0; t < n(); ++t) {
            const double near = at_bound * widest;
            if (at(b, t) - lower(t) <= near && at(point_.lower, t) > at(point_.upper, t)) {
                b[unsigned_of(t)] = lower(t);
            } else if (upper(t) - at(b, t) <= near && at(point_.upper, t) > at(point_.lower, t)) {
                b[unsigned_of(t)] = upper(t);
            }
        }
        restore_sums(program_, b);
        return b;
    }

  private:
    Index n() const { return program_.size(); }
    static double at(const Values& values, Index t) { return values[unsigned_of(t)]; }
    double lower(Index t) const { return at(program_.lower, t); }
    double upper(Index t) const { return at(program_.upper, t); }
    bool fixed(Index t) const { return lower(t) == upper(t); }
    bool has_lower(Index t) const { return !fixed(t) && std::isfinite(lower(t)); }
    bool has_upper(Index t) const { return !fixed(t) && std::isfinite(upper(t)); }
    double ridge(Index t) const { return program_.ridge.empty() ? 0 : at(program_.ridge, t); }
    std::size_t group(Index t) const { return program_.group(t); }
    bool two_groups() const { return program_.groups() == 2; }

    void begin() {
        point_.b.resize(unsigned_of(n()));
        point_.lower.assign(unsigned_of(n()), 0);
        point_.upper.assign(unsigned_of(n()), 0);
        for (Index t = 0; t < n(); ++t) {
            double& b = point_.b[unsigned_of(t)];
            if (fixed(t))
                b = lower(t);
            else if (has_lower(t) && has_upper(t))
                b = 0.5 * (lower(t) + upper(t));
            else if (has_lower(t))
                b = lower(t) + 1;
            else if (has_upper(t))
                b = upper(t) - 1;
            largest_linear_ = std::max(largest_linear_, std::abs(at(program_.linear, t)));
        }
        observe();
        double largest = largest_linear_;
        for (const double g : gradient_) largest = std::max(largest, std::abs(g));
        for (Index t = 0; t < n(); ++t) {
            if (has_lower(t)) point_.lower[unsigned_of(t)] = largest;
            if (has_upper(t)) point_.upper[unsigned_of(t)] = largest;
        }
    }

    /// One value a row from one a variable.
    Values by_row(const Values& values) const {
        Values sums(unsigned_of(features_.rows()));
        for (Index t = 0; t < n(); ++t) sums[unsigned_of(program_.row(t))] += at(values, t);
        return sums;
    }

    /// Gradient and residuals at the point; its objective.
    double observe() {
        const Values products = features_.times(features_.transposed_times(by_row(point_.b)));
        gradient_.resize(unsigned_of(n()));
        residual_ = 0;
        missing_ = wanted_;
        double objective = 0;
        for (Index t = 0; t < n(); ++t) {
            const double b = at(point_.b, t);
            const double q = at(products, program_.row(t)) + ridge(t) * b;
            gradient_[unsigned_of(t)] = q + at(program_.linear, t);
            objective += b * (0.5 * q + at(program_.linear, t));
            missing_[group(t)] -= b;
            if (!fixed(t)) residual_ = std::max(residual_, std::abs(dual_residual(t)));
        }
        return objective;
    }

    /// What the gradient lacks to be that of the multipliers.
    double dual_residual(Index t) const {
        return at(point_.lower, t) - at(point_.upper, t) + point_.sums[group(t)] - at(gradient_, t);
    }

    double complementarity_after(const Point& way, double length) const {
        double sum = 0;
        double count = 0;
        for (Index t = 0; t < n(); ++t) {
            const double b = at(point_.b, t) + length * at(way.b, t);
            if (has_lower(t)) sum += (b - lower(t)) * (at(point_.lower, t) + length * at(way.lower, t));
            if (has_upper(t)) sum += (upper(t) - b) * (at(point_.upper, t) + length * at(way.upper, t));
            count += (has_lower(t) ? 1 : 0) + (has_upper(t) ? 1 : 0);
        }
        return sum / count;
    }
    double complementarity() const {
        const Values none(unsigned_of(n()));
        return complementarity_after({none, none, none}, 0);
    }

    /// M = Q + D with D from the bounds, as the inverse that the identity of Sherman, Morrison and Woodbury
    /// gives: W - W F (I + F' W F)^-1 F' W, W = D^-1; and what the sums need.
    bool prepare_system() {
        inverse_.resize(unsigned_of(n()));
        for (Index t = 0; t < n(); ++t) {
            double d = ridge(t);
            if (has_lower(t)) d += at(point_.lower, t) / (at(point_.b, t) - lower(t));
            if (has_upper(t)) d += at(point_.upper, t) / (upper(t) - at(point_.b, t));
            inverse_[unsigned_of(t)] = fixed(t) ? 0 : 1 / d;
        }
        factor_ = features_.weighted_square(by_row(inverse_));
        const Index d = features_.dimension();
        for (Index j = 0; j < d; ++j) factor_[unsigned_of(j * d + j)] += 1;
        const ProgressHold hold(control_);
        if (!cholesky_factor(factor_.data(), d, control_)) return false;
        for (std::size_t g = 0; g < (two_groups() ? 2 : 1); ++g) {
            Values member(unsigned_of(n()));
            for (Index t = 0; t < n(); ++t) member[unsigned_of(t)] = group(t) == g ? 1 : 0;
            response_[g] = system_solution(std::move(member));
            reaction_[g] = sums_of(response_[g]);
        }
        return true;
    }

    /// M^-1 r
    Values system_solution(Values r) const {
        for (Index t = 0; t < n(); ++t) r[unsigned_of(t)] *= at(inverse_, t);
        Values small = features_.transposed_times(by_row(r));
        {
            const ProgressHold hold(control_);
            cholesky_solve(factor_.data(), features_.dimension(), small.data(), control_);
        }
        const Values back = features_.times(small);
        for (Index t = 0; t < n(); ++t) r[unsigned_of(t)] -= at(inverse_, t) * at(back, program_.row(t));
        return r;
    }

    Sums sums_of(const Values& values) const {
        Sums sums{};
        for (Index t = 0; t < n(); ++t) sums[group(t)] += at(values, t);
        return sums;
    }

    /// The multipliers whose responses add up to these sums.
    Sums multipliers_for(const Sums& sums) const {
        if (!two_groups()) return {sums[0] / reaction_[0][0], 0};
        const double determinant = reaction_[0][0] * reaction_[1][1] - reaction_[0][1] * reaction_[1][0];
        return {(sums[0] * reaction_[1][1] - sums[1] * reaction_[1][0]) / determinant,
                (sums[1] * reaction_[0][0] - sums[0] * reaction_[0][1]) / determinant};
    }

    /// Newton's step towards complementary products of `target`; `guess` gives their second-order terms.
    Point direction(double target, const Point* guess) const {
        Point way{Values(unsigned_of(n())), Values(unsigned_of(n())), Values(unsigned_of(n()))};
        for (Index t = 0; t < n(); ++t) {
            if (has_lower(t)) {
                const double second = guess != nullptr ? at(guess->b, t) * at(guess->lower, t) : 0;
                way.lower[unsigned_of(t)] =
                    (target - second) / (at(point_.b, t) - lower(t)) - at(point_.lower, t);
            }
            if (has_upper(t)) {
                const double second = guess != nullptr ? at(guess->b, t) * at(guess->upper, t) : 0;
                way.upper[unsigned_of(t)] =
                    (target + second) / (upper(t) - at(point_.b, t)) - at(point_.upper, t);
            }
            way.b[unsigned_of(t)] = dual_residual(t) + at(way.lower, t) - at(way.upper, t);
        }
        way.b = system_solution(std::move(way.b));
        Sums lacking = sums_of(way.b);
        for (std::size_t g = 0; g < 2; ++g) lacking[g] = missing_[g] - lacking[g];
        way.sums = multipliers_for(lacking);
        for (Index t = 0; t < n(); ++t) {
            double& b = way.b[unsigned_of(t)];
            for (std::size_t g = 0; g < (two_groups() ? 2 : 1); ++g) b += way.sums[g] * at(response_[g], t);
            if (has_lower(t))
                way.lower[unsigned_of(t)] -= at(point_.lower, t) / (at(point_.b, t) - lower(t)) * b;
            if (has_upper(t))
                way.upper[unsigned_of(t)] += at(point_.upper, t) / (upper(t) - at(point_.b, t)) * b;
        }
        return way;
    }

    /// How far the way stays inside all bounds, at most 1 / short_of_bound.
    double longest_step(const Point& way) const {
        double longest = 1 / short_of_bound;
        const auto limit = [&](double value, double move) {
            if (move < 0) longest = std::min(longest, -value / move);
        };
        for (Index t = 0; t < n(); ++t) {
            if (has_lower(t)) {
                limit(at(point_.b, t) - lower(t), at(way.b, t));
                limit(at(point_.lower, t), at(way.lower, t));
            }
            if (has_upper(t)) {
                limit(upper(t) - at(point_.b, t), -at(way.b, t));
                limit(at(point_.upper, t), at(way.upper, t));
            }
        }
        return longest;
    }

    void advance(const Point& way, double length) {
        for (std::size_t t = 0; t < point_.b.size(); ++t) {
            point_.b[t] += length * way.b[t];
            point_.lower[t] += length * way.lower[t];
            point_.upper[t] += length * way.upper[t];
        }
        for (std::size_t g = 0; g < 2; ++g) point_.sums[g] += length * way.sums[g];
    }

    const BoxProgram& program_;
    Control& control_;
    FeatureProducts features_;
    Point point_;
    Values gradient_;
    double residual_ = 0;  // the largest
    double largest_linear_ = 0;
    Sums wanted_{};
    Sums missing_{};
    Values inverse_;                  // W
    Values factor_;                   // of I + F' W F
    std::array<Values, 2> response_;  // M^-1 A', one a group
    std::array<Sums, 2> reaction_{};  // A M^-1 A'
};

}  // namespace

std::int64_t sparse_square_products(const FeatureRows& features) {
    std::int64_t sum = 0;
    for (Index i = 0; i < features.rows; ++i) {
        const std::int64_t length = features.row_offsets[i + 1] - features.row_offsets[i];
        sum += length * length;
    }
    return sum;
}

bool interior_point_suits(const FeatureRows& features) {
    if (features.values == nullptr || features.rows < least_rows || features.dimension > most_features ||
        features.rows < rows_a_feature * features.dimension)
        return false;
    return !features.sparse() || sparse_square_products(features) <= most_sparse_products;
}

std::optional<std::vector<double>> interior_start(const BoxProgram& program, Control& control) {
    if (!interior_point_suits(program.gram.features())) return std::nullopt;
    InteriorPoint method(program, control);
    if (!method.solve()) return std::nullopt;
    return method.rounded();
}

}  // namespace dk
