// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/engine/kernel.hpp"

namespace dk {

/// Throws Error(numerical) when a value between two different rows of an n x n matrix is not finite. The
/// engine has checked the diagonal before.
void require_finite_matrix(const Kernel& kernel, const double* matrix, Index n, Control& control);

}  // namespace dk
