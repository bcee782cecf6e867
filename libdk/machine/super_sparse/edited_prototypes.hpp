// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/super_sparse/super_sparse_fit.hpp"

namespace dk {

/// Moves prototypes that have no coordinates by edits, from the points and training rows of the solution,
/// which it fills. Gives false, and leaves the solution as it is, for data whose prototypes cannot be edited.
bool edit_prototypes(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                     const SuperSparseOptions& options, SuperSparseSolution& solution, Control& control);

}  // namespace dk
