// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/super_sparse/super_sparse_fit.hpp"

namespace dk {

/// The chosen number of prototypes, the numbers that were tried, and the error of each on held-out rows.
struct PrototypeChoice {
    Index prototypes = 0;
    std::vector<double> numbers = {};
    std::vector<double> errors = {};
};

/// Chooses the number of prototypes by cross-validation, from the number in the options downwards. A rho of 0
/// stands for a hundredth of the error with the largest number.
PrototypeChoice choose_prototypes(const KernelPointer& kernel, const Dataset& data,
                                  const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                  double rho, Control& control);

}  // namespace dk
