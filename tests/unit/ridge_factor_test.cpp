// SPDX-License-Identifier: Apache-2.0
// Rows that join and leave a factor make the one of the rows that are left.
#include <Eigen/Dense>
#include <numeric>

#include "solve/squares/ridge_factor.hpp"
#include "trained.hpp"

namespace dk::test::ridge_factor_test {
namespace {

Matrix random_rows(Index rows, Index cols, std::uint64_t seed) {
    const auto values = normal_values(rows * cols, seed);
    return view(values.data(), rows, cols);
}

Matrix gram_of(Index rows, std::uint64_t seed) {
    const Matrix features = random_rows(rows, 30, seed);
    return features * features.transpose();
}

RidgeFactor factor_of(const Matrix& gram, double ridge, Control& control) {
    return {factor_with_ridge(gram, ridge, control), control};
}

/// Holds a factor against the matrix of these rows of all.
void expect_factor_of(const RidgeFactor& factor, const Matrix& all, const std::vector<Index>& rows) {
    Control control;
    ASSERT_EQ(factor.rows(), std::ssize(rows));
    Eigen::MatrixXd system = all(rows, rows);
    system.diagonal().array() += factor.ridge();
    const Matrix right = random_rows(factor.rows(), 3, 99);
    Matrix solved = right;
    factor.solve(solved, control);
    EXPECT_LT((system * solved - right).cwiseAbs().maxCoeff(), 1e-11 * std::ssize(rows));
    const Vector inverse =
        system.llt().solve(Eigen::MatrixXd::Identity(system.rows(), system.rows())).diagonal();
    // Rounding grows with the condition of the matrix.
    const double digits = 1e-15 * system.trace() / factor.ridge();
    EXPECT_LT((factor.inverse_diagonal(control) - inverse).cwiseAbs().maxCoeff(),
              digits * inverse.maxCoeff());
}

std::vector<Index> range(Index first, Index end) {
    std::vector<Index> rows(end - first);
    std::iota(rows.begin(), rows.end(), first);
    return rows;
}

class FactorOf : public testing::TestWithParam<Index> {};

TEST_P(FactorOf, RowsThatJoinIsThatOfAll) {
    Control control;
    const Index n = GetParam();
    for (const Index further : {Index{1}, Index{7}, Index{300}}) {
        const Matrix all = gram_of(n + further, 3);
        const RidgeFactor before = factor_of(all.topLeftCorner(n, n), 0.5, control);
        const auto after = before.with_rows(all.bottomRows(further), control);
        ASSERT_TRUE(after);
        expect_factor_of(*after, all, range(0, n + further));
        expect_factor_of(before, all, range(0, n));  // which stays as it was
    }
}

TEST_P(FactorOf, RowsThatLeaveIsThatOfTheOthers) {
    Control control;
    const Index n = GetParam();
    const Matrix all = gram_of(n, 4);
    const RidgeFactor before = factor_of(all, 0.5, control);
    std::vector<std::vector<Index>> leaving{{0}, {n - 1}, range(0, n - 1)};
    if (n > 10) {
        leaving.push_back({2, 3, 9});
        leaving.push_back(range(n / 2, n / 2 + n / 4));
    }
    if (n > 300) leaving.push_back({255, 256, 257, n - 1});
    for (const auto& gone : leaving) {
        std::vector<Index> kept;
        for (Index i = 0; i < n; ++i) {
            if (!std::ranges::binary_search(gone, i)) kept.push_back(i);
        }
        if (kept.empty()) continue;
        expect_factor_of(before.without_rows(gone, control), all, kept);
    }
    expect_factor_of(before, all, range(0, n));
}

INSTANTIATE_TEST_SUITE_P(AcrossPanels, FactorOf, testing::Values(2, 11, 63, 65, 256, 257, 700));

TEST(RidgeFactor, KeepsItsPrecisionOverManyUpdates) {
    Control control;
    constexpr Index window = 300;
    constexpr Index step = 3;
    constexpr Index steps = 100;
    const Matrix all = gram_of(window + step * steps, 5);
    RidgeFactor factor = factor_of(all.topLeftCorner(window, window), 1e-3, control);
    for (Index k = 0; k < steps; ++k) {
        const Index first = k * step;
        factor = factor.without_rows(range(0, step), control);
        const auto rows = range(first + step, first + window + step);
        const auto larger =
            factor.with_rows(Matrix(all(range(first + window, first + window + step), rows)), control);
        ASSERT_TRUE(larger);
        factor = *larger;
    }
    expect_factor_of(factor, all, range(step * steps, step * steps + window));
}

TEST(RidgeFactor, HasTheSameBitsForAnyNumberOfThreads) {
    const Matrix all = gram_of(900, 6);
    std::vector<Matrix> solved;
    for (const int threads : {1, 2, 5}) {
        Control control;
        control.set_threads(threads);
        const RidgeFactor factor = factor_of(all.topLeftCorner(800, 800), 0.5, control);
        Matrix x = random_rows(590, 2, 8);
        factor.without_rows(range(100, 410), control)
            .with_rows(Matrix(all.bottomRows(100)(Eigen::all,
                                                  [&] {
                                                      auto rows = range(0, 100);
                                                      const auto rest = range(410, 900);
                                                      rows.insert(rows.end(), rest.begin(), rest.end());
                                                      return rows;
                                                  }())),
                       control)
            ->solve(x, control);
        solved.push_back(x);
    }
    EXPECT_EQ(solved[0], solved[1]);
    EXPECT_EQ(solved[0], solved[2]);
}

TEST(RidgeFactor, SaysWhereALargerMatrixIsNotPositiveDefinite) {
    Control control;
    Matrix all = gram_of(20, 7);
    all(19, 19) = -1;
    const RidgeFactor factor = factor_of(all.topLeftCorner(19, 19), 0.5, control);
    EXPECT_FALSE(factor.with_rows(all.bottomRows(1), control));
}

}  // namespace
}  // namespace dk::test::ridge_factor_test
