// SPDX-License-Identifier: Apache-2.0
// These tests compare products with their definition, the sequence of fused operations that every processor
// shall compute.
#include "matrix/product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "base/control.hpp"
#include "matrix/instructions.hpp"
#include "matrix/packed_rows.hpp"
#include "matrix/product_loops.hpp"
#include "matrix/triangular.hpp"

namespace dk::test::product_test {
namespace {

template <typename T>
MatrixOf<T> random_matrix(Index rows, Index cols, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    MatrixOf<T> matrix(rows, cols);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) matrix(i, j) = static_cast<T>(uniform(generator));
    }
    return matrix;
}

bool fused() {
    return instructions() != Instructions::portable && instructions() != Instructions::ssse3;
}

/// Sums over blocks of 256 terms, each from its first term to its last, and adds the blocks in their order.
template <typename T>
T defined_product(const MatrixOf<T>& a, Index i, const MatrixOf<T>& b, Index j) {
    T total = 0;
    for (Index begin = 0; begin < a.cols(); begin += 256) {
        T sum = 0;
        for (Index k = begin; k < std::min<Index>(begin + 256, a.cols()); ++k) {
            if (fused()) {
                sum = std::fma(a(i, k), b(j, k), sum);
            } else {
                const volatile T term = a(i, k) * b(j, k);
                sum += term;
            }
        }
        total = begin == 0 ? sum : total + sum;
    }
    return total;
}

template <typename T>
void expect_defined(const MatrixOf<T>& a, const MatrixOf<T>& b, const MatrixOf<T>& c) {
    for (Index i = 0; i < a.rows(); ++i) {
        for (Index j = 0; j < b.rows(); ++j)
            ASSERT_EQ(c(i, j), defined_product(a, i, b, j))
                << i << ", " << j << " of " << a.rows() << " x " << b.rows() << " x " << a.cols();
    }
}

template <typename T>
class Product : public testing::Test {};
using NumberTypes = testing::Types<double, float>;
TYPED_TEST_SUITE(Product, NumberTypes);

TYPED_TEST(Product, EveryElementIsTheSequenceThatDefinesIt) {
    using T = TypeParam;
    std::mt19937 generator(1);
    const auto seed = [&] { return static_cast<unsigned>(generator()); };
    for (int turn = 0; turn < 60; ++turn) {
        const Index rows = generator() % 40;
        const Index cols = generator() % 120;
        const Index depth = turn % 7 == 0 ? 250 + generator() % 300 : generator() % 30;
        const auto a = random_matrix<T>(rows, depth, seed());
        const auto b = random_matrix<T>(cols, depth, seed());
        MatrixOf<T> c = MatrixOf<T>::Constant(rows, cols, T{7});
        multiply_transposed(a, b, c);
        expect_defined(a, b, c);
    }
}

TYPED_TEST(Product, OfPackedRowsIsTheSameWhereverItBegins) {
    using T = TypeParam;
    const auto a = random_matrix<T>(21, 300, 2);
    const auto b = random_matrix<T>(203, 300, 3);
    MatrixOf<T> whole(a.rows(), b.rows());
    multiply_transposed(a, b, whole);
    const PackedRows<T> packed{ConstMatrixRefOf<T>(b)};
    const std::vector<Index> some{20, 0, 7, 7, 13};
    for (const Index first : {0, 1, 23, 24, 47, 48, 100, 202}) {
        for (const Index cols : {1, 2, 5, 24, 50, 203}) {
            if (first + cols > b.rows()) continue;
            MatrixOf<T> part(a.rows(), cols);
            multiply_transposed(a, packed, first, part);
            ASSERT_EQ(part, whole.middleCols(first, cols)) << first << " " << cols;
            MatrixOf<T> chosen(std::ssize(some), cols);
            multiply_transposed(a, some, packed, first, chosen);
            for (Index r = 0; r < chosen.rows(); ++r)
                ASSERT_EQ(chosen.row(r), whole.row(some[r]).segment(first, cols)) << first << " " << cols;
        }
    }
}

TYPED_TEST(Product, OfTwoPackedMatricesIsTheSame) {
    using T = TypeParam;
    for (const Index depth : {1, 7, 256, 300, 600}) {
        const auto a = random_matrix<T>(203, depth, 4);
        MatrixOf<T> whole(a.rows(), a.rows());
        multiply_transposed(a, a, whole);
        Control control;
        control.set_threads(2);
        control.begin();
        const PackedRows<T> packed(a, control);
        for (const Index first : {0, 8, 17, 24, 144, 202}) {
            for (const Index rows : {1, 2, 3, 5, 8, 9, 59}) {
                if (first + rows > a.rows()) continue;
                for (const Index col : {0, 1, 48}) {
                    MatrixOf<T> part(rows, 59);
                    multiply_transposed(a, packed, first, packed, col, part);
                    ASSERT_EQ(part, whole.block(first, col, rows, 59)) << first << " " << rows << " " << col;
                }
            }
        }
    }
}

TYPED_TEST(Product, ARowDoesNotDependOnTheOtherRows) {
    using T = TypeParam;
    const auto a = random_matrix<T>(37, 70, 4);
    const auto b = random_matrix<T>(130, 70, 5);
    MatrixOf<T> whole(a.rows(), b.rows());
    multiply_transposed(a, b, whole);
    for (Index rows = 1; rows < 12; ++rows) {
        for (Index first = 0; first + rows <= a.rows(); first += 5) {
            MatrixOf<T> part(rows, b.rows());
            multiply_transposed(a.middleRows(first, rows), b, part);
            ASSERT_EQ(part, whole.middleRows(first, rows)) << first << " " << rows;
        }
    }
    MatrixOf<T> transposed(b.rows(), a.rows());
    multiply_transposed(b, a, transposed);
    EXPECT_EQ(transposed, whole.transpose());
}

TEST(Product, OrientationsAreTheSameProduct) {
    const auto a = random_matrix<double>(29, 300, 6);
    const auto b = random_matrix<double>(70, 300, 7);
    Matrix expected(29, 70);
    multiply_transposed(a, b, expected);
    Matrix c(29, 70);
    const Matrix b_transposed = b.transpose();
    const Matrix a_transposed = a.transpose();
    multiply(a, b_transposed, c);
    EXPECT_EQ(c, expected);
    transposed_multiply(a_transposed, b_transposed, c);
    EXPECT_EQ(c, expected);
}

TEST(Product, AddsAndSubtractsBlockByBlock) {
    const auto a = random_matrix<double>(9, 600, 8);
    const auto b = random_matrix<double>(31, 600, 9);
    const auto start = random_matrix<double>(9, 31, 10);
    Matrix added = start;
    Matrix subtracted = start;
    multiply_transposed(a, b, added, Into::add);
    multiply_transposed(a, b, subtracted, Into::subtract);
    const Matrix product = a * b.transpose();
    EXPECT_LT((added - start - product).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((subtracted - start + product).cwiseAbs().maxCoeff(), 1e-12);
    Matrix emptied = start;
    multiply_transposed(a.leftCols(0), b.leftCols(0), emptied);
    EXPECT_TRUE(emptied.isZero(0));
}

TEST(Product, WritesNothingBesideItsResult) {
    const auto a = random_matrix<double>(5, 20, 11);
    const auto b = random_matrix<double>(29, 20, 12);
    Matrix large = Matrix::Constant(9, 40, 0.5);
    multiply_transposed(a, b, large.block(2, 3, 5, 29));
    large.block(2, 3, 5, 29).setConstant(0.5);
    EXPECT_EQ(large, Matrix::Constant(9, 40, 0.5));
}

TEST(Product, ThreadsDoNotChangeABit) {
    const auto a = random_matrix<double>(500, 270, 13);
    const auto b = random_matrix<double>(610, 270, 14);
    Matrix expected(500, 610);
    multiply_transposed(a, b, expected);
    for (const int threads : {1, 2, 5}) {
        Control control;
        control.set_threads(threads);
        Matrix c(500, 610);
        multiply_transposed(a, b, c, Into::assign, control);
        EXPECT_EQ(c, expected);
        Matrix gram(500, 500);
        outer_product(a, gram, control);
        EXPECT_EQ(gram, Matrix(gram.transpose()));
        EXPECT_EQ(gram(499, 3), defined_product(a, 499, a, 3));
    }
}

TEST(Product, NotANumberStaysOneAndZerosAreMultiplied) {
    Matrix a = Matrix::Zero(2, 3);
    const Matrix b = Matrix::Constant(2, 3, std::numeric_limits<double>::infinity());
    Matrix c(2, 2);
    multiply_transposed(a, b, c);
    EXPECT_TRUE(c.array().isNaN().all());
}

TEST(MatrixTimesVector, IsARowsSumInSixteenParts) {
    for (const Index depth : {0, 1, 15, 16, 17, 100, 1000}) {
        const auto a = random_matrix<double>(7, depth, 15);
        const Vector x = random_matrix<double>(depth, 1, 16);
        Vector y(7);
        multiply_vector(a, x, y);
        for (Index i = 0; i < 7; ++i) {
            std::array<double, 16> part{};
            for (Index k = 0; k < depth; ++k)
                part[k % 16] =
                    fused() ? std::fma(a(i, k), x(k), part[k % 16]) : part[k % 16] + a(i, k) * x(k);
            for (Index half = 8; half > 0; half /= 2) {
                for (Index s = 0; s < half; ++s) part[s] += part[s + half];
            }
            if (fused()) {
                EXPECT_EQ(y(i), part[0]) << depth;
            } else {
                EXPECT_NEAR(y(i), part[0], 1e-13 * depth) << depth;
            }
        }
        Vector sums = Vector::Constant(depth, 0.25);
        add_transposed_product(a, y, sums);
        EXPECT_LT((sums - Vector::Constant(depth, 0.25) - a.transpose() * y).norm(), 1e-12 * (1 + y.norm()));
    }
}

Matrix lower_triangle(Index n) {
    Matrix lower = random_matrix<double>(n, n, 17);
    lower.diagonal().array() = 4 + lower.diagonal().array();
    lower *= 2.0 / (1.0 + std::sqrt(1.0 * n));
    lower.diagonal().array() += 2;
    return lower;
}

TEST(Triangular, SolutionsSolve) {
    Control control;
    for (const Index n : {1, 2, 31, 32, 33, 100, 192, 193, 420}) {
        const Matrix lower = lower_triangle(n);
        const Matrix triangle = lower.triangularView<Eigen::Lower>();
        for (const Index columns : {1, 3, 40}) {
            const auto b = random_matrix<double>(n, columns, 18);
            Matrix x = b;
            solve_lower(lower, x, control);
            EXPECT_LT((triangle * x - b).cwiseAbs().maxCoeff(), 1e-12 * n) << n;
            x = b;
            solve_lower_transposed(lower, x, control);
            EXPECT_LT((triangle.transpose() * x - b).cwiseAbs().maxCoeff(), 1e-12 * n) << n;
            Matrix rows = b.transpose();
            solve_rows(lower, rows);
            EXPECT_LT((rows * triangle.transpose() - Matrix(b.transpose())).cwiseAbs().maxCoeff(), 1e-12 * n)
                << n;
        }
        const Vector b = random_matrix<double>(n, 1, 19);
        Vector x = b;
        forward_substitution(lower, x, control);
        EXPECT_LT((triangle * x - b).cwiseAbs().maxCoeff(), 1e-12 * n) << n;
        x = b;
        back_substitution(lower, x, control);
        EXPECT_LT((triangle.transpose() * x - b).cwiseAbs().maxCoeff(), 1e-12 * n) << n;
    }
}

TEST(Triangular, ARightHandSideDoesNotDependOnTheOthers) {
    const Matrix lower = lower_triangle(250);
    const auto b = random_matrix<double>(250, 90, 20);
    for (const int threads : {1, 3}) {
        Control control;
        control.set_threads(threads);
        Matrix together = b;
        solve_lower(lower, together, control);
        solve_lower_transposed(lower, together, control);
        for (const Index j : {0, 7, 89}) {
            Matrix alone = b.col(j);
            solve_lower(lower, alone, control);
            solve_lower_transposed(lower, alone, control);
            EXPECT_EQ(alone.col(0), together.col(j));
        }
        Matrix rows = b.transpose();
        solve_rows(lower, rows);
        Matrix alone = b.col(11).transpose();
        solve_rows(lower, alone);
        EXPECT_EQ(alone.row(0), rows.row(11));
    }
}

}  // namespace
}  // namespace dk::test::product_test
