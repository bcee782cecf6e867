// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/margin/binary_reduction.hpp"
#include "solve/squares/sparse_bayes.hpp"

namespace dk {

/// Parameters of the relevance vector machines.
namespace parameter {
constexpr FlagKey centred{
    "centred", true,
    "With yes, the basis is the columns of the centred kernel matrix, so that "
    "prototypes are convex combinations of rows. With no, predicting needs the relevance "
    "vectors only."};
constexpr RealKey tolerance{"tolerance", 1e-3, Range::positive(),
                            "Learning stops when no precision's logarithm would change by more than this."};
constexpr IntegerKey max_iterations{"max_iterations",
                                    500,
                                    {1, 1e9},
                                    "Learning stops after so many additions, removals and changes of basis "
                                    "functions. Regressions learn from three starts, each of which "
                                    "has so many."};
}  // namespace parameter

/// Lists the parameters above in their order.
std::vector<ParameterSpec> relevance_parameters();

/// Learns f(x) = sum_i gamma_i k(x_i, x) + offset with few coefficients that are not zero. The program and
/// its letters stand at the top of relevance_vectors.cpp.
BinarySolution learn_relevance_vectors(TrainingGram& gram, std::span<const double> targets,
                                       SparseBayesProgram::Likelihood likelihood,
                                       const TrainingProblem& problem);

}  // namespace dk
