// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/core_vector/core_vector_tiles.hpp"
#include "machine/margin/binary_reduction.hpp"

namespace dk {

/// The rule by which a core set is complete.
enum class CoreStop { gap, epsilon };

/// Parameters of the core vector machines.
namespace parameter {
constexpr RealKey cost{
    "C", 1, Range::positive(),
    "A larger C makes squared slack cost more, so that the machine fits the training rows more closely."};
constexpr FlagKey offset{
    "offset", true,
    "With yes, functions have an offset, which is penalised. With narrow kernels mcvm is better without."};
constexpr ChoiceKey<CoreStop> stop{
    "stop",
    {"gap", "epsilon"},
    "This decides when the core set is complete: gap adds many rows at a time until the gap is certified; "
    "epsilon takes the papers' steps and ends by their rule."};
constexpr RealKey gap{
    "gap",
    0.05,
    {.minimum = 0, .maximum = 0.9, .minimum_excluded = true},
    "With stop=gap, the objective is certified to miss the best by no more than this share."};
constexpr IntegerKey max_rounds{
    "max_rounds", 0, {0, 1e9}, "With stop=gap, learning stops after so many rounds; 0 sets no limit."};
constexpr RealKey epsilon{
    "epsilon",
    0,
    {0, 1},
    "With stop=epsilon, rows may lie so many radii beyond the ball; 0 is the choice of the program LibCVM."};
constexpr IntegerKey sample{
    "sample", 59, {1, 1e9}, "With stop=epsilon, each step looks for the farthest of so many random rows."};
constexpr IntegerKey max_steps{
    "max_steps", 10000, {1, 9e15}, "With stop=epsilon, learning stops after so many steps."};
constexpr IntegerKey max_core{"max_core", 50000, {2, 1e9}, "The core set has at most so many rows."};
}  // namespace parameter

/// Lists the parameters above in their order.
std::vector<ParameterSpec> core_vector_parameters();

/// Tells strategies that weigh kernels that slack counts by its square. They give the offset no penalty.
MachineLoss loss_of_core_vectors(const Parameters& parameters, const Dataset& data);

/// Whether the core set begins with that of an enclosing ball of fixed radius. With stop=epsilon it is that
/// one, and of all balls that enclose the rows such a method finds any, whose centre may be far from the
/// least objective.
enum class FirstBall { no, yes };

/// Gives C_i of each row, which is C times its sample weight.
std::vector<double> core_vector_costs(std::span<const double> sample_weights, const Parameters& parameters);

/// Solves min alpha'K~alpha over the simplex by the method that the parameters choose. Rows of cost 0 stay
/// out.
CoreSetSolution solve_core_vector_program(CoreVectorTiles& source, const TrainingProblem& problem,
                                          std::span<const Index> classes, std::span<const double> costs,
                                          FirstBall ball);

/// Adds what a model tells of its core set.
void report_core_set(Report& report, const CoreSetSolution& solution);

/// Trains a machine of two classes for every pair of classes, or for each against the rest.
TrainedMachine train_core_vector_pairs(const TrainingProblem& problem, FirstBall ball);

}  // namespace dk
