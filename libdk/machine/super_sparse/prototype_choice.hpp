// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/super_sparse/super_sparse_fit.hpp"

namespace dk {

/// The number of prototypes m with the least error on held-out rows plus rho m, and all that were tried.
struct PrototypeChoice {
    Index prototypes = 0;
    std::vector<double> numbers = {};
    std::vector<double> errors = {};
};

/// min over m of L(m) + rho m (Demontis et al. 2016, equation 8), where L is the error on held-out rows. For
/// each fold the largest number is learned, then the lightest prototypes are dropped and the others learn on.
PrototypeChoice choose_prototypes(const KernelPointer& kernel, const Dataset& data,
                                  const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                  double rho, Control& control);

}  // namespace dk
