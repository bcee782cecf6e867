// SPDX-License-Identifier: Apache-2.0
// These tests check the kernels of time series: global alignment and dynamic time warping.
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "kernel/family/series_kernel.hpp"
#include "reference_series.hpp"

namespace dk::test::series_kernel_test {
namespace {

/// Gives the logarithm of the alignment sum of the first row of `left` with the rows of `right`, at most as
/// many as a vector has lanes.
std::vector<double> logarithms(const GlobalAlignment& parameters, const Dataset& left, const Dataset& right,
                               const std::vector<Index>& rows) {
    const BegunControl control;
    const std::vector<Index> first{0};
    std::vector<double> out(alignment_lanes());
    global_alignment_logarithms(parameters, series_lanes(left.series(), first, {}),
                                series_lanes(right.series(), rows, {}), control, out.data());
    out.resize(rows.size());
    return out;
}

double logarithm(const GlobalAlignment& parameters, const std::vector<double>& x,
                 const std::vector<double>& z) {
    return logarithms(parameters, series_data(1, {x}), series_data(1, {z}), {0}).front();
}

double value(const std::string& kernel, const std::vector<double>& x, const std::vector<double>& z) {
    const Dataset left = series_data(1, {x});
    const Dataset right = series_data(1, {z});
    return gram_matrix(make_kernel(kernel, left), left, right).front();
}

double lowest_share(const std::vector<double>& values, Index n) {
    const Eigen::Map<const Eigen::MatrixXd> matrix(values.data(), n, n);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
    return solver.eigenvalues().minCoeff() / solver.eigenvalues().maxCoeff();
}

/// The values were computed once outside of libdk, to six digits.
TEST(GlobalAlignment, GoldenValues) {
    EXPECT_NEAR(value("gak(sigma=2)", {1, 2, 3}, {1, 2, 2, 3}), 0.839337, 5e-7);
    EXPECT_NEAR(value("gak(sigma=1)", {1, 2, 3}, {1, 2, 2, 3, 4}), 0.273386, 5e-7);
    EXPECT_NEAR(value("gak(sigma=2, divisible=0)", {1, 2, 3}, {1, 2, 2, 3}), 0.855824, 5e-7);
    EXPECT_NEAR(value("gak(sigma=1, divisible=0)", {1, 2, 3}, {1, 2, 2, 3, 4}), 0.373439, 5e-7);
}

/// With local kernels of 1 the sum counts alignments, whose numbers are Delannoy's.
TEST(GlobalAlignment, CountsThePathsOfEqualSteps) {
    const auto count = [](Index n, Index m) {
        return logarithm({1, 0, false}, std::vector<double>(n, 7.0), std::vector<double>(m, 7.0));
    };
    EXPECT_NEAR(count(5, 6), std::log(681), 1e-14);
    EXPECT_NEAR(count(6, 5), std::log(681), 1e-14);
    EXPECT_NEAR(count(4, 4), std::log(63), 1e-14);
    EXPECT_NEAR(count(1, 9), 0, 1e-15);
    EXPECT_NEAR(count(2, 9), std::log(17), 1e-14);
}

TEST(GlobalAlignment, BandOfOneIsTheProductAlongTheDiagonal) {
    const std::vector<double> x{0.5, -1, 2, 0};
    const std::vector<double> z{1, -1.5, 0, 0};
    const double sum = 0.25 + 0.25 + 4 + 0;
    EXPECT_NEAR(logarithm({1.5, 1, false}, x, z), -sum / (2 * 1.5 * 1.5), 1e-14);
    double product = 1;
    for (std::size_t t = 0; t < x.size(); ++t) {
        const double local = std::exp(-(x[t] - z[t]) * (x[t] - z[t]) / 4.5);
        product *= local / (2 - local);
    }
    EXPECT_NEAR(logarithm({1.5, 1, true}, x, z), std::log(product), 1e-14);
}

/// The square of such a width is below every double.
TEST(GlobalAlignment, WidthsOfNothingTellAllSeriesApart) {
    for (const char* kernel : {"gak(sigma=1e-160)", "gak(sigma=1e-150)", "gak(sigma=1e-300, divisible=0)"}) {
        EXPECT_EQ(value(kernel, {0, 1, 2}, {0, 1, 2}), 1) << kernel;
        EXPECT_EQ(value(kernel, {0, 1, 2}, {0, 1, 2.5}), 0) << kernel;
        EXPECT_EQ(value(kernel, {0, 1, 2}, {1}), 0) << kernel;
    }
}

TEST(GlobalAlignment, BandsForbidVeryDifferentLengths) {
    const std::vector<double> x(9, 0.0);
    EXPECT_EQ(value("gak(sigma=1, band=3)", x, std::vector<double>(6, 0.0)), 0);
    EXPECT_EQ(value("gak(sigma=1, band=3)", std::vector<double>(6, 0.0), x), 0);
    EXPECT_EQ(value("gak(sigma=1, band=3)", x, {0}), 0);
    EXPECT_GT(value("gak(sigma=1, band=3)", x, std::vector<double>(7, 0.0)), 0);
    EXPECT_EQ(value("gak(sigma=1, band=1)", {1, 2}, {1, 2, 3}), 0);
}

TEST(GlobalAlignment, SumsOverEveryAlignment) {
    const Dataset data = random_series(12, 2, 1, 5, 1);
    for (const Index band : {0, 2, 4}) {
        for (const bool divisible : {true, false}) {
            const GlobalAlignment parameters{0.8, band, divisible};
            for (Index i = 0; i < data.rows(); ++i) {
                for (Index j = 0; j < data.rows(); ++j) {
                    const auto sum = enumerated_alignment(parameters, data.series(), i, data.series(), j);
                    const auto log_sum = reference_alignment(parameters, data.series(), i, data.series(), j);
                    EXPECT_NEAR(static_cast<double>(std::exp(log_sum)), static_cast<double>(sum),
                                static_cast<double>(1e-15L * sum));  // The two references agree.
                    const Index row = i;
                    const Dataset left = data.select({&row, 1});
                    const double found = logarithms(parameters, left, data, {j}).front();
                    EXPECT_NEAR(std::exp(found), static_cast<double>(sum), static_cast<double>(1e-13L * sum));
                }
            }
        }
    }
}

void expect_matrix(const std::string& text, const GlobalAlignment& parameters, const Dataset& left,
                   const Dataset& right) {
    const auto kernel = make_kernel(text, left);
    const auto matrix = gram_matrix(kernel, left, right);
    const auto single = gram_matrix<float>(kernel, left, right);
    const auto& a = left.series();
    const auto& b = right.series();
    for (Index i = 0; i < left.rows(); ++i) {
        for (Index j = 0; j < right.rows(); ++j) {
            const long double expected = std::exp(
                reference_alignment(parameters, a, i, b, j) -
                (reference_alignment(parameters, a, i, a, i) + reference_alignment(parameters, b, j, b, j)) /
                    2);
            const auto at = i * right.rows() + j;
            EXPECT_NEAR(matrix[at], static_cast<double>(expected), static_cast<double>(1e-12L * expected))
                << text << " " << i << " " << j;
            EXPECT_NEAR(single[at], static_cast<double>(expected), 1e-6);
        }
    }
}

/// Long series differ from each other by more than a double can hold, in both directions: the table has
/// values of far more than 2^1000 and of far less, and a lane must not fall back to logarithms for that
/// alone.
TEST(GlobalAlignment, LongSeriesKeepTheirDigits) {
    for (const double sigma : {1.0, 4.0, 20.0}) {
        for (const Index band : {0, 40}) {
            const Dataset data = random_series(3, 1, 690, 720, 77);
            const GlobalAlignment parameters{sigma, band, true};
            for (Index i = 0; i < data.rows(); ++i) {
                const Index row = i;
                const Dataset left = data.select({&row, 1});
                for (Index j = 0; j < data.rows(); ++j) {
                    const auto expected = static_cast<double>(
                        reference_alignment(parameters, data.series(), i, data.series(), j));
                    EXPECT_NEAR(logarithms(parameters, left, data, {j}).front(), expected,
                                1e-12 * std::abs(expected))
                        << sigma << " " << band;
                }
            }
        }
    }
}

/// A pair's bits are the same beside pairs of any lengths. The noise is rough, so that some pairs are near
/// where logarithms have to take over.
TEST(GlobalAlignment, NoLaneLooksAtAnother) {
    const Dataset data = random_series(40, 1, 2, 47, 78);
    BegunControl control;
    const auto selves = [&](const GlobalAlignment& parameters, const std::vector<Index>& rows) {
        const SeriesLanes lanes = series_lanes(data.series(), rows, {});
        std::vector<double> out(alignment_lanes());
        global_alignment_logarithms(parameters, lanes, lanes, control, out.data());
        return out;
    };
    for (const double sigma : {0.1, 0.2, 0.3, 2.0}) {
        const GlobalAlignment parameters{sigma, 0, true};
        for (Index i = 0; i < data.rows(); ++i) {
            for (Index j = 0; j < data.rows(); j += 7)
                EXPECT_EQ(selves(parameters, {i, j}).front(), selves(parameters, {i}).front()) << sigma;
        }
    }
}

/// The right series ends with a block of columns, behind which only the other lane has columns.
TEST(GlobalAlignment, LanesThatEndWithABlockAreOnTheirOwn) {
    for (Index k = 0; k < 20; ++k) {
        std::vector<double> right(15, 0.001 * static_cast<double>(k));
        right[0] = 4.8;
        const Dataset left = series_data(1, {{4.8, 0.1, 0.01 * static_cast<double>(k), 0.2}});
        const Dataset rights = series_data(1, {right, std::vector<double>(20, 0.5)});
        const GlobalAlignment parameters{0.5, 0, true};
        EXPECT_EQ(logarithms(parameters, left, rights, {0}).front(),
                  logarithms(parameters, left, rights, {0, 1}).front())
            << k;
    }
}

/// Gives walks by steps of these deviations, each on a wave of its own. Far from the diagonal their local
/// kernels are below every double, and neighbouring cells differ by more than a double's range.
Dataset walks(const std::vector<double>& deviations, Index steps) {
    std::mt19937_64 generator(83);
    std::normal_distribution<double> normal;
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < deviations.size(); ++i) {
        rows.emplace_back();
        double at = 0;
        for (Index t = 0; t < steps + 5 * static_cast<Index>(i); ++t) {
            at += deviations[i] * normal(generator);
            rows.back().push_back(at + (i % 2 == 0 ? 0 : std::sin(static_cast<double>(t) / 9)));
        }
    }
    return series_data(1, rows);
}

TEST(GlobalAlignment, CellsBeyondEveryDoubleKeepTheirDigits) {
    const Dataset data = walks({0.02, 0.05, 1, 30, 1e4, 0.02}, 260);
    for (const Index band : {0, 50}) {
        for (const bool divisible : {true, false}) {
            const GlobalAlignment parameters{1, band, divisible};
            for (Index i = 0; i < data.rows(); ++i) {
                const Index row = i;
                const Dataset left = data.select({&row, 1});
                for (Index j = 0; j < data.rows(); ++j) {
                    const long double expected =
                        reference_alignment(parameters, data.series(), i, data.series(), j);
                    if (expected < -1e9)
                        continue;  // Their local kernels are below those that are told apart.
                    EXPECT_NEAR(logarithms(parameters, left, data, {j}).front(),
                                static_cast<double>(expected),
                                static_cast<double>(1e-12L * std::abs(expected)))
                        << i << " " << j << " " << band;
                }
            }
        }
    }
}

/// Smooth pairs need no exponents of their own for their cells, and rough ones beside them do.
TEST(GlobalAlignment, RoughPairsChangeNoDigitOfSmoothOnes) {
    const Dataset data = walks({0.02, 0.05, 2, 100, 0.02, 0.3}, 300);
    for (const Index band : {0, 30}) {
        for (const bool divisible : {true, false}) {
            const GlobalAlignment parameters{1, band, divisible};
            for (Index i = 0; i < data.rows(); ++i) {
                const Dataset left = data.select({&i, 1});
                for (Index j = 0; j < data.rows(); ++j) {
                    const double alone = logarithms(parameters, left, data, {j}).front();
                    for (Index other = 0; other < data.rows(); ++other)
                        EXPECT_EQ(logarithms(parameters, left, data, {j, other}).front(), alone)
                            << i << " " << j << " " << other;
                }
            }
        }
    }
}

/// Forty rows of all lengths make tiles whose lanes end at different steps.
TEST(GlobalAlignment, RaggedSeriesOfSeveralChannels) {
    for (const Index channels : {1, 2, 3}) {
        const Dataset left = random_series(40, channels, 1, 12, 2 + static_cast<std::uint64_t>(channels));
        const Dataset right = random_series(19, channels, 1, 12, 9 + static_cast<std::uint64_t>(channels));
        for (const Index band : {0, 1, 3, 8, 40}) {
            for (const bool divisible : {true, false}) {
                const GlobalAlignment parameters{1.25, band, divisible};
                const std::string kernel =
                    text("gak(sigma=1.25, band=", band, ", divisible=", divisible ? 1 : 0, ")");
                expect_matrix(kernel, parameters, left, right);
                expect_matrix(kernel, parameters, left, left);
            }
        }
    }
}

/// The weight 1 - |i - j| / band keeps the kernel positive semidefinite, which a band of equal weights (an
/// integer quotient) does not: its lowest eigenvalue here is -0.369.
TEST(GlobalAlignment, TheBandIsTriangular) {
    std::vector<std::vector<double>> rows;
    for (std::size_t length = 1; length <= 12; ++length) rows.emplace_back(length, 3.0);
    const Dataset data = series_data(1, rows);
    const auto values = gram_matrix(make_kernel("gak(sigma=1, band=2)", data), data, data);
    const Eigen::Map<const Eigen::MatrixXd> matrix(values.data(), 12, 12);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
    EXPECT_NEAR(solver.eigenvalues().minCoeff(), 0.413, 1e-3);
}

TEST(GlobalAlignment, PositiveSemidefiniteWhereItSaysSo) {
    const Dataset data = random_series(60, 2, 1, 20, 21);
    for (const char* kernel : {"gak", "gak(sigma=0.5)", "gak(sigma=5)", "gak(sigma=2, band=4)",
                               "gak(sigma=2, band=1)", "gak(sigma=0.5*auto)"}) {
        const auto made = make_kernel(kernel, data);
        EXPECT_TRUE(made->positive_semidefinite()) << kernel;
        EXPECT_TRUE(made->unit_diagonal()) << kernel;
        EXPECT_GE(lowest_share(gram_matrix(made, data, data), 60), -1e-10) << kernel;
    }
    EXPECT_FALSE(make_kernel("gak(divisible=0)", data)->positive_semidefinite());
    EXPECT_FALSE(make_kernel("dtw", data)->positive_semidefinite());
}

TEST(GlobalAlignment, AutomaticWidthIsANumberOfTheText) {
    // Steps are 0 or 3, so every distance above 0 is 3, and the median length is 4.
    const Dataset data = series_data(1, {{0, 3, 0, 3}, {3, 0, 0, 3}, {0, 0, 3}});
    EXPECT_EQ(make_kernel("gak", data)->text(), "gak(sigma=6, band=0)");
    EXPECT_EQ(make_kernel("gak(sigma=0.5*median, band=2)", data)->text(), "gak(sigma=3, band=2)");
    EXPECT_EQ(make_kernel("gak(sigma=auto, divisible=0)", data)->text(), "gak(sigma=6, band=0, divisible=0)");
    const Dataset other = random_series(9, 1, 3, 8, 22);
    const auto kernel = make_kernel(make_kernel("gak", data)->text(), other);
    EXPECT_EQ(kernel->text(), "gak(sigma=6, band=0)");
    // All steps are equal, so there is no distance, but the width must be above 0.
    const Dataset flat = series_data(1, {{2, 2}, {2, 2}});
    EXPECT_EQ(gram_matrix(make_kernel("gak", flat), flat, flat), std::vector<double>(4, 1.0));
    message_of(Status::invalid_kernel, [&] { make_kernel("gak(sigma=mean)", data); });
}

/// Channels can be chosen one by one or some together, as if the others were not there.
TEST(SeriesKernels, ChannelsAreChosen) {
    const Dataset data = random_series(10, 3, 2, 9, 23);
    const auto copy_of = [&](const std::vector<std::size_t>& channels) {
        std::vector<std::vector<double>> rows;
        for (Index i = 0; i < data.rows(); ++i) {
            rows.emplace_back();
            for (Index t = 0; t < data.series().length(i); ++t) {
                for (const auto c : channels) rows.back().push_back(data.series().series(i)[(t * 3) + c]);
            }
        }
        return series_data(std::ssize(channels), rows);
    };
    for (const char* kernel : {"gak(sigma=1.5)", "dtw(gamma=0.1)", "gak(sigma=2, band=5)", "dtw(gamma=auto)",
                               "soft_dtw(gamma=0.1)", "dtw(gamma=0.1, slope=2)"}) {
        const Bank bank = make_bank(text("each_channel(", kernel, ")"), data);
        ASSERT_EQ(bank.size(), 3U);
        for (std::size_t c = 0; c < 3; ++c) {
            const Dataset one = copy_of({c});
            EXPECT_EQ(gram_matrix(bank[c], data, data), gram_matrix(make_kernel(kernel, one), one, one));
            // The text parses to the same kernel.
            EXPECT_EQ(gram_matrix(make_kernel(bank[c]->text(), data), data, data),
                      gram_matrix(bank[c], data, data));
        }
        const Dataset two = copy_of({0, 2});
        EXPECT_EQ(gram_matrix(make_kernel(text("on(0, 2, ", kernel, ")"), data), data, data),
                  gram_matrix(make_kernel(kernel, two), two, two));
    }
    message_of(Status::invalid_kernel, [&] { make_kernel("on(0:3, gak)", data); });
    message_of(Status::unsupported, [&] { make_kernel("rbf(gamma=1)", data); });
}

TEST(SeriesKernels, RowsAndProductsAgreeWithMatrices) {
    const Dataset left = random_series(40, 2, 1, 15, 26);
    const Dataset right = random_series(37, 2, 1, 15, 27);
    std::vector<Index> wanted{39, 0, 0, 17, 3};
    for (Index i = 0; i < 30; ++i) wanted.push_back(9);  // These are more rows than one tile has.
    BegunControl control(2);
    for (const char* kernel : {"gak(sigma=2)", "gak(sigma=2, band=5)", "dtw(gamma=0.1)",
                               "soft_dtw(gamma=0.1)", "gak(sigma=3)*dtw"}) {
        const auto made = make_kernel(kernel, left);
        const auto matrix = gram_matrix(made, left, right);
        const GramEngine<double> engine(made, left, right);
        std::vector<double> rows(wanted.size() * 37);
        engine.rows_of(wanted, rows.data(), control);
        for (std::size_t r = 0; r < wanted.size(); ++r) {
            for (std::size_t j = 0; j < 37; ++j)
                ASSERT_NEAR(rows[r * 37 + j], matrix[wanted[r] * 37 + j], 1e-13) << kernel;
        }
        const auto v = normal_values(37, 28);
        std::vector<double> product(40);
        engine.product(v.data(), 1, product.data(), control);
        for (std::size_t i = 0; i < 40; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < 37; ++j) sum += matrix[i * 37 + j] * v[j];
            ASSERT_NEAR(product[i], sum, 1e-12) << kernel;
        }
        EXPECT_EQ(make_kernel(made->text(), right)->text(), made->text());
    }
}

/// 100000 prints shorter as 1e+05, and is an integer all the same.
TEST(SeriesKernels, WideBandsInTheText) {
    const Dataset data = random_series(5, 1, 1, 9, 29);
    for (const char* kernel : {"gak(sigma=100000, band=100000)", "dtw(gamma=1, band=1000000)"}) {
        EXPECT_NO_THROW({
            const auto wide = make_kernel(kernel, data);
            EXPECT_EQ(gram_matrix(make_kernel(wide->text(), data), data, data),
                      gram_matrix(wide, data, data));
        }) << kernel;
    }
}

TEST(SeriesKernels, BitsDoNotDependOnThreads) {
    const Dataset data = random_series(40, 2, 1, 15, 24);
    const Dataset other = random_series(33, 2, 1, 15, 25);
    for (const char* kernel : {"gak", "gak(sigma=0.02)", "dtw", "dtw(gamma=0.1, band=3)"}) {
        const auto made = make_kernel(kernel, data);
        for (const Dataset* right : {&data, &other}) {
            const auto one = gram_matrix(made, data, *right, 1);
            for (const int threads : {2, 3})
                EXPECT_EQ(gram_matrix(made, data, *right, threads), one) << kernel;
        }
        // The value of a pair does not depend on its place in a tile.
        const std::vector<Index> reversed{39, 20, 3, 0};
        const Dataset some = data.select(reversed);
        const auto whole = gram_matrix(made, data, other);
        const auto part = gram_matrix(made, some, other);
        for (std::size_t r = 0; r < reversed.size(); ++r) {
            for (std::size_t j = 0; j < 33; ++j)
                EXPECT_NEAR(part[r * 33 + j], whole[reversed[r] * 33 + j], 1e-13) << kernel;
        }
    }
}

}  // namespace
}  // namespace dk::test::series_kernel_test
