// SPDX-License-Identifier: Apache-2.0
#include "matrix/eigen/leading_eigen.hpp"

#include <numeric>

#include "matrix/eigen/symmetric_eigen.hpp"
#include "support.hpp"

namespace dk::test::leading_eigen_test {
namespace {

/// Makes sum_k values[k] v_k v_k' for vectors v_k that are columns of a Householder reflection.
std::vector<double> with_spectrum(const std::vector<double>& values, std::uint64_t seed) {
    const Index n = std::ssize(values);
    auto direction = normal_values(n, seed);
    const double squares = std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0);
    std::vector<double> matrix(n * n);
    const auto vector = [&](Index k, Index i) {
        return (i == k ? 1.0 : 0.0) - 2 * direction[k] * direction[i] / squares;
    };
    for (Index k = 0; k < n; ++k) {
        if (values[k] == 0) continue;
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j) matrix[i * n + j] += values[k] * vector(k, i) * vector(k, j);
        }
    }
    return matrix;
}

void expect_eigenpairs(const std::vector<double>& matrix, Index n, const LeadingEigen& found) {
    for (Index k = 0; k < found.values.size(); ++k) {
        const double* v = found.vectors.data() + k * n;
        for (Index j = 0; j <= k; ++j) {
            const double product = std::inner_product(v, v + n, found.vectors.data() + j * n, 0.0);
            EXPECT_NEAR(product, j == k ? 1 : 0, 1e-9);
        }
        double worst = 0;
        for (Index i = 0; i < n; ++i) {
            const double product = std::inner_product(v, v + n, matrix.data() + i * n, 0.0);
            worst = std::max(worst, std::abs(product - found.values[k] * v[i]));
        }
        EXPECT_LE(worst, 1e-7 * found.values(0)) << "eigenpair " << k;
    }
}

TEST(LeadingEigen, FindsTheLargestOfALargeMatrix) {
    const Index n = 450;
    std::vector<double> values(n);
    for (Index k = 0; k < 60; ++k) values[(k * 7) % n] = std::pow(0.8, static_cast<double>(k));
    const auto matrix = with_spectrum(values, 5);
    BegunControl control;
    const LeadingEigen found = leading_eigen(view(matrix.data(), n, n), 12, 1e-12, control);
    ASSERT_EQ(found.values.size(), 12);
    for (std::size_t k = 0; k < 12; ++k)
        EXPECT_NEAR(found.values[k], std::pow(0.8, static_cast<double>(k)), 1e-12);
    expect_eigenpairs(matrix, n, found);
}

TEST(LeadingEigen, FindsEqualEigenvaluesEachOfThem) {
    const Index n = 420;
    std::vector<double> values(n);
    for (const Index k : {3, 100, 200, 300}) values[k] = 2;
    values[17] = 5;
    values[18] = 1;
    const auto matrix = with_spectrum(values, 6);
    BegunControl control;
    const LeadingEigen found = leading_eigen(view(matrix.data(), n, n), 10, 0.5, control);
    ASSERT_EQ(found.values.size(), 6);
    const std::vector<double> expected{5, 2, 2, 2, 2, 1};
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(found.values[k], expected[k], 1e-10);
    expect_eigenpairs(matrix, n, found);
}

TEST(LeadingEigen, FloorAndNumberLimitWhatIsFound) {
    const Index n = 30;
    std::vector<double> values(n);
    for (Index k = 0; k < 10; ++k) values[k] = static_cast<double>(k);
    const auto matrix = with_spectrum(values, 7);
    BegunControl control;
    EXPECT_EQ(leading_eigen(view(matrix.data(), n, n), 100, 4.5, control).values.size(), 5);
    EXPECT_EQ(leading_eigen(view(matrix.data(), n, n), 3, 4.5, control).values.size(), 3);
    EXPECT_EQ(leading_eigen(view(matrix.data(), n, n), 3, 9.5, control).values.size(), 0);
    EXPECT_EQ(leading_eigen(view(matrix.data(), n, n), 0, 0, control).values.size(), 0);
}

TEST(LeadingEigen, NearlyEqualEigenvaluesEndWithTheBestFound) {
    const Index n = 440;
    std::vector<double> values;
    for (Index k = 0; k < n; ++k) values.push_back(1 + 1e-6 * static_cast<double>(k));
    const auto matrix = with_spectrum(values, 8);
    BegunControl control;
    const LeadingEigen found = leading_eigen(view(matrix.data(), n, n), 5, 0.1, control);
    ASSERT_EQ(found.values.size(), 5);
    for (const double value : found.values) EXPECT_NEAR(value, 1.0004, 1e-4);
}

TEST(LeadingEigen, TheSameBitsForAnyThreads) {
    const Index n = 410;
    std::vector<double> values(n);
    for (Index k = 0; k < n; ++k) values[k] = std::pow(0.9, static_cast<double>(k));
    const auto matrix = with_spectrum(values, 9);
    BegunControl one(1);
    BegunControl three(3);
    const LeadingEigen first = leading_eigen(view(matrix.data(), n, n), 6, 0, one);
    const LeadingEigen second = leading_eigen(view(matrix.data(), n, n), 6, 0, three);
    EXPECT_EQ(first.values, second.values);
    EXPECT_EQ(first.vectors, second.vectors);
}

}  // namespace
}  // namespace dk::test::leading_eigen_test
