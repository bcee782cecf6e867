// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/parameters.hpp"
#include "base/report.hpp"
#include "solve/smo.hpp"

namespace dk {

/// What a model tells of a quadratic program that was solved for it.
void report_solution(Report& report, const BoxProgram& program, const SmoSolution& solution);

/// A start whose sums are as asked: variables take their bound, the first ones first. `total` and the bounds
/// have the same sign.
void fill_start(std::vector<double>& start, std::span<const Index> variables, std::span<const double> bounds,
                double total);

// Parameters that machines with a margin share.
ParameterSpec tolerance_parameter();
ParameterSpec iterations_parameter();

}  // namespace dk
