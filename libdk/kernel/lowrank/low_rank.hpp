// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parameters.hpp"
#include "kernel/engine/kernel.hpp"

namespace dk {

/// How the features of a low-rank approximation are found, in the order of the names of parameter::method.
enum class LandmarkMethod { rpcholesky, kmeans, uniform, random, sigmoid_nodes };

namespace parameter {
inline constexpr IntegerKey rank{
    "rank", 100, {1, 1000000}, "The approximation has at most this many features."};
inline constexpr ChoiceKey<LandmarkMethod> method{
    "method",
    {"rpcholesky", "kmeans", "uniform", "random", "sigmoid_nodes"},
    "The method says where features come from: from landmarks, which randomly pivoted Cholesky (rpcholesky), "
    "k-means or chance (uniform) chooses, or from random features (random). sigmoid_nodes are the random "
    "nodes of an extreme learning machine; they take linear alone, which they do not approximate."};
inline constexpr IntegerKey low_rank_seed{"seed", 1, {0, 9e15}, "The seed starts the random numbers."};
}  // namespace parameter

/// The parameters of lowrank(kernel, rank=, method=, seed=).
std::vector<ParameterSpec> low_rank_parameters();

/// Learns an approximation of the kernel by at most `rank` features from the data.
KernelPointer low_rank(const KernelPointer& kernel, const Parameters& parameters, const Dataset& data,
                       Control& control);

/// Makes the approximation again from the state that collect_states() gave.
KernelPointer restore_low_rank(const KernelPointer& kernel, const Parameters& parameters, KernelState state);

}  // namespace dk
