// SPDX-License-Identifier: Apache-2.0
#include "matrix/cholesky.hpp"

#include <algorithm>

#include "support.hpp"

namespace dk::test::cholesky_test {
namespace {

/// Makes A A' / depth + I for random A, which is well conditioned.
std::vector<double> positive_definite(Index n, std::uint64_t seed) {
    const Index depth = 8;
    const auto a = normal_values(n * depth, seed);
    std::vector<double> matrix(n * n);
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
            double sum = i == j ? depth : 0;
            for (Index k = 0; k < depth; ++k) sum += a[i * depth + k] * a[j * depth + k];
            matrix[i * n + j] = sum / depth;
        }
    }
    return matrix;
}

const std::vector<Index> sizes{1, 2, 5, 191, 192, 193, 500};

TEST(Cholesky, FactorTimesItsTransposeIsTheMatrix) {
    BegunControl control(2);
    for (const Index n : sizes) {
        const auto matrix = positive_definite(n, static_cast<std::uint64_t>(n));
        auto factor = matrix;
        ASSERT_TRUE(cholesky_factor(view(factor.data(), n, n), control)) << n;
        long double worst = 0;
        for (Index i = 0; i < n; ++i) {
            EXPECT_GT(factor[i * n + i], 0);
            for (Index j = 0; j <= i; ++j) {
                long double sum = 0;
                for (Index k = 0; k <= j; ++k) {
                    sum += static_cast<long double>(factor[i * n + k]) * factor[j * n + k];
                }
                worst = std::max(worst, std::abs(sum - matrix[i * n + j]));
            }
        }
        EXPECT_LE(worst, 1e-13L * static_cast<long double>(std::ranges::max(matrix))) << n;
    }
}

TEST(Cholesky, OnlyTheLowerTriangleIsRead) {
    BegunControl control;
    const Index n = 250;
    auto matrix = positive_definite(n, 3);
    auto spoilt = matrix;
    for (Index i = 0; i < n; ++i) {
        for (Index j = i + 1; j < n; ++j) spoilt[i * n + j] = 1e9;
    }
    ASSERT_TRUE(cholesky_factor(view(matrix.data(), n, n), control));
    ASSERT_TRUE(cholesky_factor(view(spoilt.data(), n, n), control));
    std::vector<double> b = normal_values(n, 4);
    std::vector<double> c = b;
    cholesky_solve(view(matrix.data(), n, n), as_vector(b), control);
    cholesky_solve(view(spoilt.data(), n, n), as_vector(c), control);
    EXPECT_EQ(b, c);
}

TEST(Cholesky, SolvesToSmallResiduals) {
    BegunControl control;
    for (const Index n : sizes) {
        const auto matrix = positive_definite(n, 10 + static_cast<std::uint64_t>(n));
        auto factor = matrix;
        ASSERT_TRUE(cholesky_factor(view(factor.data(), n, n), control));
        const auto right = normal_values(n, 20);
        auto solution = right;
        cholesky_solve(view(factor.data(), n, n), as_vector(solution), control);
        for (Index i = 0; i < n; ++i) {
            long double residual = -static_cast<long double>(right[i]);
            for (Index j = 0; j < n; ++j) {
                residual += static_cast<long double>(matrix[i * n + j]) * solution[j];
            }
            ASSERT_NEAR(static_cast<double>(residual), 0, 1e-12) << n;
        }
    }
}

TEST(Cholesky, ByHand) {
    BegunControl control;
    std::vector<double> matrix{4, 2, 2, 5};  // L = (2, 0; 1, 2)
    ASSERT_TRUE(cholesky_factor(view(matrix.data(), 2, 2), control));
    EXPECT_DOUBLE_EQ(matrix[0], 2);
    EXPECT_DOUBLE_EQ(matrix[2], 1);
    EXPECT_DOUBLE_EQ(matrix[3], 2);
    std::vector<double> b{10, 13};  // solved by (1.5, 2)
    cholesky_solve(view(matrix.data(), 2, 2), as_vector(b), control);
    EXPECT_DOUBLE_EQ(b[0], 1.5);
    EXPECT_DOUBLE_EQ(b[1], 2);
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
    BegunControl control(2);
    for (const Index n : sizes) {
        for (const Index bad : {Index{0}, n / 2, n - 1}) {
            auto matrix = positive_definite(n, 30);
            matrix[bad * n + bad] = -1;
            EXPECT_FALSE(cholesky_factor(view(matrix.data(), n, n), control)) << n << ", pivot " << bad;
        }
    }
    std::vector<double> singular{1, 1, 1, 1};
    EXPECT_FALSE(cholesky_factor(view(singular.data(), 2, 2), control));
    std::vector<double> zero{0};
    EXPECT_FALSE(cholesky_factor(view(zero.data(), 1, 1), control));
    std::vector<double> indefinite{1, 2, 2, 1};
    EXPECT_FALSE(cholesky_factor(view(indefinite.data(), 2, 2), control));
}

TEST(Cholesky, SameBitsForEveryThreadCount) {
    const Index n = 500;
    const auto matrix = positive_definite(n, 40);
    BegunControl one(1);
    auto first = matrix;
    ASSERT_TRUE(cholesky_factor(view(first.data(), n, n), one));
    for (const int threads : {2, 5}) {
        BegunControl control(threads);
        auto again = matrix;
        ASSERT_TRUE(cholesky_factor(view(again.data(), n, n), control));
        EXPECT_EQ(again, first) << threads << " threads";
    }
}

TEST(Cholesky, OuterProduct) {
    for (const auto& [n, depth] : {std::pair<Index, Index>{1, 1}, {3, 7}, {192, 5}, {193, 300}, {400, 3}}) {
        const auto a = normal_values(n * depth, 50);
        std::vector<double> out(n * n, -1);
        BegunControl control(2);
        outer_product(view(a.data(), n, depth), view(out.data(), n, n), control);
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j <= i; ++j) {
                long double sum = 0;
                for (Index k = 0; k < depth; ++k) {
                    sum += static_cast<long double>(a[i * depth + k]) * a[j * depth + k];
                }
                ASSERT_NEAR(out[i * n + j], static_cast<double>(sum), 1e-12 * static_cast<double>(depth));
                ASSERT_EQ(out[i * n + j], out[j * n + i]);
            }
        }
        BegunControl one(1);
        std::vector<double> again(out.size());
        outer_product(view(a.data(), n, depth), view(again.data(), n, n), one);
        EXPECT_EQ(again, out);
    }
}

}  // namespace
}  // namespace dk::test::cholesky_test
