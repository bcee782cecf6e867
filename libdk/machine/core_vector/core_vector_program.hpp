// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/core_vector/core_vector_source.hpp"
#include "machine/margin/binary_reduction.hpp"

namespace dk {

/// When a core set is complete.
enum class CoreStop { gap, epsilon };

/// Parameters of the core vector machines.
namespace parameter {
constexpr RealKey cost{"C", 1, Range::positive(), "The cost of squared slack."};
constexpr FlagKey offset{
    "offset", true,
    "Whether functions have an offset, which is penalised. With narrow kernels mcvm is better without."};
constexpr ChoiceKey<CoreStop> stop{
    "stop",
    {"gap", "epsilon"},
    "When the core set is complete: gap adds many rows at a time until the gap is certified; epsilon takes "
    "the papers' steps and ends by their rule."};
constexpr RealKey gap{"gap",
                      0.05,
                      {.minimum = 0, .maximum = 0.9, .minimum_excluded = true},
                      "The certified share by which the objective may miss the best."};
constexpr IntegerKey max_rounds{"max_rounds", 0, {0, 1e9}, "The limit of rounds with stop=gap; 0 sets none."};
constexpr RealKey epsilon{
    "epsilon",
    0,
    {0, 1},
    "How many radii beyond the ball a row may lie with stop=epsilon; 0 is the choice of the program LibCVM."};
constexpr IntegerKey sample{
    "sample", 59, {1, 1e9}, "How many random rows a step with stop=epsilon looks at for the farthest."};
constexpr IntegerKey max_steps{"max_steps", 10000, {1, 9e15}, "The limit of steps with stop=epsilon."};
constexpr IntegerKey max_core{"max_core", 50000, {2, 1e9}, "The limit of rows in the core set."};
}  // namespace parameter

/// The parameters above, in their order.
std::vector<ParameterSpec> core_vector_parameters();

/// Whether the core set begins with that of an enclosing ball of fixed radius (with stop=epsilon: is that).
/// Of all balls that enclose the rows such a method finds one, whose centre may be far from the least
/// objective.
enum class FirstBall { no, yes };

/// C_i of each row: C times its sample weight.
std::vector<double> core_vector_costs(std::span<const double> sample_weights, const Parameters& parameters);

/// min alpha'K~alpha over the simplex by the method that the parameters choose. Rows of cost 0 stay out.
CoreSetSolution solve_core_vector_program(CoreVectorSource& source, const TrainingProblem& problem,
                                          std::span<const Index> classes, std::span<const double> costs,
                                          FirstBall ball);

/// What a model tells of its core set.
void report_core_set(Report& report, const CoreSetSolution& solution);

/// A machine of two classes for every pair of classes, or for each against the rest.
TrainedMachine train_core_vector_pairs(const TrainingProblem& problem, FirstBall ball);

}  // namespace dk
