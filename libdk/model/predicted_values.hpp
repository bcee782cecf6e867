// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kernel/engine/gram_engine.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// One block with the weights of all rows in all columns.
WeightBlock whole_block(const ConstMatrixRef& weights);

/// Throws Error(numerical) naming the row of the first value that is not finite. Values are rows of so many
/// columns, the first of which is row `first_row` of the data.
void require_finite_results(std::span<const double> values, Index columns, Index first_row = 0);

/// Adds the offset of each column to rows of as many values.
void add_offsets(std::span<double> values, std::span<const double> offsets);

}  // namespace dk
