// SPDX-License-Identifier: Apache-2.0
#include "model/decision/sigmoid_fit.hpp"

#include <algorithm>
#include <cmath>

#include "model/decision/decision_rule.hpp"
#include "support.hpp"

namespace dk::test::sigmoid_fit_test {
namespace {

std::vector<CalibrationRow> rows_of(const std::vector<double>& decisions, const std::vector<bool>& positive) {
    std::vector<CalibrationRow> rows;
    for (std::size_t i = 0; i < decisions.size(); ++i)
        rows.push_back({.decision = decisions[i], .positive = positive[i]});
    return rows;
}

double loss(const std::vector<double>& decisions, const std::vector<bool>& positive, long double a,
            long double b) {
    const auto count = static_cast<long double>(std::ranges::count(positive, true));
    const auto others = static_cast<long double>(positive.size()) - count;
    long double sum = 0;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        const long double target = positive[i] ? (count + 1) / (count + 2) : 1 / (others + 2);
        const long double x = a * decisions[i] + b;
        // The loss is -t log p - (1 - t) log(1 - p) with p = 1 / (1 + exp(x)).
        sum += target * std::log1p(std::exp(x)) + (1 - target) * std::log1p(std::exp(-x));
    }
    return static_cast<double>(sum);
}

/// Minimises by compass search, which is slow and needs no derivative.
Sigmoid independent_fit(const std::vector<double>& decisions, const std::vector<bool>& positive) {
    Sigmoid best{0, 0};
    double lowest = loss(decisions, positive, 0, 0);
    for (double step = 1; step > 1e-9;) {
        bool better = false;
        for (const auto& [da, db] : {std::pair{1.0, 0.0},
                                     {-1.0, 0.0},
                                     {0.0, 1.0},
                                     {0.0, -1.0},
                                     {1.0, 1.0},
                                     {-1.0, -1.0},
                                     {1.0, -1.0},
                                     {-1.0, 1.0}}) {
            const Sigmoid candidate{best.slope + step * da, best.offset + step * db};
            const double value = loss(decisions, positive, candidate.slope, candidate.offset);
            if (value >= lowest) continue;
            lowest = value;
            best = candidate;
            better = true;
        }
        if (!better) step /= 2;
    }
    return best;
}

TEST(Platt, FitsLikeAnIndependentMinimiser) {
    for (const auto& [rows, share, noise] :
         {std::tuple<Index, double, double>{50, 0.5, 1.0}, {200, 0.2, 0.5}, {30, 0.8, 3.0}}) {
        auto decisions = normal_values(rows, static_cast<std::uint64_t>(rows), 0, noise);
        std::vector<bool> positive;
        for (Index i = 0; i < rows; ++i) {
            positive.push_back(static_cast<double>(i) < share * static_cast<double>(rows));
            decisions[i] += positive.back() ? 1 : -1;
        }
        const Sigmoid found = fit_sigmoid(rows_of(decisions, positive));
        const Sigmoid expected = independent_fit(decisions, positive);
        EXPECT_LT(found.slope, 0);
        EXPECT_NEAR(found.slope, expected.slope, 1e-4 * std::abs(expected.slope));
        EXPECT_NEAR(found.offset, expected.offset, 1e-4);
        EXPECT_LE(loss(decisions, positive, found.slope, found.offset),
                  loss(decisions, positive, expected.slope, expected.offset) + 1e-8);
    }
}

TEST(Platt, SeparableAndExtremeDecisionsStayFinite) {
    std::vector<double> decisions;
    std::vector<bool> positive;
    for (int i = 0; i < 40; ++i) {
        positive.push_back(i % 2 == 0);
        decisions.push_back(positive.back() ? 1000.0 : -1000.0);
    }
    const Sigmoid found = fit_sigmoid(rows_of(decisions, positive));
    EXPECT_TRUE(std::isfinite(found.slope) && std::isfinite(found.offset));
    const Calibration calibration{{found.slope}, {found.offset}};
    std::vector<double> p(2);
    class_probabilities(DecisionRule::binary, 2, std::vector<double>{1000}, calibration, p);
    // Two points are fitted exactly, and the target of 20 positives is 21 / 22.
    EXPECT_NEAR(p[1], 21.0 / 22, 1e-5);
    EXPECT_DOUBLE_EQ(p[0] + p[1], 1);
}

TEST(Platt, UninformativeDecisionsGiveTheShares) {
    const std::vector<double> decisions(40, 0.0);
    std::vector<bool> positive(40, false);
    std::fill_n(positive.begin(), 10, true);
    const Sigmoid found = fit_sigmoid(rows_of(decisions, positive));
    // The expected mean is that of Platt's targets, 11 / 12 and 1 / 32.
    const double mean = (10 * 11.0 / 12 + 30 / 32.0) / 40;
    EXPECT_NEAR(1 / (1 + std::exp(found.offset)), mean, 1e-5);
}

TEST(Platt, EqualWeightsOfAnySizeChangeNothing) {
    const std::vector<double> decisions{-2, -1, -0.5, 0.3, 0.8, -0.2, 1.5, 0.1};
    const std::vector<bool> positive{false, false, true, true, true, false, true, false};
    const auto plain = rows_of(decisions, positive);
    auto weighed = plain;
    for (CalibrationRow& row : weighed) row.weight = 8;  // a power of two, so that nothing is rounded
    EXPECT_EQ(fit_sigmoid(weighed).slope, fit_sigmoid(plain).slope);
    EXPECT_EQ(fit_sigmoid(weighed).offset, fit_sigmoid(plain).offset);
}

TEST(Platt, ARowOfWeightZeroIsNotThere) {
    // Ten rows of weight 1 and ten of weight 0 are ten rows of weight 2: Platt's targets are those of twenty.
    auto some = rows_of({-2, -1, -0.5, 0.3, 0.8, -0.2, 1.5, 0.1, -1.1, 0.9},
                        {false, false, true, true, true, false, true, false, false, true});
    auto twice = some;
    for (const CalibrationRow& row : some) twice.push_back(row);
    auto with_others = some;
    for (int i = 0; i < 10; ++i)
        with_others.push_back({.decision = 100.0 - i, .positive = false, .weight = 0});
    EXPECT_NEAR(fit_sigmoid(with_others).slope, fit_sigmoid(twice).slope, 1e-6);
    EXPECT_NEAR(fit_sigmoid(with_others).offset, fit_sigmoid(twice).offset, 1e-6);
}

TEST(Platt, WeightsThatBalanceClassesMoveOneHalfToTheMiddle) {
    // Of 10 rows around 1 and 90 around -1 the plain sigmoid goes back to the shares; balanced weights do
    // not.
    std::vector<CalibrationRow> rows;
    const auto noise = normal_values(100, 7);
    for (int i = 0; i < 100; ++i)
        rows.push_back({.decision = (i < 10 ? 1 : -1) + noise[i], .positive = i < 10});
    const Sigmoid plain = fit_sigmoid(rows);
    for (CalibrationRow& row : rows) row.weight = row.positive ? 100.0 / 20 : 100.0 / 180;
    const Sigmoid balanced = fit_sigmoid(rows);
    EXPECT_GT(-plain.offset / plain.slope, 0.4);
    EXPECT_NEAR(-balanced.offset / balanced.slope, 0, 0.3);
}

TEST(Platt, DecisionsWorseThanChanceKeepTheirOrder) {
    const auto rows = rows_of({-2, -1, 1, 2, -0.5, 0.5}, {true, true, false, false, true, false});
    EXPECT_GT(fit_sigmoid(rows).slope, 0);
    EXPECT_TRUE(loses_order(fit_sigmoid(rows), rows));
    const Sigmoid flat = flattest_sigmoid(rows);
    EXPECT_LT(flat.slope, 0);
    EXPECT_FALSE(loses_order(flat, rows));
    // The rows are balanced, so that nothing but the order is said: probabilities next to one half.
    EXPECT_NEAR(flat.offset, 0, 0.02);
}

TEST(Platt, RowsThatAreRightStayOnTheirSides) {
    const auto rows = rows_of({-1.2, -0.8, 0.9, 1.1}, {false, false, true, true});
    Sigmoid sigmoid{-2, 5};  // one half at 2.5, beyond all rows
    EXPECT_TRUE(keep_sides(sigmoid, rows));
    for (const CalibrationRow& row : rows)
        EXPECT_EQ(sigmoid.slope * row.decision + sigmoid.offset < 0, row.positive);
    EXPECT_DOUBLE_EQ(sigmoid.slope, -2) << "how sure it is stays";
    Sigmoid within{-2, 0.4};
    EXPECT_FALSE(keep_sides(within, rows));
    EXPECT_DOUBLE_EQ(within.offset, 0.4);
    const auto mixed = rows_of({-1, 1, 0.5}, {false, true, false});
    Sigmoid of_mixed{-2, 5};
    EXPECT_FALSE(keep_sides(of_mixed, mixed)) << "0.5 is on the wrong side";
    const auto overlapping = rows_of({-1, 1, 1.5}, {false, true, false});
    EXPECT_FALSE(keep_sides(of_mixed, overlapping));
}

}  // namespace
}  // namespace dk::test::sigmoid_fit_test
