// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.hpp"

namespace dk {

/// Assigns each row to a fold, 0 to folds - 1. It divides each class evenly among the folds, or each range of
/// targets where there are no classes, or else the rows.
std::vector<Index> stratified_folds(const Dataset& data, Index folds, std::uint64_t seed);

/// Gives the rows that are in a fold, or those that are not, in ascending order.
std::vector<Index> rows_of_fold(std::span<const Index> folds, Index fold, bool inside);

}  // namespace dk
