// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weights/group_lasso/bank_machines.hpp"

namespace dk {

struct GroupLassoOptions {
    double norm;              // p
    double gap;               // the duality gap, divided by the objective, at which it stops
    std::int64_t most_turns;  // how often weights are found at most
    Vector start;             // weights above 0
};

struct GroupLassoSolution {
    Vector weights;
    Vector norms;                         // |f_k|
    std::vector<double> objectives = {};  // of each turn that did not raise the objective
    std::vector<double> gaps = {};        // their duality gaps as shares of the objective
    std::int64_t turns = 0;
    bool converged = false;
};

/// Gives the weights of the closed form (1), and equal ones where every |f_k| is 0.
Vector closed_form_weights(const Vector& norms, double p);

/// Divides weights by their p-norm.
Vector of_norm_one(const Vector& weights, double p);

/// Gives |S|_q, the maximum of sum_k mu_k S_k over the p-ball, in (2).
double dual_norm(const Vector& S, double p);

/// Finds the weights of a bank together with the machines that learn in it (group_lasso.cpp has the program).
GroupLassoSolution solve_group_lasso(BankMachines& machines, const GroupLassoOptions& options,
                                     Control& control);

}  // namespace dk
