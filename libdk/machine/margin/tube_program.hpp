// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/margin/margin_report.hpp"
#include "machine/margin/target_unit.hpp"
#include "machine/single_function.hpp"

namespace dk {

namespace parameter {
constexpr TextKey tube_cost{
    "C", "deviation",
    "A larger C makes errors beyond the tube cost more: a number, or a multiple of the standard deviation of "
    "the targets such as 10*deviation, which costs as much in any unit; the tolerance then is in "
    "deviations, too.",
    ParameterType::text, check_target_cost};
}

/// Makes the dual program of support vector regression, without the width of the tube in its linear term. Row
/// i has two variables: beta_i = alpha_i >= 0, which raises f there, and beta_{n+i} = -alpha*_i <= 0, which
/// lowers it. Both are bounded by C times the row's sample weight.
BoxProgram tube_program(const TrainingProblem& problem, GramMatrix& gram, double cost);

/// Solves the program as exactly as the parameters say. Where C is in deviations of the targets, its
/// tolerance is, too.
SmoSolution solve_tube_program(const TrainingProblem& problem, const BoxProgram& program);

/// Gives the coefficients of f, gamma_i = alpha_i - alpha*_i.
std::vector<double> tube_coefficients(const SmoSolution& solved);

}  // namespace dk
