// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/margin/margin_report.hpp"
#include "machine/single_function.hpp"

namespace dk {

namespace parameter {
constexpr RealKey tube_cost{"C", 1, Range::positive(), "The cost of errors beyond the tube."};
}

/// The dual program of support vector regression, without the width of the tube in its linear term. Row i has
/// two variables: beta_i = alpha_i >= 0, which raises f there, and beta_{n+i} = -alpha*_i <= 0, which lowers
/// it. Both are bounded by C times the row's sample weight.
BoxProgram tube_program(const TrainingProblem& problem, GramMatrix& gram);

SmoSolution solve_tube_program(const TrainingProblem& problem, const BoxProgram& program);

/// gamma_i = alpha_i - alpha*_i, the coefficients of f.
std::vector<double> tube_coefficients(const SmoSolution& solved);

}  // namespace dk
