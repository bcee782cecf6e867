// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "machine/dictionary/kernel_weighing.hpp"
#include "machine/machine.hpp"

namespace dk {

inline constexpr const char* dictionary_reference =
    "Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation "
    "and feature selection, CIKM 2019";

/// Parameters of the machines that learn interpretable prototypes.
namespace parameter {
constexpr IntegerKey prototypes{
    "prototypes",
    5,
    {1, 10000},
    "This number, the paper's T0, limits four: the prototypes of a class, the rows that a prototype is made "
    "of, the prototypes that reconstruct a row, and the neighbours of a row."};
constexpr RealKey lambda{
    "lambda", 0.2, {0, 1e6}, "A larger lambda makes rows be reconstructed by prototypes of their own class."};
constexpr RealKey tau{
    "tau", 0.2, {0, 1e6}, "A larger tau makes the sum of the prototypes' coefficients smaller."};
constexpr RealKey tolerance{"tolerance", 1e-4, Range::positive(),
                            "Learning stops when the objective falls by less than this share twice in turn."};
constexpr IntegerKey max_iterations{
    "max_iterations", 50, {1, 1e9}, "Learning stops after so many iterations."};
}  // namespace parameter

/// Lists the parameters above in their order.
std::vector<ParameterSpec> dictionary_parameters();

/// Learns the prototypes of a bank of kernels with k(x, x) = 1. With `weighing`, whose `neighbours` and
/// `lambda` are taken from the parameters, it learns the kernels' weights too; without, all weigh the same.
TrainedMachine train_dictionary(const TrainingProblem& problem, const Bank& bank,
                                std::optional<WeighingOptions> weighing);

}  // namespace dk
