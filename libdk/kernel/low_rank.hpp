// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parameters.hpp"
#include "kernel/kernel.hpp"

namespace dk {

/// rank, method and seed of lowrank(kernel, rank=, method=, seed=).
std::vector<ParameterSpec> low_rank_parameters();

/// An approximation of the kernel by at most `rank` features, learned on the data: whatever takes kernels
/// takes it, at the cost of its rank instead of the rows.
KernelPointer low_rank(const KernelPointer& kernel, const Parameters& parameters, const Dataset& data,
                       Control& control);

/// The same from a state that such a kernel gave.
KernelPointer restore_low_rank(const KernelPointer& kernel, const Parameters& parameters, KernelState state);

}  // namespace dk
