// SPDX-License-Identifier: Apache-2.0
// Ranks of columns: by hand, at sizes where knots are thinned, and there and back.
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "data/scaling/scaler.hpp"
#include "support.hpp"

namespace dk::column_ranks_test {
namespace {

DenseMatrix column(std::vector<double> values) {
    const Index rows = std::ssize(values);
    return {.rows = rows, .cols = 1, .values = std::move(values)};
}

TEST(ColumnRanks, ByHand) {
    // Of four rows 1 takes the rank from 0 to 1/4, the two 2 that up to 3/4, and 10 the rest.
    const ColumnRanks ranks = fit_ranks(column({10, 2, 1, 2}));
    EXPECT_EQ(ranks.rank(0, 1), 0.125);
    EXPECT_EQ(ranks.rank(0, 2), 0.5);
    EXPECT_EQ(ranks.rank(0, 10), 0.875);
    EXPECT_EQ(ranks.rank(0, 6), 0.6875);  // halfway from 2 to 10
    EXPECT_EQ(ranks.value(0, 0.6875), 6);
}

TEST(ColumnRanks, BeyondTheRowsAreThoseOfTheLast) {
    const ColumnRanks ranks = fit_ranks(column({1, 2, 3, 4}));
    EXPECT_EQ(ranks.rank(0, -1e300), 0.125);
    EXPECT_EQ(ranks.rank(0, 1e300), 0.875);
    EXPECT_EQ(ranks.value(0, 0), 1);
    EXPECT_EQ(ranks.value(0, 1), 4);
}

TEST(ColumnRanks, OfWhatIsNoNumberAreNone) {
    const ColumnRanks ranks = fit_ranks(column({1, 2, 3, 4}));
    EXPECT_TRUE(std::isnan(ranks.rank(0, std::numeric_limits<double>::quiet_NaN())));
    EXPECT_TRUE(std::isnan(ranks.value(0, std::numeric_limits<double>::quiet_NaN())));
}

TEST(ColumnRanks, OfAConstantColumnAreInTheMiddle) {
    const ColumnRanks ranks = fit_ranks(column({7, 7, 7}));
    EXPECT_EQ(ranks.rank(0, 7), 0.5);
    EXPECT_EQ(ranks.rank(0, 8), 0.5);
    EXPECT_EQ(ranks.value(0, 0.2), 7);
}

TEST(ColumnRanks, OfTheLargestNumbersAreFinite) {
    constexpr double largest = std::numeric_limits<double>::max();
    const ColumnRanks ranks = fit_ranks(column({-largest, largest}));
    EXPECT_EQ(ranks.rank(0, -largest), 0.25);
    EXPECT_EQ(ranks.rank(0, 0), 0.5);
    EXPECT_EQ(ranks.rank(0, largest), 0.75);
    EXPECT_EQ(ranks.value(0, 0.5), 0);
}

/// Of 20 rows all knots are kept, of 10,000 few.
TEST(ColumnRanks, AreThoseOfSortedRowsAtAnySize) {
    for (const Index rows : {20, 257, 258, 259, 10000}) {
        std::vector<double> values(rows);
        for (Index i = 0; i < rows; ++i) values[i] = std::pow(1.0 * (i * 7919 % rows) / rows, 3);
        const ColumnRanks ranks = fit_ranks(column(values));
        EXPECT_LE(std::ssize(ranks.values), most_knots);
        EXPECT_TRUE(ranks.sound());
        std::ranges::sort(values);
        double last = 0;
        for (Index i = 0; i < rows; ++i) {
            if (i > 0 && values[i] == values[i - 1]) continue;
            const double rank = ranks.rank(0, values[i]);
            EXPECT_NEAR(rank, (i + 0.5) / rows, rows <= 256 ? 1e-15 : 1.0 / 128) << rows << ' ' << i;
            EXPECT_GE(rank, last);
            EXPECT_NEAR(ranks.value(0, rank), values[i], 1e-9);
            last = rank;
        }
    }
}

TEST(ColumnRanks, OfAColumnThatIsMostlyZeroKeepTheRest) {
    std::vector<double> values(10000);
    for (Index i = 0; i < 100; ++i) values[i] = 1.0 + i;
    const ColumnRanks ranks = fit_ranks(column(values));
    EXPECT_EQ(ranks.rank(0, 0), 0.495);
    EXPECT_NEAR(ranks.rank(0, 50), 0.995, 0.004);
    EXPECT_EQ(ranks.rank(0, 100), 0.99995);
}

TEST(ColumnRanks, DifferFromValuesWhereThoseAreSkewed) {
    std::vector<double> even(100);
    std::vector<double> skewed(100);
    for (Index i = 0; i < 100; ++i) {
        even[i] = 3.0 * i - 1e6;
        skewed[i] = std::exp(0.1 * i);
    }
    EXPECT_FALSE(ranks_differ_from_values(column(even)));
    EXPECT_TRUE(ranks_differ_from_values(column(skewed)));
    EXPECT_FALSE(ranks_differ_from_values(column({1, 1, 1})));
    EXPECT_FALSE(ranks_differ_from_values(column({0, 1, 1, 0, 1})));  // Two values are even.
}

TEST(ColumnRanks, HaveMeanZeroAndDeviationOneWhereTheyScale) {
    const Dataset data(DenseMatrix{.rows = 4, .cols = 2, .values = {1, 5, 2, 5, 2, 5, 1e9, 5}});
    const Scaler scaler = fit_scaler({.columns = "ranks"}, data);
    const Dataset scaled = scaler.apply(data);
    // Ranks 1/8, 1/2, 1/2 and 7/8 have the mean 1/2 and the variance (9/64 + 9/64) / 4.
    const double deviation = std::sqrt(18.0 / 256);
    EXPECT_DOUBLE_EQ(scaled.dense().row(0)[0], -0.375 / deviation);
    EXPECT_NEAR(scaled.dense().row(1)[0], 0, 1e-15);
    EXPECT_DOUBLE_EQ(scaled.dense().row(3)[0], 0.375 / deviation);
    EXPECT_EQ(scaled.dense().row(3)[1], 0);
    std::vector<double> point{scaled.dense().row(3)[0], scaled.dense().row(3)[1]};
    scaler.restore(point);
    EXPECT_DOUBLE_EQ(point[0], 1e9);
    EXPECT_EQ(point[1], 5);
    // From -1/2 to 1/2 deviations around the middle rank is from 2 - 1/2 deviation / (3/8) to 2 + 1e9 times
    // it.
    EXPECT_NEAR(scaler.units()[0] / ((1e9 - 2 + 1) * 0.5 * deviation / 0.375), 1, 1e-12);
    EXPECT_EQ(scaler.units()[1], 0);
}

TEST(ColumnRanks, AreUnsoundWhereTheyDoNotAscend) {
    const ColumnRanks sound = fit_ranks(column({1, 2, 3}));
    for (const auto& spoil : std::vector<std::function<void(ColumnRanks&)>>{
             [](ColumnRanks& r) { r.first = {}; },
             [](ColumnRanks& r) {
                 r.first = {0, 2};
             },
             [](ColumnRanks& r) {
                 r.first = {0, 0, 3};
             },
             [](ColumnRanks& r) { r.values[1] = 1; }, [](ColumnRanks& r) { r.ranks[2] = 0; }}) {
        ColumnRanks spoilt = sound;
        spoil(spoilt);
        EXPECT_FALSE(spoilt.sound());
    }
    EXPECT_TRUE(sound.sound());
}

}  // namespace
}  // namespace dk::column_ranks_test
