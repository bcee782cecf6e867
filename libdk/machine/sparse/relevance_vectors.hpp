// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/margin/binary_reduction.hpp"
#include "solve/squares/sparse_bayes.hpp"

namespace dk {

/// Parameters of the relevance vector machines.
namespace parameter {
constexpr FlagKey centred{"centred", true,
                          "Whether the basis is the columns of the centred kernel matrix, so that prototypes "
                          "are convex combinations "
                          "of rows. Without, predicting needs the relevance vectors only."};
constexpr RealKey tolerance{"tolerance", 1e-3, Range::positive(),
                            "The change of a precision's logarithm at which learning stops."};
constexpr IntegerKey max_iterations{
    "max_iterations", 500, {1, 1e9}, "The limit of additions, removals and changes of basis functions."};
}  // namespace parameter

/// The parameters above, in their order.
std::vector<ParameterSpec> relevance_parameters();

/// Learns f(x) = sum_i gamma_i k(x_i, x) + offset by sparse Bayes, whose basis is the columns of the kernel
/// matrix: the weights with the largest evidence, most of which are zero (Tipping 2001; Tipping, Faul 2003).
BinarySolution learn_relevance_vectors(TrainingGram& gram, std::span<const double> targets,
                                       SparseBayesProgram::Likelihood likelihood,
                                       const TrainingProblem& problem);

}  // namespace dk
