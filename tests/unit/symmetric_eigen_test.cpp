// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and eigenvectors of symmetric matrices against Eigen's and the definition.
#include "solve/symmetric_eigen.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>

#include "support.hpp"

namespace dk::test {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

SymmetricEigen decomposed(const Matrix& matrix, int threads = 1) {
    BegunControl control(threads);
    LargeArray<double> values(matrix.size());
    std::copy_n(matrix.data(), matrix.size(), values.data());
    return symmetric_eigen(std::move(values), matrix.rows(), control);
}

Matrix random_symmetric(Index n, std::uint64_t seed) {
    const auto values = normal_values(n * n, seed);
    const Eigen::Map<const Matrix> square(values.data(), n, n);
    return 0.5 * (square + square.transpose());
}

/// Q diag(eigenvalues) Q' with a random orthogonal Q.
Matrix with_spectrum(const std::vector<double>& eigenvalues, std::uint64_t seed) {
    const Index n = size_of(eigenvalues);
    const auto values = normal_values(n * n, seed);
    const Eigen::Map<const Matrix> square(values.data(), n, n);
    const Matrix q = Eigen::HouseholderQR<Matrix>(square).householderQ();
    const Matrix out =
        q * Eigen::Map<const Eigen::VectorXd>(eigenvalues.data(), n).asDiagonal() * q.transpose();
    return 0.5 * (out + out.transpose());
}

/// Ascending eigenvalues that are Eigen's, A v = lambda v, and orthonormal vectors.
void expect_decomposition(const Matrix& matrix, const std::string& name, double bound = 1e-12) {
    const Index n = matrix.rows();
    const auto found = decomposed(matrix);
    ASSERT_EQ(size_of(found.values), n) << name;
    ASSERT_EQ(found.vectors.size(), n * n) << name;
    EXPECT_TRUE(std::ranges::is_sorted(found.values)) << name;
    const double scale = matrix.cwiseAbs().maxCoeff();
    const Matrix scaled = scale > 0 ? Matrix(matrix / scale) : matrix;  // so that no square overflows
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(scaled);
    const double size = std::max(solver.eigenvalues().cwiseAbs().maxCoeff(), 1e-300);
    const Eigen::Map<const Matrix> vectors(found.vectors.data(), n, n);
    Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(found.values.data(), n);
    if (scale > 0) values /= scale;
    EXPECT_LE((values - solver.eigenvalues()).cwiseAbs().maxCoeff(), bound * size) << name;
    EXPECT_LE(
        (scaled * vectors.transpose() - vectors.transpose() * values.asDiagonal()).cwiseAbs().maxCoeff(),
        bound * size)
        << name;
    EXPECT_LE((vectors * vectors.transpose() - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), bound) << name;
}

TEST(SymmetricEigen, RandomMatrices) {
    for (const Index n : {3, 4, 31, 32, 33, 64, 65, 257, 300}) {
        expect_decomposition(random_symmetric(n, static_cast<std::uint64_t>(n)), text("random ", n));
    }
}

TEST(SymmetricEigen, OneAndTwoRows) {
    expect_decomposition(Matrix::Constant(1, 1, -3.5), "1 x 1");
    expect_decomposition(Matrix::Zero(1, 1), "1 x 1 of zero");
    Matrix two(2, 2);
    two << 2, 1, 1, 2;
    const auto found = decomposed(two);
    EXPECT_NEAR(found.values[0], 1, 1e-15);
    EXPECT_NEAR(found.values[1], 3, 1e-15);
    EXPECT_NEAR(std::abs(found.vectors[0]), std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(found.vectors[0], -found.vectors[1], 1e-15);
    EXPECT_NEAR(found.vectors[2], found.vectors[3], 1e-15);
    two << 0, -4, -4, 0;
    expect_decomposition(two, "without a diagonal");
    two << 5, 0, 0, -7;
    expect_decomposition(two, "diagonal");
}

TEST(SymmetricEigen, ZeroAndDiagonalMatrices) {
    for (const Index n : {2, 5, 40}) {
        expect_decomposition(Matrix::Zero(n, n), "zero");
        expect_decomposition(Matrix::Identity(n, n), "identity");
        expect_decomposition(Matrix::Ones(n, n), "ones");
        const auto diagonal = normal_values(n, 5);
        expect_decomposition(Eigen::Map<const Eigen::VectorXd>(diagonal.data(), n).asDiagonal(), "diagonal");
    }
}

/// The second difference of n points has the eigenvalues 2 - 2 cos(k pi / (n + 1)).
TEST(SymmetricEigen, TridiagonalMatrices) {
    constexpr Index n = 90;
    Matrix matrix = Matrix::Zero(n, n);
    for (Index i = 0; i < n; ++i) {
        matrix(i, i) = 2;
        if (i + 1 < n) matrix(i, i + 1) = matrix(i + 1, i) = -1;
    }
    expect_decomposition(matrix, "second difference");
    const auto found = decomposed(matrix);
    for (Index k = 1; k <= n; ++k) {
        const double angle = static_cast<double>(k) * 3.14159265358979323846 / (n + 1);
        EXPECT_NEAR(found.values[unsigned_of(k - 1)], 2 - 2 * std::cos(angle), 1e-13);
    }
    matrix.diagonal().setZero();
    expect_decomposition(matrix, "without a diagonal");
    matrix(40, 41) = matrix(41, 40) = 0;
    expect_decomposition(matrix, "two blocks");
    // Wilkinson's: pairs of eigenvalues that agree to all digits
    for (Index i = 0; i < n; ++i) matrix(i, i) = std::abs(static_cast<double>(i) - 44.5);
    expect_decomposition(matrix, "pairs");
}

TEST(SymmetricEigen, RankDeficientMatrices) {
    for (const Index rank : {1, 7, 59}) {
        const auto values = normal_values(60 * rank, 6);
        const Eigen::Map<const Matrix> factor(values.data(), 60, rank);
        const Matrix matrix = factor * factor.transpose();
        expect_decomposition(matrix, text("rank ", rank));
        const auto found = decomposed(matrix);
        for (Index k = 0; k < 60 - rank; ++k)
            EXPECT_LE(std::abs(found.values[unsigned_of(k)]), 1e-12 * found.values.back());
    }
}

TEST(SymmetricEigen, ClusteredAndGradedEigenvalues) {
    std::vector<double> clustered;
    std::vector<double> graded;
    std::vector<double> equal_but_one(80, 1.0);
    for (int k = 0; k < 80; ++k) {
        clustered.push_back((k % 4 - 1.5) + 1e-13 * k);
        graded.push_back(std::pow(10.0, -0.2 * k) * (k % 3 == 0 ? -1 : 1));
    }
    equal_but_one.front() = -5;
    expect_decomposition(with_spectrum(clustered, 7), "clustered");
    expect_decomposition(with_spectrum(graded, 8), "graded");
    expect_decomposition(with_spectrum(equal_but_one, 9), "equal but one");
}

/// Rows and columns of zeros, blocks, and an off-diagonal that is zero below its first entry.
TEST(SymmetricEigen, ZerosInPlaces) {
    Matrix matrix = random_symmetric(50, 10);
    matrix.row(0).setZero();
    matrix.col(0).setZero();
    matrix.row(30).setZero();
    matrix.col(30).setZero();
    expect_decomposition(matrix, "zero rows");
    Matrix blocks = Matrix::Zero(50, 50);
    blocks.topLeftCorner(20, 20) = random_symmetric(20, 11);
    blocks.bottomRightCorner(30, 30) = random_symmetric(30, 12);
    expect_decomposition(blocks, "blocks");
    Matrix arrow = Matrix::Identity(40, 40);
    arrow.row(0).setOnes();
    arrow.col(0).setOnes();
    expect_decomposition(arrow, "arrow");
}

/// Eigenvalues are as large as the entries, whatever their products are.
TEST(SymmetricEigen, LargeEntries) {
    for (const int exponent : {20, 60, 90, 110, 150, 200, 280}) {
        EXPECT_NO_THROW(
            expect_decomposition(std::pow(10.0, exponent) * random_symmetric(20, 13), text("1e", exponent)))
            << exponent;
    }
}

TEST(SymmetricEigen, SmallEntries) {
    for (const int exponent : {-20, -60, -90, -110, -150, -200, -280}) {
        EXPECT_NO_THROW(
            expect_decomposition(std::pow(10.0, exponent) * random_symmetric(20, 13), text("1e", exponent)))
            << exponent;
    }
}

/// A Gaussian of distant rows: exp(-400) beside a diagonal of 1.
TEST(SymmetricEigen, CouplingsFarBelowTheDiagonal) {
    for (const int exponent : {-30, -100, -140, -160, -170, -250, -300, -320}) {
        const double size = std::pow(10.0, exponent);
        for (const Index n : {3, 12}) {
            Matrix matrix = size * random_symmetric(n, 17);
            for (Index i = 0; i < n; ++i) matrix(i, i) = 1 + static_cast<double>(i % 3);
            EXPECT_NO_THROW(expect_decomposition(matrix, text(n, " rows, 1e", exponent))) << exponent;
        }
    }
}

TEST(SymmetricEigen, BitsDoNotDependOnThreads) {
    for (const Index n : {20, 200}) {
        const Matrix matrix = random_symmetric(n, 14);
        const auto one = decomposed(matrix, 1);
        for (const int threads : {2, 3}) {
            const auto found = decomposed(matrix, threads);
            EXPECT_EQ(found.values, one.values);
            EXPECT_TRUE(std::equal(found.vectors.data(), found.vectors.data() + n * n, one.vectors.data()))
                << n << " rows, " << threads << " threads";
        }
    }
}

TEST(SymmetricEigen, ACancelStopsIt) {
    BegunControl control(2);
    const Matrix matrix = random_symmetric(200, 15);
    LargeArray<double> values(200 * 200);
    std::copy_n(matrix.data(), matrix.size(), values.data());
    control.cancel();
    message_of(Status::cancelled, [&] { symmetric_eigen(std::move(values), 200, control); });
}

/// Numbers that are none end in an error or in such numbers, and end.
TEST(SymmetricEigen, NotANumberEnds) {
    Matrix matrix = random_symmetric(20, 16);
    matrix(3, 4) = matrix(4, 3) = std::nan("");
    try {
        const auto found = decomposed(matrix);
        EXPECT_TRUE(std::ranges::any_of(found.values, [](double v) { return std::isnan(v); }));
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::numerical) << error.what();
    }
}

/// Hundreds of eigenvalues that are zero but for rounding: K = F F' of few features.
TEST(SymmetricEigen, MatricesOfLowRank) {
    for (const Index rank : {1, 2, 7, 30}) {
        const Index n = 450;
        const auto features = normal_values(n * rank, 40 + unsigned_of(rank));
        const Eigen::Map<const Eigen::MatrixXd> f(features.data(), n, rank);
        const Eigen::MatrixXd gram = f * f.transpose();
        LargeArray<double> matrix(n * n);
        std::copy_n(gram.data(), n * n, matrix.data());
        BegunControl control;
        const SymmetricEigen found = symmetric_eigen(std::move(matrix), n, control);
        const Eigen::Map<const Eigen::MatrixXd> vectors(found.vectors.data(), n, n);  // in columns
        const Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(found.values.data(), n);
        const double norm = values(n - 1);
        EXPECT_LT((vectors * values.asDiagonal() * vectors.transpose() - gram).cwiseAbs().maxCoeff(),
                  1e-13 * norm);
        EXPECT_LT((vectors.transpose() * vectors - Eigen::MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(),
                  1e-12);
        EXPECT_LT(values.head(n - rank).cwiseAbs().maxCoeff(), 1e-13 * norm);
        EXPECT_GT(values(n - rank), 0.01 * norm);
    }
}

}  // namespace
}  // namespace dk::test
