// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weights/group_lasso/group_lasso.hpp"

namespace dk {

/// Tells whether every kernel of the bank has features, which are at most a quarter
/// as many as the rows in all.
bool have_features(const Bank& bank, Index rows);

/// Finds the weights of kernels with features for machines of squared slack, where errors cost C, without any
/// kernel matrix: features are computed again in pieces of rows in every step.
GroupLassoSolution solve_feature_margins(const WeightProblem& problem, double cost,
                                         const GroupLassoOptions& options);

struct FeatureMarginOptions {
    double gap;               // the duality gap, divided by the objective, at which it stops
    std::int64_t most_steps;  // of Newton's method
};

struct FeatureMarginSolution {
    std::vector<double> v = {};  // the function is sum_i v_i k(x_i, .) + offset
    double offset = 0;
    double objective = 0;
    double gap = 0;  // as a share of the objective
    std::int64_t steps = 0;
    bool converged = false;
};

/// Finds the machine of squared slack in one kernel with features likewise.
FeatureMarginSolution solve_feature_margin(const KernelPointer& kernel, const Dataset& data, MarginRows rows,
                                           const FeatureMarginOptions& options, const MemoryBudget& budget,
                                           Control& control);

}  // namespace dk
