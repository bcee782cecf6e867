// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kernel/gram_engine.hpp"

namespace dk {

/// Weights of all rows in all columns, as one block.
WeightBlock whole_block(std::span<const double> weights, Index rows, Index columns);

/// Throws Error(numerical) naming the row of the first value that is not finite; rows of so many columns.
void require_finite_results(std::span<const double> values, Index columns, Index first_row = 0);

/// Adds one offset a column to rows of so many values.
void add_offsets(std::span<double> values, std::span<const double> offsets);

}  // namespace dk
