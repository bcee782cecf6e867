// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Divides rows into clusters whose rows are near their mean in feature space, from their kernel matrix K.
/// Clusters begin with the rows of spanning_rows(), and each of at most `rounds` rounds
/// moves every row to the nearest mean. The result has the rows of each cluster, in their order; there are
/// fewer clusters than asked for where rows are the same.
std::vector<std::vector<Index>> kernel_k_means(const ConstMatrixRef& gram, Index clusters, Index rounds,
                                               Control& control);

}  // namespace dk
