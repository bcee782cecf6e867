// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "matrix/matrix.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

/// The machines that learn in the kernel sum_k mu_k K_k of a bank: one function for two classes, for targets
/// or for rows alone, and else one for each class against the rest. Function f is sum_i v_i sum_k mu_k
/// k_k(x_i, .) + b, and v solves a dual whose objective is linear(v) - 1/2 sum_k mu_k S_k with S_k = v'K_k v.
class BankMachines {
  public:
    BankMachines() = default;
    virtual ~BankMachines() = default;
    BankMachines(const BankMachines&) = delete;
    BankMachines& operator=(const BankMachines&) = delete;

    /// Solves all machines for these weights, until their optimality conditions are met to `tolerance`.
    virtual void solve(const Vector& weights, double tolerance) = 0;
    /// Tells whether solve() needs no tolerance.
    virtual bool exact() const = 0;

    // These are sums over the machines as of the last solve().
    /// Gives S.
    virtual Vector energies() const = 0;
    /// Gives what the primal objective is beside 1/2 sum_k mu_k S_k: the errors' costs.
    virtual double errors() const = 0;
    /// Gives linear(v).
    virtual double linear() const = 0;
    /// Gives the largest linear(v) of a machine, which tells how exact numbers can be.
    virtual double largest_linear() const = 0;
};

/// The number of machines, and which class machine m has on its positive side.
Index machine_count(const Dataset& data);
Index positive_class(const Dataset& data, Index machine);

/// What the errors of each row cost in the machine that has a class on its positive side, and the row's sign.
struct MarginRows {
    std::vector<double> signs;
    std::vector<double> costs;  // C_i: C times the factors of the row, its class and its side
};
MarginRows margin_rows(const WeightProblem& problem, Index positive, double cost);

/// Makes the machines of the problem's data and loss, where errors cost C.
std::unique_ptr<BankMachines> make_bank_machines(const WeightProblem& problem, ErrorLoss errors, double cost);

}  // namespace dk
