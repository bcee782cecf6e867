// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/control.hpp"
#include "base/memory.hpp"
#include "kernel/engine/kernel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Some rows of the matrices of all kernels of a bank. Those of kernel k are the rows k * count, k * count +
/// 1,
/// ... of `values`, and stand for the rows first, first + 1, ... of its matrix.
struct BankRows {
    Index first = 0;
    Index count = 0;
    MatrixView values;

    auto of_kernel(Index k) { return values.middleRows(k * count, count); }
};

/// Gives the reader the rows of all matrices, a few at a time, so that no matrix is kept. The reader may
/// change them.
void read_bank_rows(const Bank& bank, const Dataset& data, const MemoryBudget& budget, Control& control,
                    const std::function<void(BankRows& rows)>& reader);

/// Gives 5000 rows of the data in their order, which are drawn, where there are more, and else all. Sums over
/// pairs of so many rows are near those over all pairs.
Dataset sampled_rows(const Dataset& data, std::uint64_t seed);

}  // namespace dk
