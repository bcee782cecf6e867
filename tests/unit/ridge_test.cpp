// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <algorithm>

#include "solve/squares/ridge.hpp"
#include "trained.hpp"

namespace dk::test::ridge_test {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

RowMajor random_matrix(Index rows, Index cols, std::uint64_t seed) {
    const auto values = normal_values(rows * cols, seed);
    return Eigen::Map<const RowMajor>(values.data(), rows, cols);
}

Eigen::Map<const RowMajor> matrix_of(const std::vector<double>& values, Index columns) {
    return {values.data(), std::ssize(values) / columns, columns};
}

RidgeProgram program_of(const RowMajor& targets, double ridge, bool offset) {
    return {.targets = view(targets.data(), targets.rows(), targets.cols()),
            .ridge = ridge,
            .offset = offset,
            .leave_one_out = true};
}

/// Gives what the other rows predict of each row, by solving without it.
RowMajor left_out_one_by_one(const RowMajor& gram, const RowMajor& targets, double ridge, bool offset) {
    const Index n = gram.rows();
    RowMajor out(targets.rows(), targets.cols());
    for (Index left = 0; left < n; ++left) {
        std::vector<Index> others;
        for (Index i = 0; i < n; ++i) {
            if (i != left) others.push_back(i);
        }
        const Index m = n - 1;
        Eigen::MatrixXd system = Eigen::MatrixXd::Zero(m + 1, m + 1);
        system.topLeftCorner(m, m) = gram(others, others);
        system.topLeftCorner(m, m).diagonal().array() += ridge;
        if (offset) {
            system.col(m).head(m).setOnes();
            system.row(m).head(m).setOnes();
        } else {
            system(m, m) = 1;
        }
        Eigen::MatrixXd right = Eigen::MatrixXd::Zero(m + 1, targets.cols());
        right.topRows(m) = targets(others, Eigen::all);
        const Eigen::MatrixXd solved = system.fullPivLu().solve(right);
        out.row(left) = gram(left, others) * solved.topRows(m);
        if (offset) out.row(left) += solved.row(m);
    }
    return out;
}

struct Found {
    const char* by;
    RidgeSolution solution;
};

std::vector<Found> all_ways(const RowMajor& features, const RowMajor& targets, double ridge, bool offset,
                            int threads = 1) {
    BegunControl control(threads);
    const RowMajor gram = features * features.transpose();
    const RidgeProgram program = program_of(targets, ridge, offset);
    std::vector<Found> found;
    found.push_back({"Cholesky", ridge_by_cholesky(gram, program, control)});
    found.push_back({"features", ridge_by_features({features.data(), features.rows(), features.cols()},
                                                   program, control)});
    // The last of several ridges is the one that is compared.
    const std::vector<double> ridges{2 * ridge, ridge};
    found.push_back({"eigenvalues", {}});
    const auto keep_last = [&](RidgeSolution one) { found.back().solution = std::move(one); };
    ridges_by_eigenvalues(gram, program, ridges, control, keep_last);
    found.push_back({"eigenvalues of features", {}});
    ridges_by_features({features.data(), features.rows(), features.cols()}, program, ridges, control,
                       keep_last);
    return found;
}

/// The expected figures were found by hand: A = (K + I)^-1 y with K = [1 .5; .5 1].
TEST(Ridge, TwoRowsByHand) {
    BegunControl control;
    RowMajor gram(2, 2);
    gram << 1, 0.5, 0.5, 1;
    RowMajor targets(2, 1);
    targets << 1, -1;
    const RidgeSolution solution = ridge_by_cholesky(gram, program_of(targets, 1, false), control);
    EXPECT_NEAR(solution.coefficients(0), 2.0 / 3, 1e-15);
    EXPECT_NEAR(solution.coefficients(1), -2.0 / 3, 1e-15);
    EXPECT_NEAR(1 - solution.left_out(0), 1.25, 1e-15);
    EXPECT_NEAR(-1 - solution.left_out(1), -1.25, 1e-15);
    EXPECT_EQ(solution.ridge, 1);
}

/// What a linear function of few columns leaves of its targets makes coefficients as large as C. They round
/// the function away, so that the least coefficients of the same function take their place. The functions are
/// compared with those that least squares in long double finds.
TEST(Ridge, KeepsFunctionsOfFeaturesAsTheRidgeGoesToZero) {
    using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
    const Index n = 300;
    RowMajor features = random_matrix(n, 5, 7);
    features.col(3) *= 100;
    const RowMajor targets = random_matrix(n, 2, 8);
    for (const double cost : {1e2, 1e6, 1e9, 1e12, 1e15, 1e18, 1e300}) {
        for (const bool offset : {false, true}) {
            LongMatrix system = LongMatrix::Zero(n + 5, offset ? 6 : 5);
            system.topLeftCorner(n, 5) = features.cast<long double>();
            if (offset) system.col(5).head(n).setOnes();
            for (Index j = 0; j < 5; ++j) system(n + j, j) = 1 / std::sqrt(static_cast<long double>(cost));
            LongMatrix right = LongMatrix::Zero(n + 5, 2);
            right.topRows(n) = targets.cast<long double>();
            const LongMatrix expected = Eigen::HouseholderQR<LongMatrix>(system).solve(right);
            BegunControl control;
            const RidgeSolution solution =
                ridge_by_features({features.data(), n, 5}, program_of(targets, 1 / cost, offset), control);
            const RowMajor functions = features.transpose() * solution.coefficients;
            EXPECT_LT((functions - expected.topRows(5).cast<double>()).cwiseAbs().maxCoeff(), 1e-6)
                << cost << offset;
            if (offset) {
                EXPECT_LT(
                    (solution.offsets.transpose() - expected.row(5).cast<double>()).cwiseAbs().maxCoeff(),
                    1e-6)
                    << cost;
            }
            if (cost < 1e5 || cost > 1e8) {
                EXPECT_EQ(solution.least, cost > 1e8) << cost;
            }
        }
    }
}

/// Of exclusive or, a linear function knows nothing: F'Y = 0, and A stays Y / ridge.
TEST(Ridge, KeepsCoefficientsWhereFeaturesKnowNothingOfTheTargets) {
    RowMajor features(4, 2);
    features << 1, 1, -1, -1, 1, -1, -1, 1;
    RowMajor targets(4, 1);
    targets << 1, 1, -1, -1;
    for (const double cost : {1.0, 100.0, 1e12}) {
        BegunControl control;
        const RidgeSolution solution =
            ridge_by_features({features.data(), 4, 2}, program_of(targets, 1 / cost, false), control);
        EXPECT_FALSE(solution.least);
        for (Index i = 0; i < 4; ++i) EXPECT_NEAR(solution.coefficients(i), cost * targets(i), 1e-9 * cost);
    }
}

/// Columns far from zero are long beside what the targets need of them.
TEST(Ridge, KeepsFunctionsOfColumnsFarFromZero) {
    const Index n = 500;
    RowMajor features = random_matrix(n, 4, 11);
    const RowMajor targets = features.leftCols(2) - features.rightCols(2);
    features.array() += 1e4;
    for (const double cost : {1.0, 100.0}) {
        BegunControl control;
        const RidgeSolution solution =
            ridge_by_features({features.data(), n, 4}, program_of(targets, 1 / cost, false), control);
        EXPECT_TRUE(solution.least);
        const RowMajor found = features * (features.transpose() * solution.coefficients);
        EXPECT_LT((found - targets).cwiseAbs().maxCoeff(), 0.1) << cost;
    }
}

/// The solution satisfies (K + r I) A + 1 b' = Y, and 1' A = 0 where there is an offset. There are more rows
/// than a block has.
TEST(Ridge, SolvesItsEquations) {
    const RowMajor features = random_matrix(450, 7, 1);
    const RowMajor targets = random_matrix(450, 3, 2);
    const RowMajor gram = features * features.transpose();
    for (const bool offset : {false, true}) {
        for (const auto& [by, solution] : all_ways(features, targets, 0.3, offset)) {
            const RowMajor& a = solution.coefficients;
            const Eigen::RowVectorXd b = solution.offsets.transpose();
            const Eigen::MatrixXd rest = gram * a + 0.3 * a + Eigen::VectorXd::Ones(450) * b - targets;
            EXPECT_LT(rest.cwiseAbs().maxCoeff(), 1e-9) << by;
            if (offset) {
                EXPECT_LT(a.colwise().sum().cwiseAbs().maxCoeff(), 1e-9) << by;
            } else {
                EXPECT_EQ(b, Eigen::RowVectorXd::Zero(3)) << by;
            }
        }
    }
}

TEST(Ridge, LeftOutPredictionsAreThoseWithoutTheRow) {
    const RowMajor features = random_matrix(60, 4, 3);
    const RowMajor targets = random_matrix(60, 2, 4);
    const RowMajor gram = features * features.transpose();
    for (const bool offset : {false, true}) {
        for (const double ridge : {0.01, 1.0, 50.0}) {
            const RowMajor expected = left_out_one_by_one(gram, targets, ridge, offset);
            for (const auto& [by, solution] : all_ways(features, targets, ridge, offset)) {
                EXPECT_LT((solution.left_out - expected).cwiseAbs().maxCoeff(), 1e-10)
                    << by << ", ridge " << ridge;
            }
        }
    }
}

TEST(Ridge, TheSameBitsForAnyNumberOfThreads) {
    const RowMajor features = random_matrix(700, 9, 5);
    const RowMajor targets = random_matrix(700, 4, 6);
    const auto alone = all_ways(features, targets, 0.1, true, 1);
    for (const int threads : {2, 5}) {
        const auto together = all_ways(features, targets, 0.1, true, threads);
        for (std::size_t way = 0; way < alone.size(); ++way) {
            EXPECT_EQ(alone[way].solution.coefficients, together[way].solution.coefficients) << alone[way].by;
            EXPECT_EQ(alone[way].solution.left_out, together[way].solution.left_out) << alone[way].by;
        }
    }
}

/// Rounding makes matrices of low rank indefinite, and then a little more ridge helps. A kernel that is
/// indefinite by itself is refused.
TEST(Ridge, IndefiniteMatrices) {
    BegunControl control;
    const RowMajor targets = random_matrix(200, 1, 8);
    const RowMajor features = random_matrix(200, 2, 7);
    const RowMajor gram = features * features.transpose();
    const RidgeSolution rounded = ridge_by_cholesky(gram, program_of(targets, 1e-17, false), control);
    EXPECT_GT(rounded.ridge, 1e-17);
    EXPECT_LT(rounded.ridge, 1e-6);
    const RowMajor minus = -gram;
    const std::string message = message_of(
        Status::numerical, [&] { ridge_by_cholesky(minus, program_of(targets, 1, false), control); });
    EXPECT_NE(message.find("not positive semidefinite"), std::string::npos) << message;
}

/// There is one function for two classes, and one for each class of more: (K + I / C) gamma = targets.
TEST(Kelm, FunctionsAreRidgeRegressionsToTheClasses) {
    for (const Index classes : {2, 3}) {
        const Dataset data = blobs(90, 4, classes, 1.5, 9);
        const Model model =
            trained("kelm", data, {{"kernel", "arccos(1)"}, {"C", "10"}, {"neighbours", "0"}});
        const auto decisions = decided(model, data);
        const Index columns = classes == 2 ? 1 : classes;
        ASSERT_EQ(std::ssize(decisions), 90 * columns);
        const auto kernel = make_kernel("arccos(1)", data);
        const auto gram = gram_matrix(kernel, data, data);
        RowMajor targets(90, columns);
        for (Index i = 0; i < 90; ++i) {
            const Index own = data.labels->of_rows[i];
            for (Index c = 0; c < columns; ++c) targets(i, c) = (columns == 1 ? own == 1 : own == c) ? 1 : -1;
        }
        Eigen::MatrixXd system = matrix_of(gram, 90);
        system.diagonal().array() += 0.1;
        const Eigen::MatrixXd expected = matrix_of(gram, 90) * system.ldlt().solve(targets);
        EXPECT_LT((matrix_of(decisions, columns) - expected).cwiseAbs().maxCoeff(), 1e-9) << classes;
    }
}

/// Factors and matrix give one answer.
TEST(KernelRidge, LowRankIsTheSameRegression) {
    Dataset data = random_dense(300, 5, 10);
    for (Index i = 0; i < 300; ++i)
        data.targets.push_back(std::sin(data.dense().row(i)[0]) + 0.1 * data.dense().row(i)[1]);
    const std::vector<Setting> settings{{"C", "5"}, {"offset", "yes"}, {"leave_one_out", "yes"}};
    auto by_features = settings;
    by_features.emplace_back("kernel", "linear");
    auto by_matrix = settings;
    by_matrix.emplace_back("kernel", "poly(degree=1, coef0=0, gamma=1)");
    const auto expected = decided(trained("kernel_ridge", data, by_matrix), data);
    const auto found = decided(trained("kernel_ridge", data, by_features), data);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9);
}

/// A weight of all rows is a factor of C.
TEST(KernelRidge, EqualWeightsAreAFactorOfTheCost) {
    Dataset data = random_dense(30, 2, 11);
    data.targets = normal_values(30, 12);
    const auto plain = decided(trained("kernel_ridge", data, {{"C", "6"}}), data);
    data.sample_weights.assign(30, 2.0);
    const auto weighed = decided(trained("kernel_ridge", data, {{"C", "3"}}), data);
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(weighed[i], plain[i], 1e-10);
}

}  // namespace
}  // namespace dk::test::ridge_test
