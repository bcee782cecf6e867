// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"

namespace dk {

/// With this seed, the default of the parameter seed, groups are dealt out by the rule alone, so that the
/// folds can be checked by hand. Every other seed, and so every further repeat, draws random numbers.
inline constexpr std::uint64_t rule_seed = 1;

/// Counts the different groups.
Index group_count(std::span<const std::int64_t> groups);

/// Assigns each row to a fold, 0 to folds - 1, so that all rows of a group are in the same one. It deals out
/// the groups by descending size, and those of the same size by ascending number, each to the fold that
/// leaves the classes most even, of equal ones to that with the fewest rows so far, and then to the first.
/// Without classes, or with only one, the fold with the fewest rows is the most even. Seeds other than
/// `rule_seed` take groups of about the same size, whose numbers of rows have equally many binary digits, in
/// a random order.
std::vector<Index> group_folds(const Dataset& data, Index folds, std::uint64_t seed);

/// Assigns each row to a fold, 0 to folds - 1. It divides each class evenly among the folds, or each range of
/// targets where there are no classes, or else the rows. Where rows have groups, it is group_folds() instead,
/// which keeps each group in one fold.
std::vector<Index> stratified_folds(const Dataset& data, Index folds, std::uint64_t seed);

/// Gives the largest number of folds that the data can be divided into: that of the rows, or of their groups.
Index most_folds(const Dataset& data);

/// Gives the rows that are in a fold, or those that are not, in ascending order.
std::vector<Index> rows_of_fold(std::span<const Index> folds, Index fold, bool inside);

}  // namespace dk
