// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/kernel.hpp"

namespace dk {

/// The values of a kernel on the workspace's block, rows without gaps.
template <typename T>
std::vector<T> values_of(const Evaluator<T>& evaluator, Workspace<T>& workspace) {
    std::vector<T> values(workspace.block().rows() * workspace.block().cols);
    evaluator.evaluate(workspace, values.data(), workspace.block().cols);
    return values;
}

/// out(i, columns) += sum_j weights(i, j) z_j: the gradient of a function of x.z. `weights` has the block's
/// shape, `out` its left rows and the given stride. Dense rows only.
template <typename T>
void add_weighted_rows(const Workspace<T>& workspace, std::size_t product, const Columns& columns,
                       const double* weights, double* out, Index stride);

/// out(i, columns) += sum_j weights(i, j) (x_i - z_j): half the gradient of a function of |x - z|^2.
template <typename T>
void add_weighted_differences(const Workspace<T>& workspace, std::size_t product, const Columns& columns,
                              const double* weights, double* out, Index stride);

}  // namespace dk
