// SPDX-License-Identifier: Apache-2.0
// Thresholds between two classes: orders of the bound from tables of the binomial distribution, costs by
// hand, and the bound on rows drawn anew.
#include "pipeline/threshold.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "support.hpp"

namespace dk::threshold_test {
namespace {

double threshold_of(const ThresholdGoal& goal, const std::vector<double>& decisions,
                    const std::vector<Index>& classes) {
    Control control;
    return threshold_for(goal, decisions, classes, control).value;
}

/// Decisions 1, 2, ..., n of the first class.
double bound_of(Index n, double false_alarms, double sure = 0.95) {
    std::vector<double> decisions(n);
    std::iota(decisions.begin(), decisions.end(), 1.0);
    return threshold_of({.false_alarms = false_alarms, .sure = sure}, decisions, std::vector<Index>(n, 0));
}

// scipy.stats.binom.sf(k - 1, n, 1 - false_alarms) <= 1 - sure has these smallest k. The threshold lies
// between the k-th decision and the next.
TEST(Threshold, LiesAtTheOrderOfTheBinomialDistribution) {
    EXPECT_EQ(bound_of(100, 0.1), 96.5);
    EXPECT_EQ(bound_of(200, 0.05), 196.5);
    EXPECT_EQ(bound_of(100, 0.05), 99.5);
    EXPECT_EQ(bound_of(1000, 0.05), 962.5);
    EXPECT_EQ(bound_of(300, 0.1, 0.9), 278.5);
    EXPECT_EQ(bound_of(100000, 0.01), 99052.5);
}

TEST(Threshold, NeedsRowsForItsBound) {
    // 0.95^59 = 0.0485 and 0.95^58 = 0.0510.
    const double last = bound_of(59, 0.05);
    EXPECT_GT(last, 59);
    EXPECT_LT(last, 59.001);
    try {
        bound_of(58, 0.05);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::unsupported);
        const std::string message = error.what();
        EXPECT_NE(message.find("needs 59 rows"), std::string::npos) << message;
        EXPECT_NE(message.find("there are 58"), std::string::npos) << message;
    }
}

// Where (1 - false_alarms)^n is 1 - sure but for its rounding, the bound is refused or kept, and no threshold
// is the lowest decision.
TEST(Threshold, IsBoundedWhereRowsAreJustEnough) {
    for (Index n = 2; n <= 60; ++n) {
        const double sure = 0.5;
        const double false_alarms = 1 - std::pow(1 - sure, 1.0 / static_cast<double>(n));
        try {
            EXPECT_GT(bound_of(n, false_alarms, sure), n) << n;
        } catch (const Error& error) {
            EXPECT_EQ(error.status(), Status::unsupported) << n;
        }
    }
}

/// The probability that a normal number is above.
double normal_tail(double value) {
    return std::erfc(value / std::sqrt(2.0)) / 2;
}

// The share of new rows above the threshold is known here, because decisions are normal numbers.
TEST(Threshold, KeepsItsBoundAndIsNotWasteful) {
    constexpr Index repetitions = 2000;
    Random random(7);
    double broken = 0;
    double sum = 0;
    std::vector<double> decisions(300);
    std::vector<Index> classes(300, 0);
    std::fill(classes.begin() + 200, classes.end(), 1);
    for (Index r = 0; r < repetitions; ++r) {
        for (Index i = 0; i < 300; ++i) decisions[i] = random.normal() + (i < 200 ? 0 : 1.5);
        const double share = normal_tail(threshold_of({.false_alarms = 0.05}, decisions, classes));
        broken += share > 0.05 ? 1 : 0;
        sum += share;
    }
    // By the table above it is broken with probability 0.0264 at most; the 196th of 200 has a mean tail of
    // 5/201, and the next decision, of either class, is not far above.
    EXPECT_LE(broken / repetitions, 0.0264 + 4 * std::sqrt(0.0264 / repetitions));
    EXPECT_GE(sum / repetitions, 0.02);
}

TEST(Threshold, IsTheCheapestByHand) {
    const std::vector<double> decisions{-2, -1.5, 0.5, 1, 2, 3};
    const std::vector<Index> classes{0, 1, 0, 0, 1, 1};
    // Without a shift there is a miss (-1.5) and two false alarms (0.5 and 1); above 1 there is a miss alone.
    EXPECT_EQ(threshold_of({.miss_cost = 1}, decisions, classes), 1.5);
    // If misses cost four times as much, two false alarms are cheaper than the miss.
    EXPECT_EQ(threshold_of({.miss_cost = 4}, decisions, classes), -1.75);
    // Among equal ones, at a cost of 2 for each way, the nearest to 0 is taken.
    EXPECT_EQ(threshold_of({.miss_cost = 2}, decisions, classes), 1.5);
}

TEST(Threshold, StaysWhereNothingIsBetter) {
    const std::vector<double> decisions{-2, -1, 1, 2};
    EXPECT_EQ(threshold_of({.miss_cost = 10}, decisions, {0, 0, 1, 1}), 0);
}

TEST(Threshold, OfCostsNeedsRowsOfBothClasses) {
    const std::vector<double> decisions{-2, -1, 1, 2};
    for (const Index only : {0, 1}) {
        try {
            threshold_of({.miss_cost = 10}, decisions, std::vector<Index>(4, only));
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.status(), Status::invalid_data);
        }
    }
}

// 700,000 decisions are sorted in three pieces.
TEST(Threshold, OfManyRowsIsThatOfTheirOrder) {
    constexpr Index rows = 700000;
    std::vector<double> decisions(rows);
    for (Index i = 0; i < rows; ++i) decisions[i] = (i * 433494437) % rows + 1;
    const double bound = threshold_of({.false_alarms = 0.01}, decisions, std::vector<Index>(rows, 0));
    // scipy.stats.binom.sf(k - 1, 700000, 0.99) <= 0.05 from k = 693138 on.
    EXPECT_EQ(bound, 693138.5);
}

TEST(Threshold, IsTheCheapestOfThoseThatKeepTheBound) {
    std::vector<double> decisions(59);
    std::iota(decisions.begin(), decisions.end(), 1.0);
    std::vector<Index> classes(59, 0);
    decisions.insert(decisions.end(), {10, 70, 80});
    classes.insert(classes.end(), {1, 1, 1});
    // Misses are dear, but false alarms have to be rare: the bound alone has the last word.
    EXPECT_EQ(threshold_of({.false_alarms = 0.05, .miss_cost = 1e6}, decisions, classes), 64.5);
}

TEST(Threshold, GoalsAreReadAndRefused) {
    const ThresholdGoal goal = threshold_goal("false_alarms=0.1 sure=0.9 miss_cost=3");
    EXPECT_EQ(goal.false_alarms, 0.1);
    EXPECT_EQ(goal.sure, 0.9);
    EXPECT_EQ(goal.miss_cost, 3);
    for (const char* wrong :
         {"", "sure=0.9", "false_alarms=0", "false_alarms=0.6", "false_alarms=-1", "miss_cost=nan",
          "miss_cost=1e10", "sure=1", "alarms=0.1", "false_alarms", "false_alarms=0.1,sure=0.9"})
        EXPECT_THROW(threshold_goal(wrong), Error) << wrong;
}

}  // namespace
}  // namespace dk::threshold_test
