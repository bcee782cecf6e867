// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parameters.hpp"
#include "kernel/kernel.hpp"

namespace dk {

enum class LandmarkMethod { rpcholesky, kmeans, uniform, random };

namespace parameter {
inline constexpr IntegerKey rank{"rank", 100, {1, 1000000}, "The largest number of features."};
inline constexpr ChoiceKey<LandmarkMethod> method{
    "method",
    {"rpcholesky", "kmeans", "uniform", "random"},
    "How features are found: from landmarks by randomly pivoted Cholesky, k-means or chance (uniform); or as "
    "random features."};
inline constexpr IntegerKey low_rank_seed{"seed", 1, {0, 9e15}, "The seed of everything random."};
}  // namespace parameter

/// rank, method and seed of lowrank(kernel, rank=, method=, seed=).
std::vector<ParameterSpec> low_rank_parameters();

/// An approximation of the kernel by at most `rank` features, learned on the data: whatever takes kernels
/// takes it, at the cost of its rank instead of the rows.
KernelPointer low_rank(const KernelPointer& kernel, const Parameters& parameters, const Dataset& data,
                       Control& control);

/// The same from a state that such a kernel gave.
KernelPointer restore_low_rank(const KernelPointer& kernel, const Parameters& parameters, KernelState state);

}  // namespace dk
