// SPDX-License-Identifier: Apache-2.0
// These tests check exact statistics of many kernel values, found without copying them.
#include "weights/quadrants.hpp"

#include <algorithm>
#include <numeric>

#include "support.hpp"

namespace dk::test::quadrants_test {
namespace {

/// Gives the mean, the population deviation and the range between the quartiles of sorted values.
QuadrantStatistics by_sorting(std::vector<double> values) {
    std::ranges::sort(values);
    const auto count = static_cast<long double>(values.size());
    const long double mean = std::accumulate(values.begin(), values.end(), 0.0L) / count;
    long double squares = 0;
    for (const double v : values) squares += (v - mean) * (v - mean);
    const auto percentile = [&](double fraction) {
        const double position = fraction * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(position);
        const auto above = std::min(below + 1, values.size() - 1);
        return values[below] + (position - std::floor(position)) * (values[above] - values[below]);
    };
    return {static_cast<double>(mean), static_cast<double>(std::sqrt(squares / count)),
            percentile(0.75) - percentile(0.25)};
}

/// Puts the values into rows of the given length, of which the last may be shorter, and an empty row behind
/// the first.
QuadrantRows in_rows(const std::vector<double>& values, std::size_t length) {
    QuadrantRows rows;
    for (std::size_t begin = 0; begin < values.size(); begin += length) {
        rows.emplace_back(values.data() + begin, std::min(length, values.size() - begin));
        if (begin == 0) rows.emplace_back(values.data(), std::size_t{0});
    }
    return rows;
}

void expect_exact(const std::vector<double>& values, std::size_t length, Index copies,
                  const std::string& what) {
    std::vector<double> all = values;
    for (Index c = 1; c < copies; ++c) all.insert(all.end(), values.begin(), values.end());
    const auto expected = by_sorting(all);
    const double size = std::abs(*std::ranges::max_element(values, {}, [](double v) { return std::abs(v); }));
    BegunControl one(1);
    const auto found = quadrant_statistics(in_rows(values, length), copies, true, one);
    const double rounding = 1.2e-16 * static_cast<double>(values.size() + 10);
    EXPECT_NEAR(found.mean, expected.mean, rounding * size) << what;
    EXPECT_NEAR(found.deviation, expected.deviation, rounding * size) << what;
    EXPECT_NEAR(found.interquartile_range, expected.interquartile_range, 4e-16 * size) << what;
}

/// The expected numbers were found by hand from rows 1 to 3 of the matrix .8 .6 .2 .1 / .7 .3 .2 / .1 .4 / .5
/// and their block with rows 4 and 5.
TEST(Quadrants, SmallOnesByHand) {
    BegunControl control;
    const std::vector<double> within{.8, .6, .7};
    const auto first = quadrant_statistics(in_rows(within, 2), 2, true, control);
    EXPECT_NEAR(first.mean, .7, 1e-15);
    EXPECT_NEAR(first.deviation, .0816497, 1e-7);
    EXPECT_NEAR(first.interquartile_range, .15, 1e-15);
    const std::vector<double> between{.2, .1, .3, .2, .1, .4};
    const auto second = quadrant_statistics(in_rows(between, 2), 1, true, control);
    EXPECT_NEAR(second.mean, .2166667, 1e-7);
    EXPECT_NEAR(second.deviation, .1067187, 1e-7);
    EXPECT_NEAR(second.interquartile_range, .15, 1e-15);
}

TEST(Quadrants, TrianglesStandForWholeQuadrants) {
    for (Index count = 1; count <= 60; ++count) {
        const auto values = normal_values(count, 40 + static_cast<std::uint64_t>(count));
        expect_exact(values, 7, 2, text(count, " values twice"));
        expect_exact(values, 7, 1, text(count, " values once"));
    }
}

TEST(Quadrants, ManyValuesOfAnyDistribution) {
    constexpr Index count = 50001;
    const auto normal = normal_values(count, 1);
    const std::vector<std::pair<std::string, std::function<double(double, std::size_t)>>> shapes{
        {"normal", [](double v, std::size_t) { return v; }},
        {"skewed over two hundred powers of ten",
         [](double v, std::size_t) { return std::pow(10.0, 25 * v); }},
        {"close to 1", [](double v, std::size_t) { return 1 + 1e-14 * v; }},
        {"integers", [](double v, std::size_t) { return std::round(3 * v); }},
        {"two values", [](double, std::size_t i) { return i % 4 == 0 ? 0.1 : 0.7; }},
        {"one value and an outlier", [](double, std::size_t i) { return i == 777 ? 1e9 : 0.3; }},
        {"ascending", [](double, std::size_t i) { return static_cast<double>(i); }},
        {"descending", [](double, std::size_t i) { return -static_cast<double>(i); }},
        {"tiny", [](double v, std::size_t) { return 1e-140 * v; }},
    };
    for (const auto& [name, shape] : shapes) {
        std::vector<double> values;
        for (std::size_t i = 0; i < normal.size(); ++i) values.push_back(shape(normal[i], i));
        for (const Index copies : {1, 2}) {
            expect_exact(values, 499, copies, name);
            expect_exact(values, values.size(), copies, name + ", one row");
        }
    }
}

TEST(Quadrants, SameBitsForEveryThreadCount) {
    const auto values = normal_values(60000, 3);
    BegunControl one(1);
    const auto first = quadrant_statistics(in_rows(values, 300), 2, true, one);
    for (const int threads : {2, 5}) {
        BegunControl control(threads);
        const auto again = quadrant_statistics(in_rows(values, 300), 2, true, control);
        EXPECT_EQ(again.mean, first.mean);
        EXPECT_EQ(again.deviation, first.deviation);
        EXPECT_EQ(again.interquartile_range, first.interquartile_range);
    }
}

TEST(Quadrants, ConstantsHaveNoSpread) {
    BegunControl control(2);
    for (const double constant : {0.1, 0.7, 0.9999999999999999}) {
        const std::vector<double> values(33333, constant);
        const auto found = quadrant_statistics(in_rows(values, 100), 2, true, control);
        EXPECT_EQ(found.mean, constant);
        EXPECT_EQ(found.deviation, 0);
        EXPECT_EQ(found.interquartile_range, 0);
    }
}

TEST(Quadrants, CancelIsHeard) {
    BegunControl control(2);
    const auto values = normal_values(100000, 2);
    control.cancel();
    message_of(Status::cancelled, [&] { quadrant_statistics(in_rows(values, 100), 1, true, control); });
}

}  // namespace
}  // namespace dk::test::quadrants_test
