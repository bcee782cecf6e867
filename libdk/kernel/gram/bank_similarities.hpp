// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/control.hpp"
#include "base/memory.hpp"
#include "kernel/engine/kernel.hpp"

namespace dk {

/// Computes the matrices of all kernels of a bank between all rows once, as similarities that selections of
/// these rows share. Matrix k is that of kernel k, so that kernel gram(k) on the result stands for it. Gives
/// nothing where the budget has no room for them.
std::optional<Dataset> bank_similarities(const Bank& bank, const Dataset& data, const MemoryBudget& budget,
                                         Control& control);

/// Makes the bank gram(0), gram(1), ... of so many matrices.
Bank similarity_bank(const Dataset& similarities);

}  // namespace dk
