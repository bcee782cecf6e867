// SPDX-License-Identifier: Apache-2.0
#include "rank_comparison.hpp"

#include <cmath>

#include "support.hpp"

namespace dk::test {
namespace {

using command::critical_difference;
using command::groups_not_told_apart;
using command::mean_ranks;

TEST(RankComparison, EqualScoresShareRanks) {
    const std::vector<std::vector<double>> scores{{0.9, 0.8, 0.7}, {0.5, 0.5, 0.6}, {0.3, 0.3, 0.3}};
    const auto ranks = mean_ranks(scores);
    EXPECT_NEAR(ranks[0], (1 + 2.5 + 2) / 3, 1e-15);
    EXPECT_NEAR(ranks[1], (2 + 2.5 + 2) / 3, 1e-15);
    EXPECT_NEAR(ranks[2], (3 + 1.0 + 2) / 3, 1e-15);
}

/// Table 5(a) of Demsar's article has q for 2 to 10 learners at the level 0.05.
TEST(RankComparison, CriticalDifferencesAreThoseOfTheTable) {
    const std::vector<double> table{1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
    for (std::size_t learners = 2; learners <= 10; ++learners) {
        for (const std::size_t sets : {4U, 20U}) {
            const auto s = static_cast<double>(learners);
            const double known =
                table[learners - 2] * std::sqrt(s * (s + 1) / (6 * static_cast<double>(sets)));
            EXPECT_NEAR(critical_difference(learners, sets), known, 1e-3 * known) << learners;
        }
    }
}

TEST(RankComparison, GroupsAreMaximal) {
    const std::vector<double> ranks{3.0, 1.0, 1.5, 4.2, 2.2};
    using Groups = std::vector<command::Alike>;
    EXPECT_EQ(groups_not_told_apart(ranks, 1.25), (Groups{{1, 2, 4}, {4, 0}, {0, 3}}));
    EXPECT_EQ(groups_not_told_apart(ranks, 0.1), Groups{});
    EXPECT_EQ(groups_not_told_apart(ranks, 5), (Groups{{1, 2, 4, 0, 3}}));
}

}  // namespace
}  // namespace dk::test
