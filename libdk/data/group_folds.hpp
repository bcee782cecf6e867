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
/// leaves the classes most even; to that with the fewest rows so far where folds are equal in that, as they
/// always are where there are no classes, or only one; and then to the first. Seeds other than `rule_seed`
/// take groups of about the same size, whose numbers of rows have equally many binary digits, in a random
/// order.
std::vector<Index> group_folds(const Dataset& data, Index folds, std::uint64_t seed);

}  // namespace dk
