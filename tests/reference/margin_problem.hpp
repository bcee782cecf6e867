// SPDX-License-Identifier: Apache-2.0
//
// Problems for the machines that have a tube, a share nu, or no labels at all, with their primal and dual
// objectives in long double from the definitions. With f(x) = sum(g_j k(x_j, x)) + b, row weights w and their
// sum W:
//
//     svr            1/2 |f|^2 + C sum(w_i max(0, |y_i - f_i| - e))
//     nu_svr         1/2 |f|^2 + C (nu W e + sum(w_i max(0, |y_i - f_i| - e))), e found
//     one_class_svm  1/2 |f|^2 + nu W b + sum(w_i max(0, -f_i))
//     nu_svm         1/2 |f|^2 - nu W r + sum(w_i max(0, r - y_i f_i)), r found; f is then divided by r and
//     the
//                    objective by r^2
#pragma once

#include <string>
#include <vector>

#include "problem.hpp"

namespace dk_reference {

enum class MarginMachine { nu_svm, svr, nu_svr, one_class_svm };

std::string name_of(MarginMachine machine);

struct MarginProblem {
    MarginMachine machine = MarginMachine::svr;
    Problem input;                // rows, kernel and cost; labels count for nu_svm alone
    std::vector<double> targets;  // of regressions
    double epsilon = 0.1;
    double nu = 0.5;
    std::vector<double> weights;  // whole numbers; empty: all 1

    bool regression() const { return machine == MarginMachine::svr || machine == MarginMachine::nu_svr; }
    bool has_nu() const { return machine != MarginMachine::svr; }
    double weight(std::size_t i) const { return weights.empty() ? 1 : weights[i]; }
    double weight_sum() const;
};

// The problem without weights in which each row is as often as its weight says.
MarginProblem repeated(const MarginProblem& problem);

// The column becomes the target and is no feature any more.
void make_target(MarginProblem& problem, std::size_t column);

// Targets are a smooth function of the rows and noise, which depends on the seed alone.
void make_smooth_targets(MarginProblem& problem, unsigned seed);

// What the dual minimises, at coefficients g (of nu_svm: after the division by r).
long double dual_objective(const MarginProblem& problem, const Matrix& kernel,
                           const std::vector<long double>& coefficients);

// What was found beside coefficients and decisions.
struct Found {
    long double offset = 0;
    long double rho = 1;      // of nu_svm
    long double epsilon = 0;  // of nu_svr
};

// What the primal minimises: at the optimum minus the dual objective, elsewhere more. `decisions` are f at
// the training rows.
long double primal_objective(const MarginProblem& problem, const Matrix& kernel,
                             const std::vector<long double>& coefficients,
                             const std::vector<double>& decisions, const Found& found);

}  // namespace dk_reference
