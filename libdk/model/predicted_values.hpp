// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kernel/engine/gram_engine.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Makes one block with the weights of all rows in all columns.
WeightBlock whole_block(const ConstMatrixRef& weights);

/// Throws Error(numerical), naming the row, where a value is not finite. The values are rows of so many
/// columns, and the first of these rows is row `first_row` of the data.
void require_finite_results(std::span<const double> values, Index columns, Index first_row = 0);

/// Adds `weight` times row i of dense or sparse features to the coordinates of a point.
void add_features(const Dataset& rows, Index i, double weight, double* coordinates);

/// Gives rows other numbers: row i becomes numbers[i].
void number_rows(std::vector<Index>& rows, std::span<const Index> numbers);

/// Adds the offset of each column to every row of the values.
void add_offsets(std::span<double> values, std::span<const double> offsets);

}  // namespace dk
