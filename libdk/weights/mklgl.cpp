// SPDX-License-Identifier: Apache-2.0
// MKLGL learns kernel weights and a support vector machine together:
//
//     min over mu, f_k, b   1/2 sum_k |f_k|^2 / mu_k + sum_i C_i xi_i
//     subject to            xi_i >= 1 - y_i (sum_k f_k(x_i) + b),  xi >= 0,  mu >= 0,  |mu|_p <= 1
//
// It alternates between two steps. For fixed weights the machine in K = sum_k mu_k K_k has the dual solution
// alpha, with beta_i = alpha_i y_i, and |f_k| = mu_k sqrt(S_k), S_k = beta' K_k beta. For fixed |f_k| the
// weights have the closed form
//
//     (1)  mu_k = |f_k|^(2 / (1 + p)) / (sum_l |f_l|^(2p / (1 + p)))^(1/p).
//
// The program's optimum lies between the dual and the primal objective, whose difference is the duality gap:
//
//     (2)  dual   = sum_i alpha_i - 1/2 max over |mu|_p <= 1 of sum_k mu_k S_k = sum_i alpha_i - 1/2 |S|_q
//     (3)  primal = 1/2 sum_k mu_k S_k + sum_i C_i xi_i
//
// with 1/p + 1/q = 1. More than two classes have a machine for each class against the rest; the machines
// share mu, and S_k and the objectives are sums over the machines.
//
//     letters     code
//     mu_k        weights_(k)
//     p, C        p_, cost_
//     |f_k|       norms_(k)
//     beta        BinaryMachine::program.start
//     K_k beta    BinaryMachine::products[k]
//     S           energies()
//     C_i xi_i    the terms of BinaryMachine::slack
//     alpha_i     the terms of BinaryMachine::linear
//
// References: Xu, Jin, Yang, King, Lyu, Simple and efficient multiple kernel learning by group lasso, ICML
// 2010, for the program and (1); Walker, Ni, Anderson acceleration for fixed-point iterations, SIAM J. Numer.
// Anal. 49, 2011, for the mixing of steps. (2) and (3) follow from Lagrange duality.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "kernel/gram/combined_gram.hpp"
#include "solve/box/smo.hpp"
#include "solve/smooth/fixed_point.hpp"
#include "weights/strategy.hpp"

namespace dk {

namespace parameter {
constexpr RealKey norm{
    "p",
    4.0 / 3,
    {1, 1000},
    "The weights have a p-norm of at most 1: with p = 1 most of them are 0, and the larger p is, the more "
    "alike they are."};
constexpr RealKey cost{
    "C",
    0,
    {0, 1e300},
    "This is the cost C of errors in the support vector machine that learns the weights; 0 "
    "takes the C of the machine that will use the weights, or 1 where it has none."};
constexpr RealKey gap{
    "gap", 1e-3, Range::positive(),
    "Learning stops when the duality gap, divided by the objective, is at most this. The gap "
    "bounds how far the objective is from the best one."};
constexpr IntegerKey max_iterations{"max_iterations",
                                    200,
                                    {1, 1000000},
                                    "Learning stops after this many iterations, in each of which the machine "
                                    "and then the weights are found."};
}  // namespace parameter

namespace {

// Where kernels are alike and p is 1, the closed form alone takes a hundred turns, since it multiplies
// weights by the square root of what they should be multiplied by. So the last steps are mixed, and the mixed
// step goes on twice as far.
constexpr std::size_t mixed_turns = 3;
constexpr double mixed_stretch = 2;
constexpr std::int64_t plain_turns = 3;
/// No solver meets its conditions more exactly than this share of the terms in them.
constexpr double rounding = 1e-13;
/// A weight that is a smaller share of the largest one becomes 0 in the end.
constexpr double smallest_share = 1e-6;

/// Gives the weights of the closed form (1), and equal ones where every |f_k| is 0.
Vector closed_form(const Vector& norms, double p) {
    const double sum = norms.array().pow(2 * p / (1 + p)).sum();
    if (!(sum > 0)) return Vector::Constant(norms.size(), std::pow(1.0 * norms.size(), -1 / p));
    return std::pow(sum, -1 / p) * norms.array().pow(2 / (1 + p));
}

/// Divides weights by their p-norm.
Vector normalised(const Vector& weights, double p) {
    return std::pow(weights.array().pow(p).sum(), -1 / p) * weights;
}

/// Keeps a mixed step from letting a weight fall where the closed form rises, or fall to less than a tenth,
/// since a weight of 0 never rises again.
Vector restrained(const Vector& mixed, const Vector& before, const Vector& closed, double p) {
    const Vector lowest = (closed.array() >= before.array()).select(before, 0.1 * before);
    return normalised(mixed.cwiseMax(lowest), p);
}

/// Gives |S|_q, the maximum of sum_k mu_k S_k over the p-ball, in (2).
double dual_norm(const Vector& S, double p) {
    const double largest = S.maxCoeff();
    if (p == 1 || !(largest > 0)) return largest;
    const double q = p / (p - 1);
    return largest * std::pow((S.array().max(0.0) / largest).pow(q).sum(), 1 / q);
}

/// The machine of one class against the rest.
struct BinaryMachine {
    BoxProgram program;
    std::vector<std::vector<double>> products = {};
    double slack = 0;
    double linear = 0;
};

class GroupLasso {
  public:
    GroupLasso(const WeightProblem& problem)
        : problem_(problem),
          p_(problem.parameters[parameter::norm]),
          gap_(problem.parameters[parameter::gap]),
          gram_(problem.bank, problem.data, problem.budget, problem.control) {
        const Index machines = std::max<Index>(1, problem.data.labels->classes());
        problem.budget.require(8.0 * machines * problem.bank.size() * problem.data.rows(),
                               "weights=mklgl: products of every kernel and class");
        const double own = problem.parameters[parameter::cost];
        cost_ = own > 0 ? own : problem.cost;
        const Labels& labels = *problem.data.labels;
        const Index count = labels.classes() == 2 ? 1 : labels.classes();
        for (Index c = 0; c < count; ++c) machines_.push_back(new_machine(labels, count == 1 ? 1 : c));
    }

    KernelWeights run() {
        weights_ = closed_form(Vector::Ones(std::ssize(problem_.bank)), p_);
        const std::int64_t turn_limit = problem_.parameters[parameter::max_iterations];
        FixedPointMixing mixing(mixed_turns, mixed_stretch);
        Vector here;    // These are the last weights that did not raise the objective.
        Vector closed;  // This is the closed form at `here`.
        bool mixed = false;
        bool converged = false;
        std::int64_t iteration = 0;
        while (true) {
            solve_machines(1.0 * iteration / turn_limit);
            const bool rises = !primal_.empty() && primal_objective() > primal_.back();
            if (rises) tighten(0.3);
            const bool higher = mixed && rises;
            if (higher) {
                mixing.restart();
            } else {
                note_objectives();
                here = weights_;
                closed = closed_form(norms_, p_);
                mixing.add(as_span(here), as_span(closed));
            }
            converged = present_gap() <= gap_;
            if (converged || ++iteration >= turn_limit) break;
            mixed = !higher && iteration >= plain_turns;
            weights_ = mixed ? restrained(as_vector(mixing.next()), here, closed, p_) : closed;
        }
        weights_ = here;
        return result(iteration, converged);
    }

  private:
    BinaryMachine new_machine(const Labels& labels, Index positive) {
        BinaryMachine machine{.program = zero_program(gram_, problem_.data.rows())};
        for (std::size_t i = 0; i < labels.of_rows.size(); ++i) {
            const double sign = labels.of_rows[i] == positive ? 1 : -1;
            const double weight = problem_.data.sample_weights.empty() ? 1 : problem_.data.sample_weights[i];
            machine.program.linear[i] = -sign;
            (sign > 0 ? machine.program.upper[i] : machine.program.lower[i]) = sign * cost_ * weight;
        }
        machine.products.assign(problem_.bank.size(), std::vector<double>(labels.of_rows.size()));
        return machine;
    }

    /// Solves the machines of the present weights so exactly that their part of the gap is at most half of
    /// the weights' part. With a large C slight errors of a solution make much slack.
    void solve_machines(double done) {
        const ProgressScope scope(problem_.control, done, done);
        gram_.set_weights(as_span(weights_));
        while (true) {
            for (BinaryMachine& machine : machines_) solve(machine);
            const Vector S = energies();
            const double of_weights = 0.5 * (dual_norm(S, p_) - weights_.dot(S));
            double of_machines = weights_.dot(S);
            for (const BinaryMachine& machine : machines_) of_machines += machine.slack - machine.linear;
            const bool fine =
                of_machines <= 0.5 * of_weights || of_machines + of_weights <= gap_ * primal_objective();
            if (fine || !tighten(0.1)) return;
        }
    }

    /// Makes the tolerance of the machines smaller; gives false where rounding does not allow it.
    bool tighten(double factor) {
        double least = rounding;
        for (const BinaryMachine& machine : machines_) least = std::max(least, rounding * machine.linear);
        if (tolerance_ <= least) return false;
        tolerance_ = std::max(factor * tolerance_, least);
        return true;
    }

    void solve(BinaryMachine& machine) {
        auto& product = machine.program.start_product;
        product.assign(gram_.size(), 0.0);
        for (Index k = 0; k < weights_.size(); ++k)
            as_vector(product) += weights_(k) * as_vector(machine.products[k]);
        const SmoSolution solved =
            solve_smo(machine.program, {.tolerance = tolerance_, .max_iterations = 0}, problem_.control);
        move_to(machine, solved);
        const double offset = smo_offset(machine.program, solved);
        machine.slack = 0;
        machine.linear = 0;
        for (std::size_t i = 0; i < solved.beta.size(); ++i) {
            const double sign = -machine.program.linear[i];
            const double cost = machine.program.upper[i] - machine.program.lower[i];
            // The descent is y_i minus the decision function at row i without its offset.
            machine.slack += cost * std::max(0.0, sign * (solved.descent[i] - offset));
            machine.linear += std::abs(solved.beta[i]);
        }
    }

    /// Makes the solution the machine's start and updates the products K_k beta by the elements that changed.
    void move_to(BinaryMachine& machine, const SmoSolution& solved) {
        std::vector<Index> moved;
        std::vector<double> moves;
        for (std::size_t i = 0; i < solved.beta.size(); ++i) {
            if (solved.beta[i] == machine.program.start[i]) continue;
            moved.push_back(i);
            moves.push_back(solved.beta[i] - machine.program.start[i]);
        }
        machine.program.start = solved.beta;
        if (moved.empty()) return;
        for (Index k = 0; k < gram_.kernels(); ++k)
            gram_.kernel(k).add_product(moved, moves, machine.products[k], problem_.control);
    }

    /// Gives S, the sum of beta' K_k beta over all machines for each kernel.
    Vector energies() const {
        Vector S = Vector::Zero(weights_.size());
        for (const BinaryMachine& machine : machines_) {
            for (Index k = 0; k < S.size(); ++k)
                S(k) += as_vector(machine.program.start).dot(as_vector(machine.products[k]));
        }
        return S;
    }

    /// Gives the duality gap as a share of the primal objective, and 1 before there is one.
    double present_gap() const {
        return primal_.empty() || primal_.back() <= 0 ? 1 : (primal_.back() - dual_) / primal_.back();
    }

    /// Computes (3).
    double primal_objective() const {
        double primal = 0.5 * weights_.dot(energies());
        for (const BinaryMachine& machine : machines_) primal += machine.slack;
        return primal;
    }

    /// Computes |f_k|, (2) and (3) for the present weights.
    void note_objectives() {
        const Vector S = energies();
        norms_ = weights_.array() * S.array().max(0.0).sqrt();
        dual_ = -0.5 * dual_norm(S, p_);
        for (const BinaryMachine& machine : machines_) dual_ += machine.linear;
        primal_.push_back(primal_objective());
        gaps_.push_back(present_gap());
    }

    KernelWeights result(std::int64_t iterations, bool converged) {
        weights_ = (weights_.array() < smallest_share * weights_.maxCoeff()).select(0.0, weights_);
        const Vector shares = weights_ / weights_.sum();
        weights_ = normalised(weights_, p_);
        KernelWeights found;
        found.weights.assign(weights_.begin(), weights_.end());
        found.report.add("share", std::vector<double>(shares.begin(), shares.end()))
            .add("norms", std::vector<double>(norms_.begin(), norms_.end()))
            .add("C", cost_)
            .add("objective", primal_.back())
            .add("gap", present_gap())
            .add("iterations", iterations)
            .add("converged", converged)
            .add("objectives", primal_)
            .add("gaps", gaps_);
        return found;
    }

    const WeightProblem& problem_;
    double p_;
    double gap_;
    double cost_ = 1;
    double tolerance_ = 0.05;  // The machines' optimality conditions are met to this.
    CombinedGram gram_;
    std::vector<BinaryMachine> machines_;
    Vector weights_;
    Vector norms_;                // These belong to the last weights that did not raise the objective.
    std::vector<double> primal_;  // It has the objective after each turn that did not raise it.
    std::vector<double> gaps_;
    double dual_ = 0;
};

}  // namespace

WeightStrategy mklgl_strategy() {
    return {
        .name = "mklgl",
        .doc =
            "MKLGL learns the weights together with a support vector machine: among all weights whose p-norm "
            "is at most 1, it finds those with which the machine has the smallest objective.",
        .reference =
            "Xu, Jin, Yang, King, Lyu, Simple and efficient multiple kernel learning by group "
            "lasso, ICML 2010",
        .arguments = "",
        .parameters = {parameter::norm, parameter::cost, parameter::gap, parameter::max_iterations},
        .normalises = true,
        .needs = Knowledge::classes,
        .check = nullptr,
        .weigh = [](const WeightProblem& problem) {
            if (!problem.data.labels)
                fail(Status::unsupported, "weights=mklgl compares classes; this machine learns from none");
            return GroupLasso(problem).run();
        }};
}

}  // namespace dk
