// SPDX-License-Identifier: Apache-2.0
#include "pipeline/validation/rank_comparison.hpp"

#include <cmath>

#include "rank_groups.hpp"
#include "support.hpp"

namespace dk::test::rank_comparison_test {
namespace {

using command::groups_not_told_apart;

TEST(RankComparison, EqualScoresShareRanks) {
    const Matrix scores{{0.9, 0.8, 0.7}, {0.5, 0.5, 0.6}, {0.3, 0.3, 0.3}};
    BegunControl control(1);
    const Vector ranks = mean_ranks(scores, control);
    EXPECT_NEAR(ranks[0], (1 + 2.5 + 2) / 3, 1e-15);
    EXPECT_NEAR(ranks[1], (2 + 2.5 + 2) / 3, 1e-15);
    EXPECT_NEAR(ranks[2], (3 + 1.0 + 2) / 3, 1e-15);
}

/// Demsar's article has this example in section 3.2.3, the areas under the curve of C4.5 with two parameters,
/// with these mean ranks and both critical differences. Its scores of the last set but one are equal as
/// printed, and not as ranked.
TEST(RankComparison, GivesDemsarsExample) {
    const Matrix areas{
        {0.763, 0.768, 0.771, 0.798},  {0.599, 0.591, 0.590, 0.569}, {0.954, 0.971, 0.968, 0.967},
        {0.628, 0.661, 0.654, 0.657},  {0.882, 0.888, 0.886, 0.898}, {0.936, 0.931, 0.916, 0.931},
        {0.661, 0.668, 0.609, 0.685},  {0.583, 0.583, 0.563, 0.625}, {0.775, 0.838, 0.866, 0.875},
        {1.000, 1.000, 1.000, 1.000},  {0.940, 0.962, 0.965, 0.962}, {0.619, 0.666, 0.614, 0.669},
        {0.972, 0.981, 0.9751, 0.975}, {0.957, 0.978, 0.946, 0.970}};
    BegunControl control(1);
    const Vector ranks = mean_ranks(areas, control);
    const std::vector<double> published{3.143, 2.000, 2.893, 1.964};
    for (Index c = 0; c < 4; ++c) EXPECT_NEAR(ranks[c], published[c], 5e-4) << c;
    EXPECT_NEAR(critical_difference(4, 14, 0.05), 1.25, 5e-3);
    EXPECT_NEAR(critical_difference(4, 14, 0.10), 1.12, 5e-3);
}

/// Table 5(a) of Demsar's article has q for 2 to 10 learners at the levels 0.05 and 0.10.
TEST(RankComparison, CriticalDifferencesAreThoseOfTheTable) {
    const std::vector<double> at_5{1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
    const std::vector<double> at_10{1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920};
    for (Index learners = 2; learners <= 10; ++learners) {
        for (const Index sets : {4, 20}) {
            const double scale = std::sqrt(learners * (learners + 1.0) / (6.0 * sets));
            const double q_5 = at_5[learners - 2] * scale;
            const double q_10 = at_10[learners - 2] * scale;
            EXPECT_NEAR(critical_difference(learners, sets, 0.05), q_5, 1e-3 * q_5) << learners;
            EXPECT_NEAR(critical_difference(learners, sets, 0.10), q_10, 1e-3 * q_10) << learners;
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
}  // namespace dk::test::rank_comparison_test
