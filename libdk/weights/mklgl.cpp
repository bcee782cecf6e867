// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "kernel/gram/combined_gram.hpp"
#include "solve/box/smo.hpp"
#include "solve/smooth/fixed_point.hpp"
#include "weights/strategy.hpp"

namespace dk {

namespace parameter {
constexpr RealKey norm{
    "p", 4.0 / 3, {1, 1000}, "The norm of the weights, which is at most 1; p = 1 is sparse."};
constexpr RealKey cost{
    "C", 0, {0, 1e300}, "The cost of slack; 0 is the machine's own C, or 1 where it has none."};
constexpr RealKey gap{"gap", 1e-3, Range::positive(),
                      "The duality gap, as a share of the objective, at which learning stops."};
constexpr IntegerKey max_iterations{
    "max_iterations", 200, {1, 1000000}, "The limit of turns of machines and weights."};
}  // namespace parameter

namespace {

// MKLGL (Xu, Jin, Yang, King, Lyu, Simple and efficient multiple kernel learning by group lasso, ICML 2010):
//
//     min over mu of   the optimum of the support vector machine in sum_k mu_k K_k
//     subject to       mu >= 0, |mu|_p <= 1
//
// Turns alternate between a machine in the present kernel and the closed form for mu. With more than two
// classes the machines of each class against the rest share one mu.
//
//     mu_k           weights_[k]
//     p, C           p_, cost_
//     f_k            the part of the decision function that kernel k has; norms_[k] is |f_k|
//     alpha_i y_i    beta of a machine's program
//     xi_i           the slack of row i; BinaryMachine::slack is sum_i C_i xi_i

/// sum_k |f_k|^2 / mu_k is least over the p-ball at mu_k ~ |f_k|^(2 / (1 + p)).
std::vector<double> weights_from_norms(const std::vector<double>& norms, double p) {
    double sum = 0;
    for (const double f : norms) sum += std::pow(f, 2 * p / (1 + p));
    if (!(sum > 0)) {
        const double kernels = norms.size();
        return std::vector<double>(norms.size(), std::pow(kernels, -1 / p));
    }
    const double scale = std::pow(sum, -1 / p);
    std::vector<double> weights;
    weights.reserve(norms.size());
    for (const double f : norms) weights.push_back(scale * std::pow(f, 2 / (1 + p)));
    return weights;
}

// Where kernels are alike and p is 1, the closed form alone takes a hundred turns: it multiplies weights by
// the square root of what they should be multiplied by. Turns are mixed, then, and go on twice as far.
constexpr std::size_t mixed_turns = 3;
constexpr double mixed_stretch = 2;
constexpr std::int64_t plain_turns = 3;
/// Of what the machines' conditions are sums of: no solver gets below rounding.
constexpr double rounding = 1e-13;

/// No weight becomes zero in one step, from where none returns, or falls where the closed form rises.
std::vector<double> on_ball(std::vector<double> weights, const std::vector<double>& before,
                            const std::vector<double>& closed, double p) {
    double sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        weights[k] = std::max(weights[k], closed[k] >= before[k] ? before[k] : 0.1 * before[k]);
        sum += std::pow(weights[k], p);
    }
    for (double& weight : weights) weight *= std::pow(sum, -1 / p);
    return weights;
}

/// max over the p-ball of sum_k mu_k energy_k.
double dual_norm(const std::vector<double>& energies, double p) {
    const double largest = std::ranges::max(energies);
    if (p == 1 || !(largest > 0)) return largest;
    const double q = p / (p - 1);
    double sum = 0;
    for (const double s : energies) sum += std::pow(std::max(s, 0.0) / largest, q);
    return largest * std::pow(sum, 1 / q);
}

/// One class against the rest in the present kernel.
struct BinaryMachine {
    BoxProgram program;
    std::vector<std::vector<double>> products = {};  // K_k beta for each kernel
    double slack = 0;                                // sum of C_i xi_i
    double linear = 0;                               // sum of alpha
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
        const std::vector<double> equal(problem_.bank.size(), 1.0);
        weights_ = weights_from_norms(equal, p_);
        const std::int64_t turn_limit = problem_.parameters[parameter::max_iterations];
        FixedPointMixing mixing(mixed_turns, mixed_stretch);
        std::vector<double> here;    // the last weights of no higher objective than all before
        std::vector<double> closed;  // the closed form from there
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
                closed = weights_from_norms(norms_, p_);
                mixing.add(here, closed);
            }
            converged = present_gap() <= gap_;
            if (converged || ++iteration >= turn_limit) break;
            mixed = !higher && iteration >= plain_turns;
            weights_ = mixed ? on_ball(mixing.next(), here, closed, p_) : closed;
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

    /// The machines of the present weights, as exactly as it takes for their part of the gap to be the
    /// smaller one: with a large C slight errors of the solution are large slack.
    void solve_machines(double done) {
        const ProgressScope scope(problem_.control, done, done);
        gram_.set_weights(weights_);
        while (true) {
            for (BinaryMachine& machine : machines_) solve(machine);
            const std::vector<double> energy = energies();
            const double combined = combined_energy(energy);
            const double of_weights = 0.5 * (dual_norm(energy, p_) - combined);
            double of_machines = combined;
            for (const BinaryMachine& machine : machines_) of_machines += machine.slack - machine.linear;
            const bool fine =
                of_machines <= 0.5 * of_weights || of_machines + of_weights <= gap_ * primal_objective();
            if (fine || !tighten(0.1)) return;
        }
    }

    /// False where the machines cannot be solved more exactly.
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
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            for (std::size_t i = 0; i < product.size(); ++i)
                product[i] += weights_[k] * machine.products[k][i];
        }
        const SmoSolution solved =
            solve_smo(machine.program, {.tolerance = tolerance_, .max_iterations = 0}, problem_.control);
        move_to(machine, solved);
        const double offset = smo_offset(machine.program, solved);
        machine.slack = 0;
        machine.linear = 0;
        for (std::size_t i = 0; i < solved.beta.size(); ++i) {
            const double sign = -machine.program.linear[i];
            const double cost = machine.program.upper[i] - machine.program.lower[i];
            // descent is y - f without the offset
            machine.slack += cost * std::max(0.0, sign * (solved.descent[i] - offset));
            machine.linear += std::abs(solved.beta[i]);
        }
    }

    /// Brings the products with every kernel up to date by the rows that moved.
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

    /// beta' K_k beta, over all machines.
    std::vector<double> energies() const {
        std::vector<double> all(weights_.size());
        for (const BinaryMachine& machine : machines_) {
            const auto& beta = machine.program.start;
            for (std::size_t k = 0; k < all.size(); ++k)
                all[k] += std::inner_product(beta.begin(), beta.end(), machine.products[k].begin(), 0.0);
        }
        return all;
    }

    /// beta' K beta in the present kernel.
    double combined_energy(const std::vector<double>& energy) const {
        return std::inner_product(energy.begin(), energy.end(), weights_.begin(), 0.0);
    }

    /// |f_k|, the norms of the kernels' parts of the decision functions.
    std::vector<double> norms() const {
        std::vector<double> all = energies();
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = weights_[k] * std::sqrt(std::max(all[k], 0.0));
        return all;
    }

    /// Of the primal objective; 1 before there is one.
    double present_gap() const {
        return primal_.empty() || primal_.back() <= 0 ? 1 : (primal_.back() - dual_) / primal_.back();
    }

    double primal_objective() const {
        double primal = 0.5 * combined_energy(energies());
        for (const BinaryMachine& machine : machines_) primal += machine.slack;
        return primal;
    }

    void note_objectives() {
        norms_ = norms();
        dual_ = -0.5 * dual_norm(energies(), p_);
        for (const BinaryMachine& machine : machines_) dual_ += machine.linear;
        primal_.push_back(primal_objective());
        gaps_.push_back(present_gap());
    }

    KernelWeights result(std::int64_t iterations, bool converged) {
        KernelWeights found;
        const double largest = std::ranges::max(weights_);
        for (double& weight : weights_) weight = weight < 1e-6 * largest ? 0 : weight;
        double sum = 0;
        double power_sum = 0;
        for (const double weight : weights_) {
            sum += weight;
            power_sum += std::pow(weight, p_);
        }
        std::vector<double> shares;
        for (double& weight : weights_) {
            shares.push_back(weight / sum);
            weight *= std::pow(power_sum, -1 / p_);
        }
        found.weights = weights_;
        found.report.add("share", shares)
            .add("norms", norms_)
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
    double tolerance_ = 0.05;  // of the machines' conditions
    CombinedGram gram_;
    std::vector<BinaryMachine> machines_;
    std::vector<double> weights_;
    std::vector<double> norms_;   // of the kernels' parts, after the last turn that counts
    std::vector<double> primal_;  // after each turn
    std::vector<double> gaps_;
    double dual_ = 0;
};

}  // namespace

WeightStrategy mklgl_strategy() {
    return {.name = "mklgl",
            .doc =
                "MKLGL: the weights of p-norm at most 1 with which a support vector machine has the least "
                "objective; p = 1 is sparse",
            .reference =
                "Xu, Jin, Yang, King, Lyu, Simple and efficient multiple kernel learning by group "
                "lasso, ICML 2010",
            .arguments = "",
            .parameters = {parameter::norm, parameter::cost, parameter::gap, parameter::max_iterations},
            .normalises = true,
            .compares_classes = true,
            .check = nullptr,
            .weigh = [](const WeightProblem& problem) {
                if (!problem.data.labels)
                    fail(Status::unsupported,
                         "weights=mklgl compares classes; this machine learns from none");
                return GroupLasso(problem).run();
            }};
}

}  // namespace dk
