// SPDX-License-Identifier: Apache-2.0
// Mehrotra's predictor-corrector method solves
//
//     min 1/2 b'Qb + c'b   subject to   l <= b <= u,   E b = s,   where Q = F F' + diag(ridge)
//
// and the row of E for a group holds ones for the variables of that group. With the gradient g = Q b + c, the
// multipliers z_l and z_u of the bounds and y of the sums, an optimal point has
//
//     g = z_l - z_u + E'y,   E b = s,   z_l (b - l) = 0,   z_u (u - b) = 0.
//
// Each step is Newton's towards products z_l (b - l) = z_u (u - b) = target in place of 0, with a target that
// falls from step to step. It needs M^-1 = (Q + D)^-1 with the diagonal D = z_l / (b - l) + z_u / (u - b),
// which the identity of Sherman, Morrison and Woodbury gives with W = (diag(ridge) + D)^-1:
//
//     M^-1 = W - W F (I + F'WF)^-1 F'W.
//
//     symbol          code
//     b, z_l, z_u, y  point_.b, point_.lower, point_.upper, point_.sums
//     l, u            lower_, upper_, which are infinite where a variable has no such bound or cannot move
//     F               features_
//     g               gradient_
//     W               inverse_
//     M^-1 E'         response_
//     E M^-1 E'       reaction_
//
// References: Mehrotra, On the implementation of a primal-dual interior point method, SIAM J. Optim. 2, 1992;
// Ferris, Munson, Interior-point methods for massive support vector machines, SIAM J. Optim. 13, 2002 (for
// Q = F F').
#include "solve/box/interior_point.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "matrix/cholesky.hpp"
#include "matrix/feature_products.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

constexpr Index least_rows = 2048;  // Smaller programs are one or two working sets anyway.
constexpr Index most_features = 2000;
constexpr Index rows_a_feature = 4;  // With fewer rows, factoring I + F'WF costs too much.
constexpr std::int64_t most_sparse_products = 200000000;  // Other methods are faster where steps need more.
constexpr int most_steps = 200;
constexpr double accuracy = 1e-7;         // the duality gap at the end, relative to the objective
constexpr double short_of_bound = 0.995;  // the share of the way to the nearest bound that a step goes
constexpr double at_bound =
    1e-5;  // A variable that is nearer to a bound than this share of the largest |b| is put on it.

using Sums = Eigen::Vector2d;  // one number for each group

/// A Point has the variables and all multipliers, or a step of them.
struct Point {
    Vector b;
    Vector lower;  // multipliers of the lower bounds
    Vector upper;  // multipliers of the upper bounds
    Sums sums = Sums::Zero();
};

class InteriorPoint {
  public:
    InteriorPoint(const BoxProgram& program, Control& control)
        : program_(program),
          control_(control),
          features_(program.gram.features(), control),
          n_(program.size()),
          linear_(as_vector(program.linear)),
          ridge_(Vector::Zero(n_)),
          lower_(as_vector(program.lower)),
          upper_(as_vector(program.upper)),
          fixed_(lower_.array() == upper_.array()),
          wanted_(sums_of(as_vector(program.start))) {
        if (!program.ridge.empty()) ridge_ = as_vector(program.ridge);
        lower_ = fixed_.select(-infinity, lower_);
        upper_ = fixed_.select(infinity, upper_);
        begin();
    }

    /// Gives false when rounding, or a program that has no interior, stops the method before the optimum.
    bool solve() {
        for (int step = 0; step < most_steps; ++step) {
            control_.check(1.0 * step / most_steps);
            const double mean = mean_product(point_);
            const double objective = observe();
            if (!std::isfinite(mean) || !std::isfinite(objective)) return false;
            const double gap = 2 * mean * n_;
            if (gap <= accuracy * (1 + std::abs(objective)) &&
                largest_residual_ <= accuracy * (1 + linear_.cwiseAbs().maxCoeff()))
                return true;
            if (!prepare_system()) return false;
            // The predictor aims at products of 0, and how far it gets tells which products the corrector
            // shall aim at.
            const Point guess = direction(0, nullptr);
            const double reached = mean_product(moved(guess, longest_step(guess)));
            const double centring = std::pow(reached / mean, 3);
            const Point way = direction(centring * mean, &guess);
            const double length = std::min(1.0, short_of_bound * longest_step(way));
            if (length < 1e-8) return false;
            point_ = moved(way, length);
        }
        return false;
    }

    /// Gives a feasible b in which variables that are all but on a bound are on it, so that decomposition
    /// does not have to move them there.
    std::vector<double> rounded() const {
        std::vector<double> b(point_.b.begin(), point_.b.end());
        const double near = at_bound * point_.b.cwiseAbs().maxCoeff();
        for (Index t = 0; t < n_; ++t) {
            if (b[t] - lower_[t] <= near && point_.lower[t] > point_.upper[t]) {
                b[t] = lower_[t];
            } else if (upper_[t] - b[t] <= near && point_.upper[t] > point_.lower[t]) {
                b[t] = upper_[t];
            }
        }
        restore_sums(program_, b);
        return b;
    }

  private:
    Index groups() const { return program_.groups() == 2 ? 2 : 1; }
    MatrixView factor() { return view(factor_.data(), features_.dimension(), features_.dimension()); }
    Vector to_lower(const Point& at) const { return at.b - lower_; }
    Vector to_upper(const Point& at) const { return upper_ - at.b; }

    Sums sums_of(const ConstVectorRef& values) const {
        Sums sums = Sums::Zero();
        for (Index t = 0; t < n_; ++t) sums[program_.group(t)] += values[t];
        return sums;
    }

    /// Begins in the middle of the bounds, with multipliers as large as the gradient.
    void begin() {
        point_.b = Vector::Zero(n_);
        for (Index t = 0; t < n_; ++t) {
            const bool has_lower = lower_[t] > -infinity;
            const bool has_upper = upper_[t] < infinity;
            if (fixed_[t]) {
                point_.b[t] = program_.lower[t];
            } else if (has_lower && has_upper) {
                point_.b[t] = 0.5 * (lower_[t] + upper_[t]);
            } else if (has_lower) {
                point_.b[t] = lower_[t] + 1;
            } else if (has_upper) {
                point_.b[t] = upper_[t] - 1;
            }
        }
        point_.lower = point_.upper = Vector::Zero(n_);
        observe();
        const double largest = std::max(linear_.cwiseAbs().maxCoeff(), gradient_.cwiseAbs().maxCoeff());
        point_.lower = (lower_.array() > -infinity).select(Vector::Constant(n_, largest), 0.0);
        point_.upper = (upper_.array() < infinity).select(Vector::Constant(n_, largest), 0.0);
    }

    /// Sums the values over the variables of each row of the matrix, since several variables may have the
    /// same row.
    std::vector<double> by_row(const Vector& values) const {
        std::vector<double> sums(features_.rows());
        for (Index t = 0; t < n_; ++t) sums[program_.row(t)] += values[t];
        return sums;
    }

    /// Gives each variable the element of its row.
    Vector of_variables(const std::vector<double>& by_rows) const {
        Vector values(n_);
        for (Index t = 0; t < n_; ++t) values[t] = by_rows[program_.row(t)];
        return values;
    }

    /// Brings the gradient and the residuals up to date, and gives the objective.
    double observe() {
        const std::vector<double> small = features_.transposed_times(by_row(point_.b));
        const Vector q = of_variables(features_.times(small)) + ridge_.cwiseProduct(point_.b);  // Q b
        gradient_ = q + linear_;
        missing_ = wanted_ - sums_of(point_.b);
        dual_residual_ = point_.lower - point_.upper - gradient_;  // z_l - z_u + E'y - g
        for (Index t = 0; t < n_; ++t) dual_residual_[t] += point_.sums[program_.group(t)];
        largest_residual_ = fixed_.select(0.0, dual_residual_.cwiseAbs()).maxCoeff();
        return point_.b.dot(0.5 * q + linear_);
    }

    /// Gives the mean of the products of multipliers with the distances to their bounds, which is 0 at the
    /// optimum.
    double mean_product(const Point& at) const {
        const auto has_lower = lower_.array() > -infinity;
        const auto has_upper = upper_.array() < infinity;
        const double sum = has_lower.select(to_lower(at).array() * at.lower.array(), 0.0).sum() +
                           has_upper.select(to_upper(at).array() * at.upper.array(), 0.0).sum();
        const double bounds = has_lower.count() + has_upper.count();
        return sum / bounds;
    }

    Point moved(const Point& way, double length) const {
        return {point_.b + length * way.b, point_.lower + length * way.lower,
                point_.upper + length * way.upper, point_.sums + length * way.sums};
    }

    /// Factors I + F'WF, and finds the response M^-1 E' of the variables to the multipliers of the sums.
    /// Gives false where there is no factor.
    bool prepare_system() {
        const Vector d = point_.lower.cwiseQuotient(to_lower(point_)) +
                         point_.upper.cwiseQuotient(to_upper(point_)) + ridge_;
        inverse_ = fixed_.select(0.0, d.cwiseInverse());
        factor_ = features_.weighted_square(by_row(inverse_));
        factor().diagonal().array() += 1;
        {
            const ProgressHold hold(control_);
            if (!cholesky_factor(factor(), control_)) return false;
        }
        for (Index g = 0; g < groups(); ++g) {
            Vector members(n_);
            for (Index t = 0; t < n_; ++t) members[t] = program_.group(t) == (g == 0 ? 0U : 1U) ? 1 : 0;
            response_[g] = system_solution(members);
            reaction_.col(g) = sums_of(response_[g]);
        }
        return true;
    }

    /// Gives M^-1 r by the identity at the head of this file.
    Vector system_solution(const Vector& r) {
        const Vector scaled = inverse_.cwiseProduct(r);
        std::vector<double> small = features_.transposed_times(by_row(scaled));
        {
            const ProgressHold hold(control_);
            cholesky_solve(factor(), as_vector(small), control_);
        }
        return scaled - inverse_.cwiseProduct(of_variables(features_.times(small)));
    }

    /// Gives Newton's step towards products of `target`. Newton's equations are linear and leave out the
    /// products of the moves themselves; the corrector takes these from the predictor's step `guess`.
    Point direction(double target, const Point* guess) {
        const Vector to_l = to_lower(point_);
        const Vector to_u = to_upper(point_);
        Vector target_lower = Vector::Constant(n_, target);
        Vector target_upper = target_lower;
        if (guess != nullptr) {
            target_lower -= guess->b.cwiseProduct(guess->lower);
            target_upper += guess->b.cwiseProduct(guess->upper);
        }
        Point way;
        way.lower = target_lower.cwiseQuotient(to_l) - point_.lower;
        way.upper = target_upper.cwiseQuotient(to_u) - point_.upper;
        way.b = system_solution(dual_residual_ + way.lower - way.upper);
        way.sums = multipliers_for(missing_ - sums_of(way.b));
        for (Index g = 0; g < groups(); ++g) way.b += way.sums[g] * response_[g];
        way.lower -= point_.lower.cwiseQuotient(to_l).cwiseProduct(way.b);
        way.upper += point_.upper.cwiseQuotient(to_u).cwiseProduct(way.b);
        return way;
    }

    /// Solves E M^-1 E'y = sums for the multipliers y.
    Sums multipliers_for(const Sums& sums) const {
        const Eigen::Matrix2d& r = reaction_;
        if (groups() == 1) return {sums[0] / r(0, 0), 0};
        const double determinant = r(0, 0) * r(1, 1) - r(0, 1) * r(1, 0);
        return Sums(sums[0] * r(1, 1) - sums[1] * r(0, 1), sums[1] * r(0, 0) - sums[0] * r(1, 0)) /
               determinant;
    }

    /// Gives how far the way stays inside all bounds, at most 1 / short_of_bound.
    double longest_step(const Point& way) const {
        double longest = 1 / short_of_bound;
        const auto limit = [&](const Vector& distance, const Vector& move) {
            for (Index t = 0; t < n_; ++t) {
                if (move[t] < 0) longest = std::min(longest, -distance[t] / move[t]);
            }
        };
        limit(to_lower(point_), way.b);
        limit(to_upper(point_), -way.b);
        limit(point_.lower, way.lower);
        limit(point_.upper, way.upper);
        return longest;
    }

    const BoxProgram& program_;
    Control& control_;
    FeatureProducts features_;
    Index n_;
    Vector linear_;  // c
    Vector ridge_;
    Vector lower_;
    Vector upper_;
    Eigen::Array<bool, Eigen::Dynamic, 1> fixed_;  // whether a variable's bounds are equal
    Sums wanted_;                                  // s
    Point point_;
    Vector gradient_;
    Vector dual_residual_;
    double largest_residual_ = 0;
    Sums missing_ = Sums::Zero();  // s - E b
    Vector inverse_;
    std::vector<double> factor_;  // the Cholesky factor of I + F'WF
    std::array<Vector, 2> response_;
    Eigen::Matrix2d reaction_ = Eigen::Matrix2d::Zero();
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
