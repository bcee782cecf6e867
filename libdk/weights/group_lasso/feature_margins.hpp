// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weights/group_lasso/group_lasso.hpp"

namespace dk {

/// Tells whether solve_feature_margins() finds the weights: the loss is squared slack, and every kernel of
/// the bank has features, which are fewer than the rows in all.
bool learns_from_features(const WeightProblem& problem, ErrorLoss errors);

/// Finds the weights of kernels with features for machines of squared slack, where errors cost C, without any
/// kernel matrix: features are computed again in pieces of rows in every step.
GroupLassoSolution solve_feature_margins(const WeightProblem& problem, double cost,
                                         const GroupLassoOptions& options);

}  // namespace dk
