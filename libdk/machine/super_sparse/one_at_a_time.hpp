// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/super_sparse/super_sparse_fit.hpp"

namespace dk {

/// Moves prototypes as the paper does, each by itself in turn, and fills the solution.
void move_one_at_a_time(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                        const SuperSparseOptions& options, SuperSparseSolution& solution, Control& control);

}  // namespace dk
