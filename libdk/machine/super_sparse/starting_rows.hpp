// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/super_sparse/super_sparse_fit.hpp"

namespace dk {

/// Chooses the training rows where prototypes start, at most as many as the options ask for, by orthogonal
/// matching pursuit. They are fewer where the similarities to some rows explain those to all others.
std::vector<Index> starting_rows(const KernelPointer& kernel, const Dataset& data,
                                 const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                 Control& control);

/// Draws different rows, the same number of each class where there are classes, and else one of each range
/// of targets.
std::vector<Index> random_starting_rows(const Dataset& data, Index count, std::uint64_t seed);

}  // namespace dk
