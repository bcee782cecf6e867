// SPDX-License-Identifier: Apache-2.0
// These tests compare eigenvalues and eigenvectors of symmetric matrices with Eigen's and with the
// definition.
#include "matrix/eigen/symmetric_eigen.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

#include "support.hpp"

namespace dk::test::symmetric_eigen_test {
namespace {

LargeMatrix large(const Matrix& matrix) {
    LargeMatrix copy(matrix.rows(), matrix.cols());
    copy.view() = matrix;
    return copy;
}

SymmetricEigen decomposed(const Matrix& matrix, int threads = 1) {
    BegunControl control(threads);
    return symmetric_eigen(large(matrix), control);
}

Matrix random_symmetric(Index n, std::uint64_t seed) {
    const auto values = normal_values(n * n, seed);
    const Eigen::Map<const Matrix> square(values.data(), n, n);
    return 0.5 * (square + square.transpose());
}

/// Makes Q diag(eigenvalues) Q' with a random orthogonal Q.
Matrix with_spectrum(const std::vector<double>& eigenvalues, std::uint64_t seed) {
    const Index n = std::ssize(eigenvalues);
    const auto values = normal_values(n * n, seed);
    const Eigen::Map<const Matrix> square(values.data(), n, n);
    const Matrix q = Eigen::HouseholderQR<Matrix>(square).householderQ();
    const Matrix out =
        q * Eigen::Map<const Eigen::VectorXd>(eigenvalues.data(), n).asDiagonal() * q.transpose();
    return 0.5 * (out + out.transpose());
}

/// Expects ascending eigenvalues that are Eigen's, A v = lambda v, and orthonormal vectors.
void expect_decomposition(const Matrix& matrix, const std::string& name, double bound = 1e-12) {
    const Index n = matrix.rows();
    const auto found = decomposed(matrix);
    ASSERT_EQ(found.values.size(), n) << name;
    ASSERT_EQ(found.vectors.rows(), n) << name;
    ASSERT_EQ(found.vectors.cols(), n) << name;
    EXPECT_TRUE(std::is_sorted(found.values.begin(), found.values.end())) << name;
    const double scale = matrix.cwiseAbs().maxCoeff();
    const Matrix scaled = scale > 0 ? Matrix(matrix / scale) : matrix;  // Thus no square overflows.
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(scaled);
    const double size = std::max(solver.eigenvalues().cwiseAbs().maxCoeff(), 1e-300);
    const ConstMatrixView vectors = found.vectors.view();
    Vector values = found.values;
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
    EXPECT_NEAR(std::abs(found.vectors(0, 0)), std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(found.vectors(0, 0), -found.vectors(0, 1), 1e-15);
    EXPECT_NEAR(found.vectors(1, 0), found.vectors(1, 1), 1e-15);
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
        EXPECT_NEAR(found.values[k - 1], 2 - 2 * std::cos(angle), 1e-13);
    }
    matrix.diagonal().setZero();
    expect_decomposition(matrix, "without a diagonal");
    matrix(40, 41) = matrix(41, 40) = 0;
    expect_decomposition(matrix, "two blocks");
    // Wilkinson's matrix has pairs of eigenvalues that agree to all digits.
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
        for (Index k = 0; k < 60 - rank; ++k) EXPECT_LE(std::abs(found.values[k]), 1e-12 * found.values[59]);
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

/// These matrices have rows and columns of zeros, blocks, and an off-diagonal that is zero below its first
/// entry.
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

/// The kernel matrix of a Gaussian has exp(-400) for distant rows, beside a diagonal of 1.
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
    for (const Index n : {20, 200, 700}) {
        const Matrix matrix = random_symmetric(n, 14);
        const auto one = decomposed(matrix, 1);
        for (const int threads : {2, 3}) {
            const auto found = decomposed(matrix, threads);
            EXPECT_EQ(found.values, one.values);
            EXPECT_EQ(found.vectors.view(), one.vectors.view()) << n << " rows, " << threads << " threads";
        }
    }
}

TEST(SymmetricEigen, ACancelStopsIt) {
    BegunControl control(2);
    const Matrix matrix = random_symmetric(200, 15);
    control.cancel();
    message_of(Status::cancelled, [&] { symmetric_eigen(large(matrix), control); });
}

/// Values that are no numbers lead to an error or to results that are none, but the call must end.
TEST(SymmetricEigen, NotANumberEnds) {
    Matrix matrix = random_symmetric(20, 16);
    matrix(3, 4) = matrix(4, 3) = std::nan("");
    try {
        const auto found = decomposed(matrix);
        EXPECT_TRUE(found.values.hasNaN());
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::numerical) << error.what();
    }
}

/// K = F F' of few features has hundreds of eigenvalues that are zero but for rounding.
TEST(SymmetricEigen, MatricesOfLowRank) {
    for (const Index rank : {1, 2, 7, 30}) {
        const Index n = 450;
        const auto features = normal_values(n * rank, 40 + rank);
        const Eigen::Map<const Eigen::MatrixXd> f(features.data(), n, rank);
        const Eigen::MatrixXd gram = f * f.transpose();
        const SymmetricEigen found = decomposed(gram);
        const Eigen::MatrixXd vectors = found.vectors.view().transpose();  // one in each column
        const Vector& values = found.values;
        const double norm = values(n - 1);
        EXPECT_LT((vectors * values.asDiagonal() * vectors.transpose() - gram).cwiseAbs().maxCoeff(),
                  1e-13 * norm);
        EXPECT_LT((vectors.transpose() * vectors - Eigen::MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(),
                  1e-12);
        EXPECT_LT(values.head(n - rank).cwiseAbs().maxCoeff(), 1e-13 * norm);
        EXPECT_GT(values(n - rank), 0.01 * norm);
    }
}

Matrix tridiagonal(const Vector& diagonal, const Vector& below) {
    Matrix matrix = diagonal.asDiagonal();
    matrix.diagonal(1) = matrix.diagonal(-1) = below;
    return matrix;
}

/// Wilkinson's W+ of 2 m + 1 rows has pairs of eigenvalues that agree to all digits. Many such matrices,
/// glued by weak couplings, have clusters of such eigenvalues.
Matrix glued_wilkinson(Index m, Index copies, double glue) {
    const Index size = 2 * m + 1;
    Vector diagonal(size * copies);
    Vector below = Vector::Ones(size * copies - 1);
    for (Index i = 0; i < diagonal.size(); ++i) diagonal(i) = std::abs(1.0 * (i % size) - m);
    for (Index c = 1; c < copies; ++c) below(c * size - 1) = glue;
    return tridiagonal(diagonal, below);
}

/// These matrices have parts that divide and conquer leaves as they are, and parts that it must tell apart.
/// They are larger than what QL solves alone.
TEST(SymmetricEigen, MatricesThatAreDividedWithManyEqualEigenvalues) {
    for (const Index n : {41, 81, 150, 420}) {
        expect_decomposition(Matrix::Zero(n, n), text("zero ", n));
        expect_decomposition(Matrix::Identity(n, n), text("identity ", n));
        expect_decomposition(Matrix::Ones(n, n), text("ones ", n));
        const Vector v = Eigen::Map<const Vector>(normal_values(n, 21).data(), n);
        expect_decomposition(v * v.transpose(), text("rank one ", n));
        expect_decomposition(Matrix::Identity(n, n) - v * v.transpose() / v.squaredNorm(),
                             text("projection ", n));
    }
    expect_decomposition(glued_wilkinson(10, 1, 0), "Wilkinson");
    expect_decomposition(glued_wilkinson(100, 1, 0), "Wilkinson of 201 rows");
    for (const double glue : {0.0, 1e-14, 1e-8, 1e-4, 1.0, -1e-8, -1.0})
        expect_decomposition(glued_wilkinson(10, 20, glue), text("glued Wilkinson ", glue));
}

TEST(SymmetricEigen, DividedTridiagonalMatrices) {
    const Index n = 400;
    const Vector ones = Vector::Ones(n - 1);
    const Vector random = Eigen::Map<const Vector>(normal_values(n, 22).data(), n);
    const Vector count = Vector::LinSpaced(n, 1, 1.0 * n);
    const Vector graded = Eigen::exp(-0.1 * count.array());
    expect_decomposition(tridiagonal(Vector::Constant(n, 2), -ones), "second difference");
    expect_decomposition(tridiagonal(Vector::Zero(n), ones), "without a diagonal");
    expect_decomposition(tridiagonal(Vector::Zero(n), count.head(n - 1).cwiseSqrt()), "Hermite");
    expect_decomposition(tridiagonal(random, random.head(n - 1)), "random");
    expect_decomposition(tridiagonal(count, 1e-9 * ones), "weak couplings");
    expect_decomposition(tridiagonal(graded, 0.3 * graded.head(n - 1)), "graded downwards");
    expect_decomposition(tridiagonal(graded.reverse(), 0.3 * graded.reverse().head(n - 1)), "graded upwards");
    expect_decomposition(tridiagonal(1e-13 * random, ones), "nearly without a diagonal");
    expect_decomposition(tridiagonal(Vector::Ones(n), 1e-15 * ones), "couplings that are rounding");
}

TEST(SymmetricEigen, SpectraOfManyKinds) {
    const Index n = 300;
    std::vector<double> one_small(n, 1.0);
    std::vector<double> one_large(n, 1e-16);
    std::vector<double> geometric(n);
    std::vector<double> clusters(n);
    one_small[7] = 1e-16;
    one_large[7] = 1;
    for (Index k = 0; k < n; ++k) {
        geometric[k] = std::pow(10.0, -16.0 * k / n);
        clusters[k] = 1.0 * (k % 5) + 1e-15 * (k / 5);
    }
    expect_decomposition(with_spectrum(one_small, 23), "one small");
    expect_decomposition(with_spectrum(one_large, 24), "one large");
    expect_decomposition(with_spectrum(geometric, 25), "geometric");
    expect_decomposition(with_spectrum(clusters, 26), "clusters");
}

/// The matrices are S A S for a diagonal S from 1e-150 to 1, and matrices whose elements are all very small
/// or large.
TEST(SymmetricEigen, GradedMatrices) {
    const Index n = 120;
    const Matrix random = random_symmetric(n, 27);
    const Vector scale = Eigen::pow(10.0, Vector::LinSpaced(n, -150, 0).array());
    const Matrix graded = scale.asDiagonal() * random * scale.asDiagonal();
    expect_decomposition(graded, "graded");
    expect_decomposition(graded.reverse(), "graded upwards");
    for (const double size : {1e-150, 1e150}) {
        expect_decomposition(size * random, text("times ", size));
        expect_decomposition(size * graded, text("graded, times ", size));
    }
}

TEST(SymmetricEigen, NoRows) {
    const auto found = decomposed(Matrix(0, 0));
    EXPECT_EQ(found.values.size(), 0);
    EXPECT_EQ(found.vectors.rows(), 0);
}

/// Eigenpairs and orthogonality must hold to a small multiple of n eps |A|.
TEST(SymmetricEigen, RoundingGrowsWithTheRowsAtMost) {
    const Index n = 700;
    const Matrix matrix = random_symmetric(n, 28);
    const auto found = decomposed(matrix, 2);
    const ConstMatrixView v = found.vectors.view();
    const double eps = std::numeric_limits<double>::epsilon();
    const double norm = found.values.cwiseAbs().maxCoeff();
    const Matrix residual = v * matrix - found.values.asDiagonal() * v;
    EXPECT_LE(residual.rowwise().norm().maxCoeff(), 0.5 * n * eps * norm);
    EXPECT_LE((v * v.transpose() - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 0.5 * n * eps);
}

TEST(SymmetricEigen, OnlyTheUpperHalfCounts) {
    Matrix matrix = random_symmetric(70, 29);
    const auto whole = decomposed(matrix);
    matrix.triangularView<Eigen::StrictlyLower>().setZero();
    const auto half = decomposed(matrix);
    EXPECT_EQ(whole.values, half.values);
    EXPECT_EQ(whole.vectors.view(), half.vectors.view());
}

TEST(SymmetricEigen, InfiniteElementsAreRefused) {
    for (const double value : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
        for (const Index n : {1, 2, 90, 400}) {
            Matrix matrix = random_symmetric(n, 30);
            matrix(0, n - 1) = matrix(n - 1, 0) = value;
            message_of(Status::numerical, [&] { decomposed(matrix); });
        }
    }
}

/// A cancel from another thread is answered at once, in whatever phase it finds the work.
TEST(SymmetricEigen, ACancelIsAnsweredSoon) {
    using Clock = std::chrono::steady_clock;
    const Matrix matrix = random_symmetric(900, 31);
    for (const int milliseconds : {5, 30, 60, 90, 120}) {
        BegunControl control(2);
        std::atomic<Clock::time_point> asked{Clock::time_point::max()};
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            asked = Clock::now();
            control.cancel();
        });
        try {
            symmetric_eigen(large(matrix), control);
        } catch (const Error& error) {
            EXPECT_EQ(error.status(), Status::cancelled);
            EXPECT_LT(Clock::now() - asked.load(), std::chrono::milliseconds(200)) << milliseconds;
        }
        other.join();
    }
}

}  // namespace
}  // namespace dk::test::symmetric_eigen_test
