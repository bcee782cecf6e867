// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.hpp"

namespace dk {

/// Assigns each row to a fold, 0 to folds - 1. It divides each class evenly among the folds, or each range of
/// targets where there are no classes, or else the rows. Where rows have groups, it is group_folds() instead,
/// which keeps each group in one fold.
std::vector<Index> stratified_folds(const Dataset& data, Index folds, std::uint64_t seed);

/// Gives the largest number of folds that the data can be divided into: that of the rows, or of their groups.
Index most_folds(const Dataset& data);

/// Gives the rows that are in a fold, or those that are not, in ascending order.
std::vector<Index> rows_of_fold(std::span<const Index> folds, Index fold, bool inside);

}  // namespace dk
