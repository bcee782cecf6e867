// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace command {

// A maximal group of learners whose mean ranks differ by less than `difference`, as positions in ascending
// order of their ranks: those that the test of the ranks does not tell apart.
using Alike = std::vector<std::size_t>;
std::vector<Alike> groups_not_told_apart(std::span<const double> ranks, double difference);

}  // namespace command
