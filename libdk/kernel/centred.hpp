// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/kernel.hpp"

namespace dk {

/// The kernel of features whose mean over the reference rows is zero:
/// k(x, z) - mean_i k(x, r_i) - mean_i k(r_i, z) + mean_ij k(r_i, r_j) (Schoelkopf, Smola, Mueller 1998).
KernelPointer centred(KernelPointer kernel, const Dataset& reference, Control& control);

/// The same from a state that such a kernel gave.
KernelPointer restore_centred(KernelPointer kernel, KernelState state);

}  // namespace dk
