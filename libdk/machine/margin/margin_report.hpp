// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/parameters.hpp"
#include "base/report.hpp"
#include "machine/common_parameters.hpp"
#include "solve/box/smo.hpp"

namespace dk {

/// Adds to the report of a model what it tells of the quadratic program that was solved for it.
void report_solution(Report& report, const BoxProgram& program, const SmoSolution& solution);

/// Sets the start of some variables such that their sum is `total`: each takes its bound in turn until the
/// sum is reached. `total` and the bounds have the same sign.
void fill_start(std::vector<double>& start, std::span<const Index> variables, std::span<const double> bounds,
                double total);

/// Parameters that machines with a margin share.
namespace parameter {
constexpr RealKey tolerance{"tolerance", 1e-3, Range::positive(),
                            "Learning stops when no optimality condition is violated by more than this."};
constexpr IntegerKey max_iterations{
    "max_iterations",
    0,
    {0, 9e15},
    "Learning stops after so many steps; 0 stands for the larger of 10^8 and 1000 steps a row."};
}  // namespace parameter

/// Reads from the shared parameters how exactly the program is to be solved.
SmoOptions smo_options(const Parameters& parameters);

}  // namespace dk
