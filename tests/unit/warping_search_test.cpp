// SPDX-License-Identifier: Apache-2.0
// These tests compare the search for the nearest series with all distances, which a reference computes.
#include <algorithm>
#include <numeric>

#include "kernel/alignment/warping_search.hpp"
#include "pipeline/score.hpp"
#include "pipeline/train.hpp"
#include "reference_series.hpp"

namespace dk::test::warping_search_test {
namespace {

/// The nearest of some series by all distances, of equal ones the first.
std::vector<Index> nearest_by_all(const WarpingWindow& window, const Dataset& data, Index row,
                                  const Dataset& series, Index count) {
    std::vector<std::pair<long double, Index>> all;
    for (Index j = 0; j < series.rows(); ++j)
        all.emplace_back(reference_warping(window, data.series(), row, series.series(), j), j);
    std::ranges::sort(all);
    std::vector<Index> rows;
    for (Index k = 0; k < count; ++k) rows.push_back(all[k].second);
    return rows;
}

void expect_search(const Dataset& data, const Dataset& series, const WarpingWindow& window) {
    BegunControl control;
    const WarpingSearch search(series, {}, window, control);
    for (const Index count : {Index{1}, Index{3}, series.rows()}) {
        for (Index i = 0; i < data.rows(); ++i) {
            std::vector<Index> found(count);
            search.find(data, i, found, control);
            ASSERT_EQ(found, nearest_by_all(window, data, i, series, count))
                << "row " << i << ", band " << window.band << ", slope " << window.slope;
        }
    }
}

TEST(WarpingSearch, FindsWhatAllDistancesTell) {
    for (const Index channels : {1, 3}) {
        const Dataset queries = random_series(12, channels, 1, 25, 41);
        const Dataset ragged = random_series(61, channels, 1, 25, 42);
        const Dataset even = random_series(50, channels, 20, 20, 43);
        for (const WarpingWindow& window : {WarpingWindow{0}, {1}, {3}, {40}, {0, 1.5}, {3, 2}}) {
            expect_search(queries, ragged, window);
            expect_search(queries, even, window);
            expect_search(ragged, queries, window);  // The nearest series is the same one only by chance.
        }
    }
}

TEST(WarpingSearch, FindsTheFirstOfSeriesThatAreAsNear) {
    const Dataset series = series_data(
        1,
        {{3, 3}, {1, 2}, {9}, {1, 1, 2}, {1, 2, 2}, {1, 2}, {5, 5, 5, 5}, {1, 2}, {0, 0}, {1, 2, 2, 2, 2}});
    BegunControl control;
    const WarpingSearch search(series, {}, {}, control);
    std::vector<Index> found(5);
    search.find(series_data(1, {{1, 2}}), 0, found, control);
    EXPECT_EQ(found, (std::vector<Index>{1, 3, 4, 5, 7}));
}

TEST(WarpingSearch, LooksAtTheChannelsThatItIsGiven) {
    const Dataset series = series_data(2, {{0, 5, 0, 5}, {1, 0, 1, 0}, {2, 7, 2, 7}});
    const Dataset query = series_data(2, {{0, 0, 0, 0}});
    BegunControl control;
    std::vector<Index> found(3);
    WarpingSearch(series, {0}, {}, control).find(query, 0, found, control);
    EXPECT_EQ(found, (std::vector<Index>{0, 1, 2}));
    WarpingSearch(series, {1}, {}, control).find(query, 0, found, control);
    EXPECT_EQ(found, (std::vector<Index>{1, 0, 2}));
}

TEST(WarpingSearch, OfDistancesThatNoDoubleHoldsGivesTheFirst) {
    const Dataset series = series_data(1, {{1e200, 1e200}, {-1e200}, {2e200, 0, 0}, {1, 1}});
    BegunControl control;
    std::vector<Index> found(4);
    WarpingSearch(series, {}, {}, control).find(series_data(1, {{0, 0}}), 0, found, control);
    EXPECT_EQ(found, (std::vector<Index>{3, 0, 1, 2}));
}

TEST(WarpingSearch, BoundsAreBelowDistances) {
    const Dataset left = random_series(20, 2, 1, 30, 51);
    const Dataset right = random_series(40, 2, 1, 30, 52);
    std::vector<double> bounds(alignment_lanes());
    for (const Index band : {0, 1, 4}) {
        double sum_of_bounds = 0;
        double sum_of_distances = 0;
        for (Index i = 0; i < left.rows(); ++i) {
            const SeriesLanes query = series_lanes(left.series(), {&i, 1}, {});
            for (Index j = 0; j < right.rows(); ++j) {
                const SeriesLanes one = series_lanes(right.series(), {&j, 1}, {});
                const Index length = left.series().length(i);
                const Index other = right.series().length(j);
                const Index reach =
                    band > 0 ? std::max(band, std::abs(length - other)) : std::max(length, other);
                warping_bounds(warping_envelope(query, reach, other), one, bounds.data());
                const auto distance =
                    static_cast<double>(reference_warping({band}, left.series(), i, right.series(), j));
                ASSERT_LE(bounds.front(), distance * (1 + 1e-12));
                sum_of_bounds += bounds.front();
                sum_of_distances += distance;
            }
        }
        EXPECT_GT(sum_of_bounds, 0.1 * sum_of_distances);  // They are not far below them either.
    }
}

TEST(WarpingSearch, OfLongSeriesFarFromZero) {
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < 30; ++i) rows.push_back(normal_values(700, 70 + i, 1e6, 1));
    const Dataset series = series_data(1, rows);
    const Dataset query = series_data(1, {normal_values(650, 69, 1e6, 1)});
    const BegunControl control;
    BegunControl making;
    const WarpingSearch search(series, {}, {60}, making);
    std::vector<Index> found(4);
    search.find(query, 0, found, control);
    EXPECT_EQ(found, nearest_by_all({60}, query, 0, series, 4));
}

TEST(WarpingSearch, EndsWhenItIsCancelled) {
    const Dataset series = random_series(50, 1, 10, 20, 81);
    BegunControl making;
    const WarpingSearch search(series, {}, {}, making);
    Control cancelled;
    cancelled.cancel();
    std::vector<Index> found(3, 7);
    search.find(series, 0, found, cancelled);
    EXPECT_EQ(found, (std::vector<Index>{7, 7, 7}));
}

TEST(WarpingSearch, AsksForItsMemory) {
    std::vector<std::vector<double>> rows(8, {1.0});
    rows.push_back(std::vector<double>(200000, 1.0));
    const Dataset series = series_data(1, rows);
    BegunControl control;
    control.set_memory(MemoryBudget(1));
    EXPECT_THROW(WarpingSearch(series, {}, {}, control), Error);
}

/// Voters are those by the kernel's values, which another kernel with the same values makes known.
TEST(WarpingSearch, VotesAreThoseOfTheKernelsValues) {
    Dataset data = random_series(70, 1, 10, 14, 61);
    const Dataset others = random_series(30, 1, 10, 14, 62);
    std::vector<std::int64_t> labels(70);
    for (Index i = 0; i < 70; ++i) labels[i] = i % 3;
    data.labels = labels_from_integers(labels);
    const auto decided = [&](const char* kernel, int threads) {
        auto specification = default_specification("nearest_neighbours");
        set_parameter(specification, "kernel", kernel);
        set_parameter(specification, "voters", "4");
        BegunControl control(threads);
        return decisions(train(data, specification, control), others, control);
    };
    const auto found = decided("dtw(gamma=0.01, band=3)", 2);
    EXPECT_EQ(found, decided("2*dtw(gamma=0.01, band=3)", 2));
    EXPECT_EQ(found, decided("dtw(gamma=0.01, band=3)", 1));
}

}  // namespace
}  // namespace dk::test::warping_search_test
