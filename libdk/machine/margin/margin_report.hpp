// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/parameters.hpp"
#include "base/report.hpp"
#include "solve/box/smo.hpp"

namespace dk {

/// What a model tells of a quadratic program that was solved for it.
void report_solution(Report& report, const BoxProgram& program, const SmoSolution& solution);

/// A start whose sums are as asked: variables take their bound, the first ones first. `total` and the bounds
/// have the same sign.
void fill_start(std::vector<double>& start, std::span<const Index> variables, std::span<const double> bounds,
                double total);

// Parameters that machines with a margin share.
namespace parameter {
constexpr RealKey tolerance{"tolerance", 1e-3, Range::positive(),
                            "The largest violation of the optimality conditions that may remain."};
constexpr IntegerKey max_iterations{
    "max_iterations", 0, {0, 9e15}, "The limit of steps; 0 is the larger of 10^8 and 1000 steps a row."};
}  // namespace parameter

/// How exactly the program is to be solved, as the shared parameters say.
SmoOptions smo_options(const Parameters& parameters);

}  // namespace dk
