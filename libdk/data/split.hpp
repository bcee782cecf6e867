// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.hpp"

namespace dk {

/// The fold of each row, in [0, folds). Each class is dealt out evenly; without classes, each
/// quantile of the targets; without either, the rows.
std::vector<Index> stratified_folds(const Dataset& data, Index folds, std::uint64_t seed);

/// The rows inside or outside one fold, ascending.
std::vector<Index> rows_of_fold(std::span<const Index> folds, Index fold, bool inside);

}  // namespace dk
