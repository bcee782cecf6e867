// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/super_sparse/super_sparse_fit.hpp"

namespace dk {

/// Rows where prototypes start, at most as many as asked for, by orthogonal matching pursuit: each turn the
/// candidate that explains most of what is left of the targets. Candidates, and the rows that judge them, are
/// a random part of many rows.
std::vector<Index> starting_rows(const KernelPointer& kernel, const Dataset& data,
                                 const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                 Control& control);

}  // namespace dk
