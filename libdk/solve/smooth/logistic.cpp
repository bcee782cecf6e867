// SPDX-License-Identifier: Apache-2.0
// Logistic regression in the feature space of a kernel, for y_i = +-1 and f_i = w.phi_i + b,
//
//     min over w, b of   P = 1/2 |w|^2 + sum_i C_i log(1 + exp(-y_i f_i)),
//
// has the dual, where a_i = |v_i| / C_i,
//
//     max over v of   D = -1/2 |sum_i v_i phi_i|^2 - sum_i C_i (a_i log a_i + (1 - a_i) log(1 - a_i))
//     subject to      sum_i v_i = 0,   0 <= y_i v_i <= C_i.
//
// Newton's method replaces the costs by their second-order approximation at f, which makes each step a ridge
// regression with the weights D_i = C_i p_i (1 - p_i), p_i = 1 / (1 + exp(y_i f_i)). It goes the whole way
// there or half of it, a quarter, ..., whichever is the first that lowers P. For each w, b is the best, at
// which the slope of P in b vanishes: then v_i = C_i y_i p_i is feasible in the dual. At the optimum w =
// sum_i v_i phi_i. P - D of the function that is kept, an expansion in rows, tells how far from the optimum
// it is at most.
//
//     letters      code
//     y, C         rows.signs, rows.costs
//     f, b         space.values() + offset_, offset_
//     v, D_i       LogisticPoint::v, LogisticPoint::curvatures
//
// S. Keerthi, K. Duan, S. Shevade, A. Poo, A fast dual algorithm for kernel logistic regression, Machine
// Learning 61, 2005 (the dual); T. Hastie, R. Tibshirani, J. Friedman, The elements of statistical learning,
// 2009, section 4.4.1 (Newton's method).
#include "solve/smooth/logistic.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace dk {

namespace {

/// Computes log(1 + exp(x)).
double softplus(double x) {
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

/// Computes 1 / (1 + exp(-x)).
double sigmoid(double x) {
    const double e = std::exp(-std::abs(x));
    return (x < 0 ? e : 1) / (1 + e);
}

/// A function is judged where the point is so near the optimum, in units of the gap that is asked for.
constexpr double worth_judging = 100;
constexpr int most_idle_steps = 4;

/// A row's curvature is at least this share of its cost, so that it can be divided by. A step with a larger
/// curvature still lowers P.
constexpr double least_curvature = 1e-12;

class Logistic {
  public:
    Logistic(LogisticSpace& space, const LogisticRows& rows, const LogisticOptions& options, Control& control)
        : space_(space), rows_(rows), options_(options), control_(control) {
        for (const double cost : rows.costs) all_costs_ += cost;
    }

    LogisticSolution solve() {
        find_offset(space_.values());
        std::int64_t steps = 0;
        double dual = 0;
        while (true) {
            const ProgressScope scope(control_, 1 - std::pow(0.7, steps), 1 - std::pow(0.7, steps + 1));
            const LogisticPoint point = point_at(space_.values());
            const Eigen::Array2d sums = cost_and_entropy(space_.values());
            const double objective = space_.half_length(0) + sums[0];
            dual = sums[1] - 0.5 * space_.look_at(point);
            if (!std::isfinite(objective) || !std::isfinite(dual))
                fail(Status::numerical, "loss=logistic: values of the kernel overflow; scale the data");
            const bool near = objective - dual <= worth_judging * options_.gap * std::abs(objective);
            if (near && judge_expansion(dual)) break;
            if (steps >= options_.most_steps || idle_steps_ >= most_idle_steps) break;
            space_.propose();
            if (take_step(objective)) {
                ++steps;
            } else if (!space_.refine()) {
                break;
            }
        }
        if (best_.coefficients.empty()) judge_expansion(dual);
        best_.steps = steps;
        return std::move(best_);
    }

  private:
    double margin(const Vector& values, Index i) const { return rows_.signs[i] * (values[i] + offset_); }

    /// Sums terms(i) over all rows, on all threads. Rows are summed by pieces, and these in their order, so
    /// that the bits do not depend on the number of threads.
    template <typename Terms>
    Eigen::Array2d sum_over_rows(Terms terms) const {
        constexpr Index rows_a_piece = 8192;
        const Index n = std::ssize(rows_.signs);
        std::vector<Eigen::Array2d> sums((n + rows_a_piece - 1) / rows_a_piece, Eigen::Array2d::Zero());
        const ProgressHold hold(control_);
        parallel_for(std::ssize(sums), 16.0 * n, control_, [&](Index piece) {
            const Index end = std::min(n, (piece + 1) * rows_a_piece);
            for (Index i = piece * rows_a_piece; i < end; ++i) sums[piece] += terms(i);
        });
        Eigen::Array2d all = Eigen::Array2d::Zero();
        for (const Eigen::Array2d& sum : sums) all += sum;
        return all;
    }

    /// Computes what the rows cost, and - sum_i C_i (a_i log a_i + (1 - a_i) log(1 - a_i)).
    Eigen::Array2d cost_and_entropy(const Vector& values) const {
        return sum_over_rows([&](Index i) {
            const double m = margin(values, i);
            const double cost = softplus(-m);
            const double p = sigmoid(-m);
            return Eigen::Array2d(rows_.costs[i] * Eigen::Array2d(cost, p * (m + cost) + (1 - p) * cost));
        });
    }

    LogisticPoint point_at(const Vector& values) const {
        const Index n = values.size();
        LogisticPoint point{Vector(n), Vector(n), Vector(n)};
        parallel_for_rows(n, 16, control_, [&](Index i) {
            const double p = sigmoid(-margin(values, i));
            point.v[i] = rows_.costs[i] * rows_.signs[i] * p;
            point.curvatures[i] = rows_.costs[i] * std::max(p * (1 - p), least_curvature);
            point.right[i] = point.curvatures[i] * (values[i] + offset_) + point.v[i];
        });
        return point;
    }

    /// Finds the best offset for these values: by Newton's steps, none of which goes far, in the bracket that
    /// the signs of slopes leave.
    void find_offset(const Vector& values) {
        double low = -infinity;
        double high = infinity;
        constexpr int most_steps = 200;
        constexpr double exact = 1e-14;  // Sums of many rows are not known better.
        for (int step = 0; step < most_steps; ++step) {
            control_.check();
            const Eigen::Array2d sums = sum_over_rows([&](Index i) {
                const double p = sigmoid(-margin(values, i));
                return Eigen::Array2d(rows_.costs[i] * Eigen::Array2d(-rows_.signs[i] * p, p * (1 - p)));
            });
            const double slope = sums[0];
            const double curvature = sums[1];
            if (std::abs(slope) <= exact * all_costs_) return;
            (slope < 0 ? low : high) = offset_;
            const double farthest = 1 + std::abs(offset_);
            double next = offset_ - std::clamp(slope / curvature, -farthest, farthest);
            if (!(next > low && next < high)) next = 0.5 * (low + high);
            if (!(next > low && next < high) || next == offset_) return;
            offset_ = next;
        }
    }

    /// Judges the function that a model would have, with the offset that is best for it, and keeps the best
    /// one. Tells whether it is good enough.
    bool judge_expansion(double dual) {
        const LogisticSpace::Expansion found = space_.expansion();
        const double of_point = offset_;
        find_offset(found.values);
        const double objective = found.half_length + cost_and_entropy(found.values)[0];
        const double gap = objective == 0 ? 0 : (objective - dual) / std::abs(objective);
        ++idle_steps_;
        if (objective < best_.objective || best_.coefficients.empty()) {
            idle_steps_ = 0;
            best_.coefficients.assign(found.coefficients.begin(), found.coefficients.end());
            best_.offset = offset_;
            best_.objective = objective;
            best_.gap = gap;
            best_.converged = std::abs(gap) <= options_.gap;
        }
        offset_ = of_point;
        return best_.converged;
    }

    /// Goes towards what the space proposes; false where rounding leaves nothing to gain. Near the optimum P
    /// is flat, and a whole step that raises it by its rounding may still be one towards it.
    bool take_step(double present) {
        constexpr double rounding = 1e-13;
        constexpr int most_halvings = 20;
        const double before = offset_;
        for (int halvings = 0; halvings < most_halvings; ++halvings) {
            const double step = std::ldexp(1.0, -halvings);
            const Vector values = space_.values() + step * (space_.proposed_values() - space_.values());
            find_offset(values);
            const double objective = space_.half_length(step) + cost_and_entropy(values)[0];
            if (objective < present ||
                (halvings == 0 && objective <= present + rounding * std::abs(present))) {
                space_.move(step);
                return true;
            }
            offset_ = before;
        }
        return false;
    }

    LogisticSpace& space_;
    const LogisticRows& rows_;
    const LogisticOptions& options_;
    Control& control_;
    double all_costs_ = 0;
    double offset_ = 0;
    LogisticSolution best_;
    int idle_steps_ = 0;  // judgements since the last that found a better function
};

}  // namespace

LogisticSolution solve_logistic(LogisticSpace& space, const LogisticRows& rows,
                                const LogisticOptions& options, Control& control) {
    return Logistic(space, rows, options, control).solve();
}

}  // namespace dk
