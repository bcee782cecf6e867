// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/engine/kernel.hpp"

namespace dk {

/// Gives the values of a kernel on the workspace's block, whose rows have no gaps.
template <typename T>
std::vector<T> values_of(const Evaluator<T>& evaluator, Workspace<T>& workspace) {
    std::vector<T> values(workspace.block().rows() * workspace.block().cols);
    evaluator.evaluate(workspace, values.data(), workspace.block().cols);
    return values;
}

/// Adds out(i, columns) += sum_j weights(i, j) z_j over the right rows z_j of the block, which are dense.
/// This is the gradient of a function of x.z, whose slopes are the weights. `weights` has the block's shape,
/// and `out` the block's left rows, `stride` values apart.
template <typename T>
void add_weighted_rows(const Workspace<T>& workspace, std::size_t product, const Columns& columns,
                       const double* weights, double* out, Index stride);

/// Adds out(i, columns) += sum_j weights(i, j) (x_i - z_j) likewise. This is half the gradient of a function
/// of |x - z|^2, whose slopes are the weights.
template <typename T>
void add_weighted_differences(const Workspace<T>& workspace, std::size_t product, const Columns& columns,
                              const double* weights, double* out, Index stride);

}  // namespace dk
