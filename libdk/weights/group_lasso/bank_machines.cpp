// SPDX-License-Identifier: Apache-2.0
// Machines in the kernel K = sum_k mu_k K_k of a bank, by their duals. With beta = v, one variable t for each
// row or, for a tube, two, of which one is at least 0 and the other at most 0, the duals are
//
//     max over beta of   -c'beta - 1/2 sum_t ridge_t beta_t^2 - 1/2 beta'K beta,   sum of beta fixed,
//
//     loss            c_t           bounds of beta_t       ridge_t   sum
//     hinge           -y_t          0 to y_t C_t           0         0
//     squared hinge   -y_t          0 to y_t infinity      1 / C_t   0
//     tube            -y_t +- eps   0 to +-C               0         0
//     outliers        0             0 to 1                 0         nu n
//
// and the primal objective is 1/2 beta'K beta + sum_t C_t xi_t (or C_t xi_t^2 / 2) + b sum_t beta_t with the
// slack xi_t = max(0, +-(-c_t - f(x_t))), where the sign is that of the values that beta_t may have. Squared
// errors have the closed form v = (K + I / C)^-1 (y - b), whose primal and dual objectives are equal.
//
//     letters     code
//     c, ridge    BoxProgram::linear, BoxProgram::ridge
//     beta        BoxMachine::program.start
//     K_k beta    BoxMachine::products[k]
//     xi          the terms of BoxMachine::errors
#include "weights/group_lasso/bank_machines.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "base/error.hpp"
#include "kernel/algebra/algebra.hpp"
#include "kernel/gram/combined_gram.hpp"
#include "solve/box/smo.hpp"
#include "solve/squares/ridge.hpp"

namespace dk {

Index machine_count(const Dataset& data) {
    if (!data.labels) return 1;
    return data.labels->classes() == 2 ? 1 : data.labels->classes();
}
Index positive_class(const Dataset& data, Index machine) {
    return data.labels->classes() == 2 ? 1 : machine;
}

MarginRows margin_rows(const WeightProblem& problem, Index positive, double cost) {
    const auto& classes = problem.data.labels->of_rows;
    const double n = std::ssize(classes);
    const double positives = std::ranges::count(classes, positive);
    MarginRows rows;
    for (Index i = 0; i < problem.data.rows(); ++i) {
        const bool own = classes[i] == positive;
        double own_cost = cost;
        if (!problem.data.sample_weights.empty()) own_cost *= problem.data.sample_weights[i];
        if (problem.loss.balanced) own_cost *= n / (2 * (own ? positives : n - positives));
        if (!problem.loss.class_costs.empty()) own_cost *= problem.loss.class_costs[classes[i]];
        rows.signs.push_back(own ? 1 : -1);
        rows.costs.push_back(own_cost);
    }
    return rows;
}

namespace {

struct BoxMachine {
    BoxProgram program;
    std::vector<std::vector<double>> products = {};  // K_k beta of each row
    double errors = 0;
    double linear = 0;
};

class BoxMachines final : public BankMachines {
  public:
    BoxMachines(const WeightProblem& problem, ErrorLoss errors, double cost)
        : problem_(problem),
          errors_(errors),
          cost_(cost),
          gram_(problem.bank, problem.data, problem.budget, problem.control) {
        for (Index m = 0; m < machine_count(problem.data); ++m) machines_.push_back(new_machine(m));
    }

    void solve(const Vector& weights, double tolerance) override {
        gram_.set_weights(as_span(weights));
        for (BoxMachine& machine : machines_) solve(machine, weights, tolerance);
    }
    bool exact() const override { return false; }

    Vector energies() const override {
        Vector S = Vector::Zero(gram_.kernels());
        for (const BoxMachine& machine : machines_) {
            const Vector v = of_rows(machine.program, machine.program.start);
            for (Index k = 0; k < S.size(); ++k) S(k) += v.dot(as_vector(machine.products[k]));
        }
        return S;
    }
    double errors() const override {
        double sum = 0;
        for (const BoxMachine& machine : machines_) sum += machine.errors;
        return sum;
    }
    double linear() const override {
        double sum = 0;
        for (const BoxMachine& machine : machines_) sum += machine.linear;
        return sum;
    }
    double largest_linear() const override {
        double largest = 0;
        for (const BoxMachine& machine : machines_) largest = std::max(largest, std::abs(machine.linear));
        return largest;
    }

  private:
    double sample_weight(Index row) const {
        return problem_.data.sample_weights.empty() ? 1 : problem_.data.sample_weights[row];
    }

    BoxMachine new_machine(Index m) {
        BoxMachine machine{.program = errors_ == ErrorLoss::outliers ? outlier_program()
                                      : errors_ == ErrorLoss::tube
                                          ? tube_program()
                                          : margin_program(positive_class(problem_.data, m))};
        machine.products.assign(problem_.bank.size(), std::vector<double>(gram_.size()));
        if (errors_ == ErrorLoss::outliers) start_products(machine);
        return machine;
    }

    BoxProgram margin_program(Index positive) {
        const bool squared = errors_ == ErrorLoss::squared_hinge;
        const MarginRows rows = margin_rows(problem_, positive, cost_);
        BoxProgram program = zero_program(gram_, problem_.data.rows());
        for (std::size_t i = 0; i < rows.signs.size(); ++i) {
            const double cost = rows.costs[i];
            const double bound = squared && cost > 0 ? infinity : cost;
            program.linear[i] = -rows.signs[i];
            (rows.signs[i] > 0 ? program.upper[i] : program.lower[i]) = rows.signs[i] * bound;
            if (squared) program.ridge.push_back(cost > 0 ? 1 / cost : 0.0);
        }
        return program;
    }

    BoxProgram tube_program() {
        const Index n = problem_.data.rows();
        BoxProgram program = zero_program(gram_, 2 * n);
        program.rows.resize(2 * n);
        for (Index i = 0; i < n; ++i) {
            const double target = problem_.data.targets[i];
            program.rows[i] = program.rows[n + i] = i;
            program.linear[i] = -target + problem_.loss.tube;
            program.linear[n + i] = -target - problem_.loss.tube;
            program.upper[i] = cost_ * sample_weight(i);
            program.lower[n + i] = -cost_ * sample_weight(i);
        }
        return program;
    }

    BoxProgram outlier_program() {
        BoxProgram program = zero_program(gram_, problem_.data.rows());
        for (Index i = 0; i < problem_.data.rows(); ++i) {
            program.upper[i] = sample_weight(i);
            program.start[i] = problem_.loss.outlier_share * program.upper[i];
        }
        return program;
    }

    /// Adds up the variables of each row.
    Vector of_rows(const BoxProgram& program, std::span<const double> values) const {
        Vector sums = Vector::Zero(gram_.size());
        for (Index t = 0; t < program.size(); ++t) sums(program.row(t)) += values[t];
        return sums;
    }

    void start_products(BoxMachine& machine) {
        std::vector<Index> all(gram_.size());
        std::iota(all.begin(), all.end(), Index{0});
        for (Index k = 0; k < gram_.kernels(); ++k)
            gram_.kernel(k).add_product(all, machine.program.start, machine.products[k], problem_.control);
    }

    void solve(BoxMachine& machine, const Vector& weights, double tolerance) {
        machine.program.start_product = products(machine, weights);
        const SmoSolution solved =
            solve_smo(machine.program, {.tolerance = tolerance, .max_iterations = 0}, problem_.control);
        move_to(machine, solved);
        note_objectives(machine, products(machine, weights), smo_offset(machine.program, solved));
    }

    /// Gives K beta.
    std::vector<double> products(const BoxMachine& machine, const Vector& weights) const {
        std::vector<double> sums(gram_.size());
        for (Index k = 0; k < weights.size(); ++k)
            as_vector(sums) += weights(k) * as_vector(machine.products[k]);
        return sums;
    }

    void note_objectives(BoxMachine& machine, const std::vector<double>& products, double offset) const {
        const BoxProgram& program = machine.program;
        machine.errors = 0;
        machine.linear = 0;
        for (Index t = 0; t < program.size(); ++t) {
            const double beta = program.start[t];
            const double ridge = program.ridge.empty() ? 0 : program.ridge[t];
            const bool rises = program.upper[t] > 0;
            const double cost = rises ? program.upper[t] : -program.lower[t];
            const double missed = -program.linear[t] - products[program.row(t)] - offset;
            const double slack = std::max(0.0, rises ? missed : -missed);
            if (ridge > 0) {
                machine.errors += 0.5 * slack * slack / ridge;
            } else {
                machine.errors += cost * slack;
            }
            machine.errors += offset * beta;
            machine.linear -= program.linear[t] * beta + 0.5 * ridge * beta * beta;
        }
    }

    /// Makes the solution the machine's start and updates the products K_k beta by the rows that changed.
    void move_to(BoxMachine& machine, const SmoSolution& solved) {
        const Vector before = of_rows(machine.program, machine.program.start);
        const Vector after = of_rows(machine.program, solved.beta);
        machine.program.start = solved.beta;
        std::vector<Index> moved;
        std::vector<double> moves;
        for (Index i = 0; i < after.size(); ++i) {
            if (after(i) == before(i)) continue;
            moved.push_back(i);
            moves.push_back(after(i) - before(i));
        }
        if (moved.empty()) return;
        for (Index k = 0; k < gram_.kernels(); ++k)
            gram_.kernel(k).add_product(moved, moves, machine.products[k], problem_.control);
    }

    const WeightProblem& problem_;
    ErrorLoss errors_;
    double cost_;
    CombinedGram gram_;
    std::vector<BoxMachine> machines_;
};

/// Machines whose errors count by their squares share one matrix, so that one factor solves all.
class RidgeMachines final : public BankMachines {
  public:
    RidgeMachines(const WeightProblem& problem, double cost)
        : problem_(problem),
          cost_(cost),
          targets_(problem.data.rows(), machine_count(problem.data)),
          energies_(Vector::Zero(std::ssize(problem.bank))) {
        if (!problem.data.sample_weights.empty())
            fail(Status::unsupported,
                 "weights=mklgl of squared errors does not use sample weights; remove them");
        for (Index i = 0; i < targets_.rows(); ++i) {
            for (Index m = 0; m < targets_.cols(); ++m) targets_(i, m) = target(i, m);
        }
        for (const KernelPointer& kernel : problem.bank)
            engines_.emplace_back(kernel, problem.data, problem.data, &problem.control);
    }

    void solve(const Vector& weights, double) override {
        const std::vector<double> mu(weights.begin(), weights.end());
        const auto gram = make_training_gram(combine(problem_.bank, mu), problem_.data, Precision::real64,
                                             problem_.budget, &problem_.control);
        const Index n = targets_.rows();
        const RidgeSolution solved =
            ridge_by_cholesky(view(gram->whole(2, problem_.control), n, n),
                              {.targets = view(std::as_const(targets_).data(), n, targets_.cols()),
                               .ridge = 1 / cost_,
                               .offset = problem_.loss.offset},
                              problem_.control);
        const Matrix& v = solved.coefficients;
        // The ridge may have been raised where rounding made the matrix indefinite.
        errors_ = 0.5 * solved.ridge * v.squaredNorm();
        linear_ = v.cwiseProduct(targets_).sum() - errors_;
        for (Index k = 0; k < energies_.size(); ++k) {
            Matrix product(n, v.cols());
            engines_[k].product(v.data(), v.cols(), product.data(), problem_.control);
            energies_(k) = v.cwiseProduct(product).sum();
        }
    }
    bool exact() const override { return true; }

    Vector energies() const override { return energies_; }
    double errors() const override { return errors_; }
    double linear() const override { return linear_; }
    double largest_linear() const override { return linear_; }

  private:
    double target(Index row, Index machine) const {
        if (!problem_.data.labels) return problem_.data.targets[row];
        return problem_.data.labels->of_rows[row] == positive_class(problem_.data, machine) ? 1 : -1;
    }

    const WeightProblem& problem_;
    double cost_;
    std::deque<GramEngine<double>> engines_;
    Matrix targets_;
    Vector energies_;
    double errors_ = 0;
    double linear_ = 0;
};

}  // namespace

std::unique_ptr<BankMachines> make_bank_machines(const WeightProblem& problem, ErrorLoss errors,
                                                 double cost) {
    if (errors == ErrorLoss::squares) return std::make_unique<RidgeMachines>(problem, cost);
    const Index machines = machine_count(problem.data);
    problem.budget.require(8.0 * machines * problem.bank.size() * problem.data.rows(),
                           "weights=mklgl: products of every kernel and class");
    return std::make_unique<BoxMachines>(problem, errors, cost);
}

}  // namespace dk
