// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>

#include "data/class_range.hpp"
#include "weights/strategy.hpp"

namespace dk {

/// One kernel's matrix of rows sorted by class.
struct ClassMatrix {
    const double* values;
    Index rows;
    std::span<const ClassRange> classes;

    const double* row(Index i) const { return values + i * rows; }
};

/// How well a kernel tells classes apart, by a number that is 0 where it does not.
using KernelIndex = std::function<double(const ClassMatrix& matrix, Control& control)>;

/// Weights that are the kernels' shares of the sum of their indices; uniform where that is zero or not
/// finite. Kernel matrices pass by, a few at a time. A million entries a quadrant settle its statistics: of
/// classes with more rows a seeded sample is taken where there are very many. `name` is the strategy's for
/// messages.
KernelWeights weigh_by_index(const WeightProblem& problem, const std::string& name, const KernelIndex& index);

/// The index of two classes: index(first, second). Of more: the mean over pairs of classes in both orders,
/// weighted by their numbers of pairs of rows. The first of two classes is the positive one, which is the
/// second of the table. `both_orders`: also for two classes.
double mean_over_pairs(std::span<const ClassRange> classes, bool both_orders,
                       const std::function<double(Index first, Index second)>& index);

}  // namespace dk
