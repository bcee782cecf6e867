// SPDX-License-Identifier: Apache-2.0
#include "model/decision/decision_rule.hpp"

#include <algorithm>
#include <numeric>

#include "support.hpp"

namespace dk::test::decision_rule_test {
namespace {

std::vector<double> scores(DecisionRule rule, const std::vector<double>& decisions,
                           const std::vector<double>& norms, std::size_t classes) {
    std::vector<double> out(classes);
    class_scores(rule, static_cast<Index>(classes), decisions, norms, out);
    return out;
}

Index elected(DecisionRule rule, const std::vector<double>& decisions, const std::vector<double>& norms,
              std::size_t classes) {
    return first_largest(scores(rule, decisions, norms, classes));
}

TEST(DecisionRule, Counts) {
    EXPECT_EQ(decision_count(DecisionRule::binary, 2), 1);
    EXPECT_EQ(decision_count(DecisionRule::one_vs_one, 5), 10);
    EXPECT_EQ(decision_count(DecisionRule::one_vs_rest, 5), 5);
}

TEST(DecisionRule, TwoClassesBySign) {
    EXPECT_EQ(elected(DecisionRule::binary, {0.5}, {1}, 2), 1);
    EXPECT_EQ(elected(DecisionRule::binary, {-0.5}, {1}, 2), 0);
    EXPECT_EQ(elected(DecisionRule::binary, {0.0}, {1}, 2), 0);  // A tie goes to the first class.
}

TEST(DecisionRule, OneVsRestByDistanceToThePlane) {
    // The decisions f = 2, 3, 1 at |w| = 1, 4, 0.25 are the distances 2, 0.75, 4.
    EXPECT_EQ(scores(DecisionRule::one_vs_rest, {2, 3, 1}, {1, 4, 0.25}, 3),
              (std::vector<double>{2, 0.75, 4}));
    EXPECT_EQ(elected(DecisionRule::one_vs_rest, {2, 3, 1}, {1, 4, 0.25}, 3), 2);
    EXPECT_EQ(elected(DecisionRule::one_vs_rest, {-1, -1, -1}, {1, 1, 1}, 3), 0);
    EXPECT_EQ(elected(DecisionRule::one_vs_rest, {-5, -1, -1}, {1, 1, 1}, 3), 1);
}

TEST(DecisionRule, OneVsOneByVotes) {
    // The pairs are 01, 02 and 12: class 1 beats 0, 0 beats 2, and 1 beats 2.
    EXPECT_EQ(elected(DecisionRule::one_vs_one, {-1, 100, 1}, {1, 1, 1}, 3), 1);
    // Class 2 beats both others by a hair, 0 beats 1 by far.
    EXPECT_EQ(elected(DecisionRule::one_vs_one, {1000, -0.001, -0.001}, {1, 1, 1}, 3), 2);
}

TEST(DecisionRule, EqualVotesGoToTheLargerSumOfDistances) {
    // The votes are a circle: 0 beats 1 by 1, 1 beats 2 by 3, 2 beats 0 by 1; the sums are 0, 2, -2.
    EXPECT_EQ(elected(DecisionRule::one_vs_one, {1, -1, 3}, {1, 1, 1}, 3), 1);
    // Lengths can make 0 the winner of this circle: distances 10, 1, 3 have the sums 9, -7, -2.
    EXPECT_EQ(elected(DecisionRule::one_vs_one, {1, -1, 3}, {0.1, 1, 1}, 3), 0);
    // In a perfect circle the first class wins.
    EXPECT_EQ(elected(DecisionRule::one_vs_one, {1, -1, 1}, {1, 1, 1}, 3), 0);
}

TEST(DecisionRule, RowsOfAClassAreRankedByTheirDecisions) {
    const auto ranked = [](const std::vector<double>& decisions, const std::vector<double>& norms,
                           std::size_t classes) {
        std::vector<double> out(classes);
        ranking_scores(DecisionRule::one_vs_one, static_cast<Index>(classes), decisions, norms, out);
        return out;
    };
    // Class 1 beats both others; its sum is -f01 + f12, whatever the lengths are.
    const auto score = [&](double first, double second) {
        return ranked({-first, 5, second}, {3, 2, 7}, 3)[1];
    };
    EXPECT_DOUBLE_EQ(score(1, 1), 2 + 0.49 * 2 / 3);
    EXPECT_DOUBLE_EQ(score(0.25, 0.5), 2 + 0.49 * 0.75 / 1.75);
    EXPECT_GT(score(2, 1), score(1, 1));
    // So are classes that do not lead: class 0 has one vote and the sum -1 + 5.
    EXPECT_DOUBLE_EQ(ranked({-1, 5, 1}, {3, 2, 7}, 3)[0], 1 + 0.49 * 4 / 5);
    // Among classes that lead distances decide: the votes are a circle, and class 0 has 1 / 0.1 - 1.
    EXPECT_DOUBLE_EQ(ranked({1, -1, 3}, {0.1, 1, 1}, 3)[0], 1 + 0.49 * 9 / 10);
    // The largest is the elected class's, however large decisions are: of four classes 3 beats all others by
    // a hair, and 0 the others by far.
    const std::vector<double> far{1e300, 1e300, -1e-300, 1, -1e-300, -1e-300};
    EXPECT_EQ(first_largest(ranked(far, std::vector<double>(6, 1.0), 4)), 3);
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
        const auto values = normal_values(15, seed);
        const std::vector<double> norms(15, 0.5);
        EXPECT_EQ(first_largest(ranked(values, norms, 6)),
                  elected(DecisionRule::one_vs_one, values, norms, 6));
    }
    EXPECT_EQ(scores(DecisionRule::one_vs_rest, {2, 3, 1}, {1, 4, 0.25}, 3)[2], 4);
}

TEST(DecisionRule, SumsNeverOutweighAVote) {
    for (const double large : {1.0, 1e6, 1e300}) {
        const auto found = scores(DecisionRule::one_vs_one, {large, large, -1e-300}, {1, 1, 1}, 3);
        EXPECT_EQ(first_largest(found), 0);
        EXPECT_GT(found[2], found[1]);  // Class 2 has one vote, class 1 none.
    }
}

TEST(Coupling, RecoversConsistentProbabilities) {
    // With r_ab = p_a / (p_a + p_b), p follows from the pairs without contradiction. The decisions are log(r
    // / (1 - r)) under the sigmoid of -f.
    for (const auto& p :
         {std::vector<double>{0.5, 0.3, 0.2}, {0.1, 0.2, 0.3, 0.4}, {0.9, 0.05, 0.03, 0.01, 0.01}}) {
        const auto classes = std::ssize(p);
        std::vector<double> decisions;
        for (std::size_t a = 0; a < p.size(); ++a) {
            for (std::size_t b = a + 1; b < p.size(); ++b) decisions.push_back(std::log(p[a] / p[b]));
        }
        const Calibration calibration{std::vector<double>(decisions.size(), -1.0),
                                      std::vector<double>(decisions.size(), 0.0)};
        std::vector<double> found(p.size());
        class_probabilities(DecisionRule::one_vs_one, classes, decisions, calibration, found);
        for (std::size_t c = 0; c < p.size(); ++c) EXPECT_NEAR(found[c], p[c], 1e-6);
        EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0), 1, 1e-12);
    }
}

/// Where pairs contradict each other, p is the minimum of sum (r_ba p_a - r_ab p_b)^2 on the simplex.
TEST(Coupling, MinimisesTheContradictions) {
    const std::vector<double> decisions{1.5, -0.7, 2.0};  // Class 0 beats 1, 2 beats 0, and 1 beats 2.
    const Calibration calibration{{-1, -1, -1}, {0, 0, 0}};
    std::vector<double> found(3);
    class_probabilities(DecisionRule::one_vs_one, 3, decisions, calibration, found);
    const auto r = [&](std::size_t a, std::size_t b) {
        const double f = decisions[a + b - 1];
        const double p = 1 / (1 + std::exp(-f));
        return a < b ? p : 1 - p;
    };
    const auto contradiction = [&](const std::vector<double>& p) {
        double sum = 0;
        for (std::size_t a = 0; a < 3; ++a) {
            for (std::size_t b = a + 1; b < 3; ++b) sum += std::pow(r(b, a) * p[a] - r(a, b) * p[b], 2);
        }
        return sum;
    };
    const double least = contradiction(found);
    for (double x = 0; x <= 1; x += 0.005) {
        for (double y = 0; x + y <= 1; y += 0.005) EXPECT_LE(least, contradiction({x, y, 1 - x - y}) + 1e-12);
    }
    EXPECT_NEAR(found[0] + found[1] + found[2], 1, 1e-12);
}

TEST(Coupling, CertainPairsGiveCertainClasses) {
    const Calibration calibration{{-1, -1, -1}, {0, 0, 0}};
    std::vector<double> found(3);
    class_probabilities(DecisionRule::one_vs_one, 3, std::vector<double>{1e6, 1e6, -1e6}, calibration, found);
    EXPECT_NEAR(found[0], 1, 1e-5);
    for (const double p : found) EXPECT_TRUE(p >= 0 && p <= 1);
}

TEST(Coupling, OneVsRestIsNormalised) {
    const Calibration calibration{{-1, -1, -1}, {0, 0, 0}};
    std::vector<double> found(3);
    class_probabilities(DecisionRule::one_vs_rest, 3, std::vector<double>{0, std::log(3.0), -std::log(3.0)},
                        calibration, found);
    // The sigmoids are 1/2, 3/4 and 1/4.
    EXPECT_NEAR(found[0], 1.0 / 3, 1e-14);
    EXPECT_NEAR(found[1], 1.0 / 2, 1e-14);
    EXPECT_NEAR(found[2], 1.0 / 6, 1e-14);
    class_probabilities(DecisionRule::one_vs_rest, 3, std::vector<double>{-1e5, -1e5, -1e5}, calibration,
                        found);
    EXPECT_NEAR(found[0], 1.0 / 3, 1e-14);
}

}  // namespace
}  // namespace dk::test::decision_rule_test
