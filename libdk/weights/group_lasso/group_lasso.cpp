// SPDX-License-Identifier: Apache-2.0
// MKLGL learns kernel weights and a machine together. Of a support vector machine, for example,
//
//     min over mu, f_k, b   1/2 sum_k |f_k|^2 / mu_k + sum_i C_i xi_i
//     subject to            xi_i >= 1 - y_i (sum_k f_k(x_i) + b),  xi >= 0,  mu >= 0,  |mu|_p <= 1
//
// It alternates between two steps. For fixed weights the machine in K = sum_k mu_k K_k has the dual solution
// v, and |f_k| = mu_k sqrt(S_k), S_k = v'K_k v. For fixed |f_k| the weights have the closed form
//
//     (1)  mu_k = |f_k|^(2 / (1 + p)) / (sum_l |f_l|^(2p / (1 + p)))^(1/p).
//
// The program's optimum lies between the dual and the primal objective, whose difference is the duality gap:
//
//     (2)  dual   = linear(v) - 1/2 max over |mu|_p <= 1 of sum_k mu_k S_k = linear(v) - 1/2 |S|_q
//     (3)  primal = 1/2 sum_k mu_k S_k + errors
//
// with 1/p + 1/q = 1. The terms linear(v) and errors are those of the machine's own loss; they do not depend
// on the weights, so that all else is the same for every loss (bank_machines.cpp). More than two classes have
// a machine for each class against the rest; the machines share mu, and S_k and the objectives are sums over
// them.
//
//     letters     code
//     mu_k        weights_(k)
//     p           p_
//     |f_k|       norms_(k)
//     v           of BankMachines
//     S           BankMachines::energies()
//
// References: Xu, Jin, Yang, King, Lyu, Simple and efficient multiple kernel learning by group lasso, ICML
// 2010, for the program and (1); Walker, Ni, Anderson acceleration for fixed-point iterations, SIAM J. Numer.
// Anal. 49, 2011, for the mixing of steps. (2) and (3) follow from Lagrange duality.
#include "weights/group_lasso/group_lasso.hpp"

#include <algorithm>
#include <cmath>

#include "solve/smooth/fixed_point.hpp"

namespace dk {

Vector closed_form_weights(const Vector& norms, double p) {
    const double sum = norms.array().pow(2 * p / (1 + p)).sum();
    if (!(sum > 0)) return Vector::Constant(norms.size(), std::pow(1.0 * norms.size(), -1 / p));
    return std::pow(sum, -1 / p) * norms.array().pow(2 / (1 + p));
}

Vector of_norm_one(const Vector& weights, double p) {
    return std::pow(weights.array().pow(p).sum(), -1 / p) * weights;
}

double dual_norm(const Vector& S, double p) {
    const double largest = S.maxCoeff();
    if (p == 1 || !(largest > 0)) return largest;
    const double q = p / (p - 1);
    return largest * std::pow((S.array().max(0.0) / largest).pow(q).sum(), 1 / q);
}

namespace {

// Where kernels are alike and p is 1, the closed form alone takes a hundred turns, since it multiplies
// weights by the square root of what they should be multiplied by. So the last steps are mixed, and the mixed
// step goes on twice as far.
constexpr std::size_t mixed_turns = 3;
constexpr double mixed_stretch = 2;
constexpr std::int64_t plain_turns = 3;
/// No solver meets its conditions more exactly than this share of the terms in them.
constexpr double rounding = 1e-13;

/// Keeps a mixed step from letting a weight fall where the closed form rises, or fall to less than a tenth,
/// since a weight of 0 never rises again.
Vector restrained(const Vector& mixed, const Vector& before, const Vector& closed, double p) {
    const Vector lowest = (closed.array() >= before.array()).select(before, 0.1 * before);
    return of_norm_one(mixed.cwiseMax(lowest), p);
}

class GroupLasso {
  public:
    GroupLasso(BankMachines& machines, const GroupLassoOptions& options, Control& control)
        : machines_(machines),
          control_(control),
          p_(options.norm),
          gap_(options.gap),
          turn_limit_(options.most_turns),
          weights_(options.start) {}

    GroupLassoSolution run() {
        FixedPointMixing mixing(mixed_turns, mixed_stretch);
        Vector here;    // These are the last weights that did not raise the objective.
        Vector closed;  // This is the closed form at `here`.
        bool mixed = false;
        bool converged = false;
        std::int64_t iteration = 0;
        while (true) {
            solve_machines(1.0 * iteration / turn_limit_);
            const bool rises = !primal_.empty() && primal_objective() > primal_.back();
            if (rises) tighten(0.3);
            const bool higher = mixed && rises;
            if (higher) {
                mixing.restart();
            } else {
                note_objectives();
                here = weights_;
                closed = closed_form_weights(norms_, p_);
                mixing.add(as_span(here), as_span(closed));
            }
            converged = present_gap() <= gap_;
            if (converged || ++iteration >= turn_limit_) break;
            mixed = !higher && iteration >= plain_turns;
            weights_ = mixed ? restrained(as_vector(mixing.next()), here, closed, p_) : closed;
        }
        return {.weights = here,
                .norms = norms_,
                .objectives = primal_,
                .gaps = gaps_,
                .turns = iteration,
                .converged = converged};
    }

  private:
    /// Solves the machines of the present weights so exactly that their part of the gap is at most half of
    /// the weights' part. With a large C slight errors of a solution make much slack.
    void solve_machines(double done) {
        const ProgressScope scope(control_, done, done);
        while (true) {
            machines_.solve(weights_, tolerance_);
            if (machines_.exact()) return;
            const Vector S = machines_.energies();
            const double of_weights = 0.5 * (dual_norm(S, p_) - weights_.dot(S));
            const double of_machines = weights_.dot(S) + machines_.errors() - machines_.linear();
            const bool fine = of_machines <= 0.5 * of_weights ||
                              of_machines + of_weights <= gap_ * std::abs(primal_objective());
            if (fine || !tighten(0.1)) return;
        }
    }

    /// Makes the tolerance of the machines smaller; gives false where rounding does not allow it.
    bool tighten(double factor) {
        const double least = rounding * std::max(1.0, machines_.largest_linear());
        if (tolerance_ <= least) return false;
        tolerance_ = std::max(factor * tolerance_, least);
        return true;
    }

    /// Gives the duality gap as a share of the primal objective, and 1 before there is one.
    double present_gap() const {
        return primal_.empty() || primal_.back() == 0 ? 1
                                                      : (primal_.back() - dual_) / std::abs(primal_.back());
    }

    /// Computes (3).
    double primal_objective() const { return 0.5 * weights_.dot(machines_.energies()) + machines_.errors(); }

    /// Computes |f_k|, (2) and (3) for the present weights.
    void note_objectives() {
        const Vector S = machines_.energies();
        norms_ = weights_.array() * S.array().max(0.0).sqrt();
        dual_ = machines_.linear() - 0.5 * dual_norm(S, p_);
        primal_.push_back(primal_objective());
        gaps_.push_back(present_gap());
    }

    BankMachines& machines_;
    Control& control_;
    double p_;
    double gap_;
    std::int64_t turn_limit_;
    double tolerance_ = 0.05;  // The machines' optimality conditions are met to this.
    Vector weights_;
    Vector norms_;                // These belong to the last weights that did not raise the objective.
    std::vector<double> primal_;  // It has the objective after each turn that did not raise it.
    std::vector<double> gaps_;
    double dual_ = 0;
};

}  // namespace

GroupLassoSolution solve_group_lasso(BankMachines& machines, const GroupLassoOptions& options,
                                     Control& control) {
    return GroupLasso(machines, options, control).run();
}

}  // namespace dk
