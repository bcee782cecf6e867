// SPDX-License-Identifier: Apache-2.0
// These tests compare dynamic time warping with its definition, and check alignments whose values no double
// holds.
#include <algorithm>

#include "kernel/family/series_kernel.hpp"
#include "reference_series.hpp"

namespace dk::test::warping_kernel_test {
namespace {

TEST(Warping, AgainstItsRecursion) {
    for (const Index channels : {1, 3}) {
        const Dataset left = random_series(40, channels, 1, 12, 31);
        const Dataset right = random_series(18, channels, 1, 12, 32);
        for (const WarpingWindow& window :
             {WarpingWindow{0}, {1}, {2}, {5}, {30}, {0, 1}, {0, 1.5}, {0, 2}, {0, 1000}, {2, 2}}) {
            const auto kernel = make_kernel(
                text("dtw(gamma=0.0625, band=", window.band, ", slope=", window.slope, ")"), left);
            for (const Dataset* other : {&left, &right}) {
                const auto matrix = gram_matrix(kernel, left, *other);
                for (Index i = 0; i < left.rows(); ++i) {
                    for (Index j = 0; j < other->rows(); ++j) {
                        const long double expected = std::exp(
                            -0.0625L * reference_warping(window, left.series(), i, other->series(), j));
                        ASSERT_NEAR(matrix[i * other->rows() + j], static_cast<double>(expected),
                                    static_cast<double>(1e-12L * expected))
                            << kernel->text() << " " << i << " " << j;
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

/// Writes which steps of two series may be matched, a line for each step of the first.
std::string picture(const WarpingWindow& window, Index n, Index m) {
    std::string lines;
    for (Index i = 1; i <= n; ++i) {
        const StepRange range = window.range(i, n, m);
        for (Index j = 1; j <= m; ++j) lines += range.first <= j && j <= range.last ? 'o' : '.';
        lines += '\n';
    }
    return lines;
}

/// The parallelogram of 6 x 6 steps is that which tslearn prints in its documentation of itakura_mask.
TEST(Warping, ParallelogramsByHand) {
    EXPECT_EQ(picture({0, 2}, 6, 6),
              "o.....\n"
              ".oo...\n"
              ".ooo..\n"
              "..ooo.\n"
              "...oo.\n"
              ".....o\n");
    EXPECT_EQ(picture({0, 1}, 3, 3),
              "o..\n"
              ".o.\n"
              "..o\n");
    EXPECT_EQ(picture({0, 1}, 3, 5),
              "oo...\n"
              ".ooo.\n"
              "...oo\n");
    EXPECT_EQ(picture({0, 3}, 1, 4), "oooo\n");
    EXPECT_EQ(picture({0, 3}, 3, 1), "o\no\no\n");
}

/// Whatever the lengths and the window, steps one after the other lead from the first pair to the last one,
/// and the window of two series is that of the same two in the other order.
TEST(Warping, SomeAlignmentIsInEveryWindow) {
    for (Index n = 1; n <= 23; ++n) {
        for (Index m = 1; m <= 23; ++m) {
            for (const WarpingWindow& window : {WarpingWindow{0, 1}, {0, 1.01}, {0, 1.3}, {1, 1}, {2, 3}}) {
                StepRange before{1, 1};
                for (Index i = 1; i <= n; ++i) {
                    const StepRange range = window.range(i, n, m);
                    ASSERT_LE(std::max(before.first, range.first),
                              std::min(before.last + (i > 1 ? 1 : 0), range.last))
                        << n << " x " << m << ", slope " << window.slope << ", step " << i;
                    before = range;
                    for (Index j = 1; j <= m; ++j) {
                        const StepRange turned = window.range(j, m, n);
                        ASSERT_EQ(range.first <= j && j <= range.last, turned.first <= i && i <= turned.last)
                            << n << " x " << m << ", slope " << window.slope << ", " << i << " " << j;
                    }
                }
                ASSERT_EQ(before.last, m);
            }
        }
    }
}

TEST(Warping, SlopesBelowOneAreRefused) {
    const Dataset data = series_data(1, {{1, 2, 3}});
    const std::string message =
        message_of(Status::invalid_kernel, [&] { make_kernel("dtw(slope=0.5)", data); });
    EXPECT_NE(message.find("slope = 0.5 is not allowed; it must be 0 or at least 1"), std::string::npos);
    EXPECT_EQ(make_kernel("dtw(gamma=1, slope=2)", data)->text(), "dtw(gamma=1, band=0, slope=2)");
}

/// The soft minimum is taken by walking along every alignment.
TEST(SoftWarping, AgainstAllAlignments) {
    const Dataset data = random_series(9, 2, 1, 5, 45);
    for (const double smoothing : {0.1, 1.0, 30.0}) {
        const GlobalAlignment alignment{std::sqrt(smoothing / 2), 0, false};
        const auto soft = [&](Index i, Index j) {
            return -smoothing * std::log(enumerated_alignment(alignment, data.series(), i, data.series(), j));
        };
        const auto kernel = make_kernel(text("soft_dtw(gamma=0.25, smoothing=", smoothing, ")"), data);
        const auto matrix = gram_matrix(kernel, data, data);
        for (Index i = 0; i < data.rows(); ++i) {
            for (Index j = 0; j < data.rows(); ++j) {
                const long double divergence = soft(i, j) - (soft(i, i) + soft(j, j)) / 2;
                const auto expected = static_cast<double>(std::exp(-0.25L * divergence));
                EXPECT_NEAR(matrix[i * data.rows() + j], expected, 1e-12 * expected) << i << " " << j;
            }
        }
    }
}

/// Series of one step have one alignment, and {0, 1} with itself has three, of sums 0, 1 and 1.
TEST(SoftWarping, ByHand) {
    const auto value = [](const char* kernel, const std::vector<double>& x, const std::vector<double>& z) {
        const Dataset left = series_data(1, {x});
        const Dataset right = series_data(1, {z});
        return gram_matrix(make_kernel(kernel, left), left, right).front();
    };
    EXPECT_NEAR(value("soft_dtw(gamma=0.5)", {1}, {4}), std::exp(-4.5), 1e-15);
    const double with_itself = -std::log(1 + 2 * std::exp(-1));
    const double with_zero = 1;  // the one step of {0} is matched with both
    EXPECT_NEAR(value("soft_dtw(gamma=1)", {0, 1}, {0}), std::exp(-(with_zero - 0.5 * with_itself)), 1e-15);
    // The least of all sums remains as smoothing goes to 0.
    EXPECT_NEAR(value("soft_dtw(gamma=0.5, smoothing=1e-6)", {1, 2, 3}, {1, 2, 5}), std::exp(-2), 1e-5);
}

/// Steps that are farther from each other than 1e9 times the smoothing keep their distances.
TEST(SoftWarping, OfLargeValuesIsCloseToTheLeastSum) {
    const Dataset data = series_data(1, {{1e5, 3e5, -2e5}, {2e5, 1e5, -1e5, 4e4}});
    const double least = static_cast<double>(reference_warping({}, data.series(), 0, data.series(), 1));
    const auto matrix = gram_matrix(make_kernel("soft_dtw(gamma=1e-11)", data), data, data);
    EXPECT_NEAR(matrix[1], std::exp(-1e-11 * least), 1e-9);
}

TEST(SoftWarping, GrowsWithTheDistanceAndPrintsItself) {
    const Dataset data = random_series(20, 1, 3, 9, 46);
    const auto kernel = make_kernel("soft_dtw", data);
    EXPECT_EQ(make_kernel(kernel->text(), data)->text(), kernel->text());
    EXPECT_EQ(gram_matrix(kernel, data, data), gram_matrix(make_kernel(kernel->text(), data), data, data));
    for (Index i = 0; i < data.rows(); ++i)
        EXPECT_EQ(gram_matrix(kernel, data, data)[i * data.rows() + i], 1);
}

TEST(Warping, WidthRules) {
    // The three series have one step each, and distances of 1, 4 and 9.
    const Dataset data = series_data(1, {{0}, {1}, {3}});
    EXPECT_EQ(make_kernel("dtw(gamma=median)", data)->text(), "dtw(gamma=0.25, band=0)");
    EXPECT_EQ(make_kernel("dtw(gamma=2*median)", data)->text(), "dtw(gamma=0.5, band=0)");
    EXPECT_EQ(make_kernel("soft_dtw(gamma=2*median)", data)->text(), "soft_dtw(gamma=0.5, smoothing=1)");
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
}  // namespace dk::test::warping_kernel_test
