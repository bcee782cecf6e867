// SPDX-License-Identifier: Apache-2.0
// These tests compare the kernels of values >= 0 with their definitions: chi-square, its additive form and
// the intersection.
#include <Eigen/Eigenvalues>

#include "accuracy.hpp"

namespace dk::test::histogram_kernel_test {
namespace {

std::vector<Case> histogram_kernels() {
    const auto intersection = reference_intersection();
    const auto additive = reference_additive_chi_square();
    return {
        {"chi_square(gamma=0.25)", reference_chi_square(0.25L)},
        {"chi_square(gamma=0.0078125)", reference_chi_square(0x1p-7L)},
        {"chi_square(gamma=64)", reference_chi_square(64)},
        {"additive_chi_square", additive},
        {"intersection", intersection},
        {"normalize(intersection)", reference_normalised(intersection)},
        {"normalize(additive_chi_square)", reference_normalised(additive)},
        {"(intersection)^2",
         [intersection](Point x, Point z) { return intersection(x, z) * intersection(x, z); }},
    };
}

/// Makes histograms with many empty bins and different totals, of which two are equal and two nearly are.
Dataset histograms(Index rows, Index cols, std::uint64_t seed, double offset = 0) {
    auto values = normal_values(rows * cols, seed);
    for (double& v : values) v = std::abs(v) < 0.4 ? 0 : std::abs(v) + offset;
    const auto width = cols;
    if (rows > 3) {
        std::copy_n(values.begin(), width, values.begin() + 2 * cols);
        for (Index j = 0; j < width; ++j) values[3 * width + j] = values[j] * (1 + 1e-9);
    }
    // Every row needs a bin, because an empty one has no direction for normalize.
    for (Index i = 0; i < rows; ++i) values[i * width] += 0.125;
    return dense(rows, cols, values);
}

TEST(HistogramKernels, FewAndManyColumns) {
    for (const Index columns : {1, 5, 32, 33, 200}) {
        const Dataset left = histograms(45, columns, 1);
        const Dataset right = histograms(21, columns, 2);
        for (const auto& kernel : histogram_kernels()) {
            expect_accurate(kernel, left, left);
            expect_accurate(kernel, left, right);
        }
    }
}

TEST(HistogramKernels, TileEdgesAndOffsets) {
    for (const Index rows : {1, 127, 129}) {
        const Dataset left = histograms(rows, 7, 3);
        const Dataset right = histograms(140, 7, 4, 1000);
        for (const auto& kernel : histogram_kernels()) {
            expect_accurate(kernel, left, left);
            expect_accurate(kernel, left, right);
            expect_accurate(kernel, right, right);
        }
    }
}

TEST(HistogramKernels, SinglePrecision) {
    for (const Index columns : {9, 60}) {
        const Dataset left = histograms(50, columns, 5);
        const Dataset right = histograms(30, columns, 6);
        for (const auto& kernel : histogram_kernels()) {
            const auto made = make_kernel(kernel.text, left);
            EXPECT_LE(worst_error(gram_matrix<float>(made, left, right), kernel.reference, left, right),
                      3e-5L)
                << kernel.text << ", " << columns << " columns";
            EXPECT_LE(worst_error(gram_matrix<float>(made, left, left), kernel.reference, left, left), 3e-5L)
                << kernel.text << ", " << columns << " columns";
        }
    }
}

TEST(HistogramKernels, ByHand) {
    const Dataset left = dense(1, 3, {1, 0, 3});
    const Dataset right = dense(1, 3, {3, 0, 1});
    const auto value = [&](const char* kernel) {
        return gram_matrix(make_kernel(kernel, left), left, right).front();
    };
    EXPECT_DOUBLE_EQ(value("intersection"), 2);
    EXPECT_DOUBLE_EQ(value("additive_chi_square"), 3);  // 2 * 3 / 4 twice; a bin of 0 and 0 adds nothing
    EXPECT_DOUBLE_EQ(value("chi_square(gamma=0.5)"), std::exp(-1));  // (1 + 1) / 2
    EXPECT_DOUBLE_EQ(value("on(0:1, chi_square(gamma=2))"), std::exp(-2));
    EXPECT_DOUBLE_EQ(value("normalize(intersection)"), 0.5);
}

/// These quotients have products that no double holds.
TEST(HistogramKernels, ExtremeSizes) {
    const Dataset large = dense(2, 2, {1e145, 0, 0.5e145, 1e145});
    expect_accurate({"intersection", reference_intersection()}, large, large);
    expect_accurate({"additive_chi_square", reference_additive_chi_square()}, large, large);
    const Dataset small = dense(2, 2, {1e-250, 0, 0.5e-250, 1e-250});
    expect_accurate({"intersection", reference_intersection()}, small, small);
    expect_accurate({"additive_chi_square", reference_additive_chi_square()}, small, small);
    expect_accurate({"chi_square(gamma=1)", reference_chi_square(1)}, small, small);
}

TEST(HistogramKernels, RowsOfZeros) {
    const Dataset data = dense(3, 2, {0, 0, 1, 2, 0, 0});
    for (const Dataset& set : {data, to_sparse(data)}) {
        const std::vector<double> sums{0, 0, 0, 0, 3, 0, 0, 0, 0};
        EXPECT_EQ(gram_matrix(make_kernel("intersection", set), set, set), sums);
        EXPECT_EQ(gram_matrix(make_kernel("additive_chi_square", set), set, set), sums);
        const auto chi_square = gram_matrix(make_kernel("chi_square(gamma=1)", set), set, set);
        EXPECT_EQ(chi_square[2], 1);
        EXPECT_NEAR(chi_square[1], std::exp(-3), 1e-15);
    }
}

TEST(HistogramKernels, NegativeValuesAreRefusedByRow) {
    const Dataset good = histograms(5, 3, 7);
    auto values = good.dense().values;
    values[4 * 3 + 1] = -1e-9;
    const Dataset bad = dense(5, 3, values);
    for (const char* text : {"chi_square(gamma=1)", "additive_chi_square", "intersection", "chi_square"}) {
        const auto kernel = make_kernel(text, good);
        for (const auto& sides : {std::pair{bad, good}, {good, bad}, {to_sparse(bad), to_sparse(good)}}) {
            const auto message =
                message_of(Status::invalid_data, [&] { gram_matrix(kernel, sides.first, sides.second); });
            EXPECT_NE(message.find("row 4"), std::string::npos) << message;
            EXPECT_NE(message.find("column 1"), std::string::npos) << message;
        }
        EXPECT_FALSE(message_of(Status::invalid_data, [&] { gram_matrix(kernel, bad, bad); }).empty());
        EXPECT_FALSE(
            message_of(Status::invalid_data, [&] { gram_matrix(make_kernel(text, bad), bad, bad); }).empty());
    }
    // A column that the kernel does not see may be negative.
    EXPECT_NO_THROW(gram_matrix(make_kernel("on(0, 2, intersection)", bad), bad, bad));
}

TEST(HistogramKernels, PropertiesThatTheyClaim) {
    const Dataset data = histograms(80, 4, 8);
    for (const char* text : {"chi_square", "chi_square(gamma=3)", "chi_square(gamma=0.5*median)",
                             "additive_chi_square", "intersection", "2*intersection*chi_square + 1"}) {
        const auto kernel = make_kernel(text, data);
        EXPECT_TRUE(kernel->positive_semidefinite()) << text;
        const auto values = gram_matrix(kernel, data, data);
        const Eigen::Map<const Eigen::MatrixXd> matrix(values.data(), 80, 80);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
        EXPECT_GE(solver.eigenvalues().minCoeff(), -1e-10 * solver.eigenvalues().maxCoeff()) << text;
        const auto self = GramEngine<double>(kernel, data, data).self(Side::left);
        const auto [lowest, highest] = std::ranges::minmax(self);
        EXPECT_EQ(kernel->constant_diagonal(), highest - lowest < 1e-12) << text;
        EXPECT_EQ(kernel->unit_diagonal(), lowest == 1 && highest == 1) << text;
        const Dataset other = histograms(9, 4, 9);
        EXPECT_EQ(gram_matrix(make_kernel(kernel->text(), other), data, other),
                  gram_matrix(kernel, data, other))
            << kernel->text();
    }
}

TEST(HistogramKernels, ThreadsDoNotMatter) {
    const Dataset data = histograms(300, 6, 10);
    for (const auto& kernel : histogram_kernels()) {
        const auto made = make_kernel(kernel.text, data);
        const auto one = gram_matrix(made, data, data, 1);
        for (const int threads : {2, 3})
            EXPECT_EQ(gram_matrix(made, data, data, threads), one) << kernel.text;
    }
}

}  // namespace
}  // namespace dk::test::histogram_kernel_test
