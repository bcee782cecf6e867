// SPDX-License-Identifier: Apache-2.0
// Non-negative quadratic pursuit (NQP) is a greedy method for
//
//     min 1/2 x'Hx + c'x   subject to   x >= 0 and at most T0 non-zeros.
//
// In each turn the variable of the most negative gradient joins the support S, and the program over S alone
// is solved exactly, by the inner loop of Lawson and Hanson's non-negative least squares. The turn is undone
// where it does not lower the objective.
//
//     paper         code
//     H, c          h_, c_
//     T0            most_
//     S, x_S        now_.support, now_.values
//     g = c + Hx    gradient_
//
// References: Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative
// representation and feature selection, CIKM 2019 (whose equations 8 and 10 lack the factor 1/2 of this
// program); Lawson, Hanson, Solving least squares problems, 1974.
#include "solve/squares/nonnegative_pursuit.hpp"

#include <algorithm>
#include <cmath>

#include "matrix/growing_cholesky.hpp"

namespace dk {

namespace {

class Pursuit {
  public:
    Pursuit(const ConstMatrixRef& h, const ConstVectorRef& c, Index most)
        : h_(h), c_(c), most_(most), gradient_(c), banned_(c.size()) {
        const double largest = h.diagonal().maxCoeff();
        for (Index j = 0; j < c.size(); ++j) banned_[j] = !(h(j, j) > 1e-14 * largest);
        scale_ = c.cwiseAbs().maxCoeff();
    }

    PursuitSolution run() {
        // Every turn adds a variable or bans one, so turns end by themselves; the limit is for matrices that
        // are not semidefinite.
        const Index limit = 10 * most_ + 50;
        for (Index turn = 0; turn < limit && std::ssize(now_.support) < most_; ++turn) {
            const Index j = steepest();
            if (j < 0) break;
            if (is_dependent(j)) {
                banned_[j] = 1;
                continue;
            }
            const PursuitSolution before = now_;
            now_.support.push_back(j);
            now_.values.push_back(0);
            solve_support();
            now_.objective = objective();
            if (!(now_.objective < before.objective)) {
                now_ = before;
                banned_[j] = 1;
                continue;
            }
            renew_gradient();
        }
        return std::move(now_);
    }

  private:
    Index size() const { return std::ssize(now_.support); }

    /// Gives the variable of the most negative gradient that is neither in the support nor banned, and -1
    /// where no gradient is negative beyond rounding.
    Index steepest() const {
        Index best = -1;
        double least = -1e-9 * scale_;
        for (Index j = 0; j < gradient_.size(); ++j) {
            if (gradient_[j] >= least || banned_[j] != 0 || std::ranges::count(now_.support, j) > 0) continue;
            least = gradient_[j];
            best = j;
        }
        return best;
    }

    /// Gives H_jS for the first `count` variables of the support.
    Vector row_at_support(Index j, Index count) const {
        Vector row(count);
        for (Index s = 0; s < count; ++s) row[s] = h_(j, now_.support[s]);
        return row;
    }

    void factor_support() {
        factor_.clear();
        for (Index s = 0; s < size(); ++s) {
            const Index i = now_.support[s];
            factor_.append(row_at_support(i, s), h_(i, i), 0);
        }
    }

    /// Tells whether H_jj - H_jS H_SS^-1 H_Sj is rounding beside H_jj. Then column j depends linearly on
    /// those of the support.
    bool is_dependent(Index j) {
        if (now_.support.empty()) return false;
        factor_support();
        return !factor_.append(row_at_support(j, size()), h_(j, j), 1e-10 * h_(j, j));
    }

    /// Runs Lawson and Hanson's loop, which solves H_SS s = -c_S. While some s_i would not be positive, x_S
    /// goes towards s until the first of its elements is zero, and what has become zero leaves S.
    void solve_support() {
        while (!now_.support.empty()) {
            factor_support();
            const Vector target = factor_.solve(-c_(now_.support));
            if ((target.array() > 0).all()) {
                now_.values.assign(target.begin(), target.end());
                return;
            }
            const Index before = size();
            move_to_first_zero(target);
            // Where nothing leaves, H is not positive semidefinite. Then an empty support makes the caller
            // undo the turn.
            if (size() == before) now_ = {};
        }
    }

    /// Gives the part of the way from x to s at which a variable is zero, for one whose s is not positive.
    static double way_to_zero(double x, double s) { return x > s ? x / (x - s) : 0.0; }

    void move_to_first_zero(const Vector& target) {
        double step = 1;
        for (Index s = 0; s < size(); ++s) {
            if (target[s] <= 0) step = std::min(step, way_to_zero(now_.values[s], target[s]));
        }
        std::vector<Index> support;
        std::vector<double> values;
        for (Index s = 0; s < size(); ++s) {
            const double x = now_.values[s];
            if (target[s] <= 0 && way_to_zero(x, target[s]) <= step) continue;
            support.push_back(now_.support[s]);
            values.push_back(x + step * (target[s] - x));
        }
        now_.support = std::move(support);
        now_.values = std::move(values);
    }

    double objective() const {
        double sum = 0;
        for (Index s = 0; s < size(); ++s) {
            double product = 0;
            for (Index t = 0; t < size(); ++t)
                product += h_(now_.support[s], now_.support[t]) * now_.values[t];
            sum += now_.values[s] * (0.5 * product + c_[now_.support[s]]);
        }
        return sum;
    }

    void renew_gradient() {
        gradient_ = c_;
        for (Index s = 0; s < size(); ++s) gradient_ += now_.values[s] * h_.row(now_.support[s]).transpose();
    }

    const ConstMatrixRef& h_;
    const ConstVectorRef& c_;
    Index most_;
    double scale_ = 0;
    Vector gradient_;
    std::vector<char> banned_;  // whether a variable cannot be chosen any more
    GrowingCholesky factor_;
    PursuitSolution now_;
};

}  // namespace

PursuitSolution nonnegative_pursuit(const ConstMatrixRef& h, const ConstVectorRef& c, Index most) {
    return Pursuit(h, c, std::min(most, c.size())).run();
}

}  // namespace dk
