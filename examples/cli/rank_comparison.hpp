// SPDX-License-Identifier: Apache-2.0
// This file compares learners over several data sets by their ranks, as Demsar, Statistical comparisons of
// classifiers over multiple data sets, JMLR 7, 2006, section 3.2.2. It needs numbers only, so that tests can
// compare it with values by hand.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace command {

// The mean rank of each learner, 1 for the best; equal scores share their ranks. `scores` has the scores of
// all learners for each data set, of which the larger is the better.
std::vector<double> mean_ranks(std::span<const std::vector<double>> scores);

// The difference of two mean ranks from which on Nemenyi's test tells two of `learners` apart at the level
// 0.05: q sqrt(learners (learners + 1) / (6 sets)), where q is the 0.95 quantile of the range of as many
// normal numbers, divided by sqrt(2). At least 2 learners and 1 set.
double critical_difference(std::size_t learners, std::size_t sets);

// A maximal group of learners whose mean ranks differ by less than `difference`, as positions in ascending
// order of their ranks.
using Alike = std::vector<std::size_t>;
std::vector<Alike> groups_not_told_apart(std::span<const double> ranks, double difference);

}  // namespace command
