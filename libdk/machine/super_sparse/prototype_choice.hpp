// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/super_sparse/super_sparse_learning.hpp"

namespace dk {

/// The chosen number of prototypes, the numbers that were tried, and the error of each on held-out rows.
struct PrototypeChoice {
    Index prototypes = 0;
    std::vector<double> numbers = {};
    std::vector<double> errors = {};

    /// The numbers from the largest down to the chosen one.
    std::vector<Index> path() const;
};

/// Learns the first of the numbers of prototypes, then leaves out those with the smallest weights and learns
/// on with the others, until the last number is reached. `see` gets the solution of each number.
SuperSparseSolution fit_along(const KernelPointer& kernel, const Dataset& rows,
                              const SuperSparseTargets& targets, const SuperSparseOptions& options,
                              std::span<const Index> numbers,
                              const std::function<void(std::size_t, const SuperSparseSolution&)>& see,
                              Control& control);

/// Chooses the number of prototypes by cross-validation, from the number in the options downwards. A rho of 0
/// stands for a hundredth of the error with the largest number.
PrototypeChoice choose_prototypes(const TrainingProblem& problem, const LessonMaker& lesson_of,
                                  DecisionRule rule, const SuperSparseOptions& options, double rho);

}  // namespace dk
