// SPDX-License-Identifier: Apache-2.0
// These tests compare dynamic time warping with its definition, and check alignments whose values no double
// holds.
#include <algorithm>

#include "kernel/family/series_kernel.hpp"
#include "reference_series.hpp"

namespace dk::test {
namespace {

TEST(Warping, AgainstItsRecursion) {
    for (const Index channels : {1, 3}) {
        const Dataset left = random_series(40, channels, 1, 12, 31);
        const Dataset right = random_series(18, channels, 1, 12, 32);
        for (const Index band : {0, 1, 2, 5, 30}) {
            const auto kernel = make_kernel(text("dtw(gamma=0.0625, band=", band, ")"), left);
            for (const Dataset* other : {&left, &right}) {
                const auto matrix = gram_matrix(kernel, left, *other);
                for (Index i = 0; i < left.rows(); ++i) {
                    for (Index j = 0; j < other->rows(); ++j) {
                        const long double expected = std::exp(
                            -0.0625L * reference_warping(band, left.series(), i, other->series(), j));
                        ASSERT_NEAR(matrix[i * other->rows() + j], static_cast<double>(expected),
                                    static_cast<double>(1e-12L * expected))
                            << band << " " << i << " " << j;
                    }
                }
            }
        }
    }
}

TEST(Warping, ByHand) {
    const auto value = [](const char* kernel, const std::vector<double>& x, const std::vector<double>& z) {
        const Dataset left = series_data(1, {x});
        const Dataset right = series_data(1, {z});
        return gram_matrix(make_kernel(kernel, left), left, right).front();
    };
    EXPECT_DOUBLE_EQ(value("dtw(gamma=0.5)", {1, 2, 3}, {1, 2, 2, 3}), 1);  // A repeated step costs nothing.
    EXPECT_DOUBLE_EQ(value("dtw(gamma=0.5)", {1, 2, 3}, {1, 2, 5}), std::exp(-2));
    // The second series rises earlier. With free alignments this costs nothing, near the diagonal it costs
    // one step.
    EXPECT_DOUBLE_EQ(value("dtw(gamma=1)", {0, 0, 0, 1, 1}, {0, 1, 1, 1, 1}), 1);
    EXPECT_DOUBLE_EQ(value("dtw(gamma=1, band=1)", {0, 0, 0, 1, 1}, {0, 1, 1, 1, 1}), std::exp(-1));
}

TEST(Warping, WidthRules) {
    // The three series have one step each, and distances of 1, 4 and 9.
    const Dataset data = series_data(1, {{0}, {1}, {3}});
    EXPECT_EQ(make_kernel("dtw(gamma=median)", data)->text(), "dtw(gamma=0.25, band=0)");
    EXPECT_EQ(make_kernel("dtw(gamma=2*median)", data)->text(), "dtw(gamma=0.5, band=0)");
    for (const char* rule : {"mean", "auto"}) {
        const auto kernel = make_kernel(text("dtw(gamma=", rule, ")"), data);
        EXPECT_NEAR(gram_matrix(kernel, data, data)[1], std::exp(-3.0 / 14), 1e-14) << rule;
    }
    const Dataset one = series_data(1, {{1, 2, 3}});
    EXPECT_EQ(make_kernel("dtw", one)->text(), "dtw(gamma=1, band=0)");
}

/// Series of pieces of constant level with jumps have best alignments that lead far off the largest cells of
/// a row.
std::vector<double> levels(const std::vector<std::pair<Index, double>>& pieces, std::uint64_t seed) {
    std::vector<double> out;
    for (const auto& [count, level] : pieces) {
        for (const double v : normal_values(count, seed + out.size(), level, 0.1)) out.push_back(v);
    }
    return out;
}

void expect_logarithms(const GlobalAlignment& parameters, const Dataset& left, const Dataset& right) {
    const BegunControl control;
    const Index lanes = alignment_lanes();
    for (Index i = 0; i < left.rows(); ++i) {
        for (Index first = 0; first < right.rows(); first += lanes) {
            std::vector<Index> rows;
            for (Index j = first; j < std::min(right.rows(), first + lanes); ++j) rows.push_back(j);
            std::vector<double> out(lanes);
            global_alignment_logarithms(parameters, series_lanes(left.series(), {&i, 1}, {}),
                                        series_lanes(right.series(), rows, {}), control, out.data());
            for (std::size_t lane = 0; lane < rows.size(); ++lane) {
                const long double expected =
                    reference_alignment(parameters, left.series(), i, right.series(), rows[lane]);
                const auto close = static_cast<double>(1e-10L * std::max(1.0L, std::abs(expected)));
                ASSERT_NEAR(out[lane], static_cast<double>(expected), close)
                    << "sigma " << parameters.sigma << " band " << parameters.band << " rows " << i << " "
                    << rows[lane];
            }
        }
    }
}

TEST(GlobalAlignmentRange, LongSeries) {
    std::vector<std::vector<double>> walks;
    for (const Index length : {1500, 1400, 700, 1500}) {
        auto walk = normal_values(length, 40 + static_cast<std::uint64_t>(length), 0, 0.2);
        for (std::size_t t = 1; t < walk.size(); ++t) walk[t] += walk[t - 1];
        walks.push_back(std::move(walk));
    }
    const Dataset left = series_data(1, {walks.back()});
    walks.pop_back();
    const Dataset right = series_data(1, walks);
    for (const double sigma : {0.01, 0.5, 20.0}) expect_logarithms({sigma, 0, true}, left, right);
    expect_logarithms({0.05, 850, false}, left, right);
    expect_logarithms({3, 850, true}, left, right);
}

/// Every local kernel is far below what a double holds, or all but those of a few cells are.
TEST(GlobalAlignmentRange, SmallWidths) {
    const Dataset data = random_series(12, 2, 1, 30, 41, 3);
    for (const double sigma : {1e-3, 0.02, 0.06, 0.1, 0.2}) {
        for (const Index band : {0, 12}) {
            if (band > 0) {  // Logarithms of 0 are compared elsewhere.
                const Dataset equal = random_series(12, 2, 25, 30, 42, 3);
                expect_logarithms({sigma, band, true}, equal, equal);
            } else {
                expect_logarithms({sigma, band, true}, data, data);
                expect_logarithms({sigma, band, false}, data, data);
            }
        }
    }
}

TEST(GlobalAlignmentRange, DeadEndsAndJumps) {
    const std::vector<std::vector<double>> rows{
        levels({{80, 0}, {40, 30}}, 1),
        levels({{20, 0}, {100, 30}}, 2),
        levels({{60, 0}, {1, 200}, {60, 0}}, 3),
        levels({{50, 0}, {30, 10}, {50, 0}}, 4),
        levels({{30, 0}, {30, 10}, {30, 20}, {30, 30}}, 5),
        levels({{30, 30}, {30, 20}, {30, 10}, {30, 0}}, 6),
        levels({{40, 0}, {5, 45}}, 7),
        levels({{5, 45}, {40, 0}}, 8),
        levels({{1, 0}}, 9),
        levels({{1, 38}}, 10),
    };
    const Dataset data = series_data(1, rows);
    for (const double sigma : {0.3, 0.7, 0.8, 1.0, 3.0}) {
        expect_logarithms({sigma, 0, true}, data, data);
        expect_logarithms({sigma, 0, false}, data, data);
    }
}

/// Forms and widths of every kind make the sums of a row fall through all ranges.
TEST(GlobalAlignmentRange, RandomLevels) {
    std::mt19937_64 generator(43);
    const auto below = [&](std::uint64_t bound) { return static_cast<Index>(generator() % bound); };
    for (int round = 0; round < 30; ++round) {
        std::vector<std::vector<double>> rows;
        for (int r = 0; r < 5; ++r) {
            std::vector<std::pair<Index, double>> pieces;
            for (Index p = 0; p <= below(5); ++p)
                pieces.emplace_back(1 + below(30), static_cast<double>(below(9)) * 8.0);
            rows.push_back(levels(pieces, generator()));
        }
        const Dataset data = series_data(1, rows);
        const double sigma = std::pow(10.0, -1 + static_cast<double>(below(1000)) / 500);
        expect_logarithms({sigma, 0, round % 2 == 0}, data, data);
        expect_logarithms({sigma, 200, round % 2 == 0}, data, data);
    }
}

/// Two distant series have a small value, and each has the value 1 with itself all the same.
TEST(GlobalAlignmentRange, ValuesStayNumbers) {
    const Dataset data = series_data(1, {levels({{300, 0}}, 11), levels({{310, 1e3}}, 12), {0}, {1e150}});
    for (const char* kernel : {"gak(sigma=0.001)", "gak(sigma=1)", "gak(sigma=1e-100)", "gak(sigma=1e6)"}) {
        const auto matrix = gram_matrix(make_kernel(kernel, data), data, data);
        for (Index i = 0; i < 4; ++i) {
            for (Index j = 0; j < 4; ++j) {
                const double v = matrix[i * 4 + j];
                EXPECT_TRUE(v >= 0 && v <= 1 + 1e-12) << kernel << " " << i << " " << j << ": " << v;
            }
            EXPECT_EQ(matrix[i * 4 + i], 1) << kernel;
        }
    }
}

}  // namespace
}  // namespace dk::test
