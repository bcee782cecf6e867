// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>

#include "solve/squares/column_ridge.hpp"
#include "solve/squares/lasso.hpp"
#include "support.hpp"

namespace dk::test::lasso_test {
namespace {

/// Columns and targets, with a weight for each row.
struct ColumnProgram {
    Matrix S;
    Matrix Y;
    Vector u;

    CentredColumns centred() const {
        BegunControl control;
        return centred_columns(S, Y, u, control);
    }
};

/// Similarities exp(-(x - x')^2 / 2) of six numbers, and their targets.
ColumnProgram six_numbers() {
    const Vector x{{0, 0.5, 1, 2, 3, 4.5}};
    ColumnProgram program{Matrix(6, 6), Matrix(6, 1), Vector::Ones(6)};
    for (Index i = 0; i < 6; ++i) {
        for (Index j = 0; j < 6; ++j) program.S(i, j) = std::exp(-0.5 * (x[i] - x[j]) * (x[i] - x[j]));
    }
    program.Y.col(0) = Vector{{1, 2, 2.5, 1, -1, -0.5}};
    return program;
}

ColumnProgram random_program(Index rows, Index cols, Index functions, std::uint64_t seed) {
    const auto matrix = [&](Index c, std::uint64_t own) {
        const auto values = normal_values(rows * c, own, 0.5);
        return Matrix(view(values.data(), rows, c));
    };
    Vector u = matrix(1, seed + 2).col(0).cwiseAbs();
    u[rows / 2] = 0;
    return {matrix(cols, seed), matrix(functions, seed + 1), u};
}

double objective(const ColumnProgram& program, const Vector& beta, double b, double lambda) {
    const Vector r = program.Y.col(0) - program.S * beta - Vector::Constant(program.S.rows(), b);
    return program.u.dot(r.cwiseAbs2()) / (2 * program.u.sum()) + lambda * beta.lpNorm<1>();
}

struct Expected {
    double share;  // of the largest lambda
    Vector beta;
    double offset;
    double objective;
};

TEST(Lasso, SixNumbers) {
    BegunControl control;
    ColumnProgram program = six_numbers();
    program.u /= 6;
    const CentredColumns centred = program.centred();
    const double largest = largest_lasso_lambda(centred, control);
    EXPECT_NEAR(largest, 0.459614678470, 1e-11);
    Lasso lasso(centred, 0, 0);
    const std::vector<Expected> all{
        {0.5, Vector{{0, 0.382211429499, 1.210593648680, 0, 0, 0}}, -0.018627809032, 0.605885613054},
        {0.1, Vector{{0, 0, 2.713121919227, 0, -0.493507304469, 0}}, -0.454122569825, 0.175329190658},
        {0.01, Vector{{-0.693172966638, 0, 3.199937698969, 0, -1.186073957081, 0}}, -0.167076657357,
         0.024654427842}};
    for (const Expected& expected : all) {
        const double lambda = expected.share * largest;
        const Vector beta = lasso.solve(lambda, control);
        for (Index j = 0; j < 6; ++j) {
            EXPECT_NEAR(beta[j], expected.beta[j], 1e-9);
            if (expected.beta[j] == 0) {
                EXPECT_EQ(beta[j], 0);
            }
        }
        EXPECT_NEAR(centred.offset(0, beta), expected.offset, 1e-9);
        EXPECT_NEAR(objective(program, beta, centred.offset(0, beta), lambda), expected.objective, 1e-9);
        EXPECT_LE(lasso.gap(), 1e-14);
        EXPECT_TRUE(lasso.converged());
    }
}

/// On the support the slope of the squares is lambda against the weight's sign, and elsewhere it is no
/// steeper. Without tolerance that holds to rounding; with it, the objective is no further from the least one
/// than the gap says.
TEST(Lasso, SolutionsOfRandomProgramsAreOptimal) {
    BegunControl control;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Index cols = seed % 2 == 0 ? 8 : 40;  // fewer columns than rows, and more
        const ColumnProgram program = random_program(25, cols, 2, 10 * seed);
        const CentredColumns centred = program.centred();
        const double largest = largest_lasso_lambda(centred, control);
        const ConstMatrixView columns = centred.columns.view();
        for (Index c = 0; c < 2; ++c) {
            Lasso exact(centred, c, 0);
            Lasso quick(centred, c);
            const Vector y = centred.targets.row(c);
            for (const double lambda : lasso_path(largest)) {
                const Vector beta = exact.solve(lambda, control);
                const Vector r = y - columns.transpose() * beta;
                const Vector slopes = columns * r;
                for (Index j = 0; j < cols; ++j) {
                    if (beta[j] == 0) {
                        EXPECT_LE(std::abs(slopes[j]), lambda + 1e-10 * largest);
                    } else {
                        EXPECT_NEAR(slopes[j], std::copysign(lambda, beta[j]), 1e-10 * largest);
                    }
                }
                const double least = 0.5 * r.squaredNorm() + lambda * beta.lpNorm<1>();
                const Vector& found = quick.solve(lambda, control);
                const double reached =
                    0.5 * (y - columns.transpose() * found).squaredNorm() + lambda * found.lpNorm<1>();
                EXPECT_LE(quick.gap(), 0.5e-8 * y.squaredNorm());
                EXPECT_LE(reached - least, quick.gap() + 1e-13 * y.squaredNorm());
            }
            EXPECT_TRUE(exact.converged());
            EXPECT_TRUE(quick.converged());
        }
    }
}

TEST(Lasso, ThePathBeginsWhereAllWeightsAreZero) {
    BegunControl control;
    const ColumnProgram program = random_program(30, 10, 1, 5);
    const CentredColumns centred = program.centred();
    const double largest = largest_lasso_lambda(centred, control);
    const auto path = lasso_path(largest);
    ASSERT_EQ(path.size(), 100);
    EXPECT_EQ(path.front(), largest);
    EXPECT_NEAR(path.back(), 1e-3 * largest, 1e-15 * largest);
    EXPECT_NEAR(path[1] / path[0], path[99] / path[98], 1e-12);
    Lasso lasso(centred, 0, 0);
    EXPECT_EQ(lasso.solve(largest, control).cwiseAbs().maxCoeff(), 0);
    EXPECT_GT(lasso.solve(0.999 * largest, control).cwiseAbs().maxCoeff(), 0);
}

TEST(Lasso, ConstantColumnsAndTargetsHaveNoWeight) {
    BegunControl control;
    ColumnProgram program = random_program(20, 3, 1, 9);
    program.S.col(1).setConstant(4);
    const CentredColumns some = program.centred();
    Lasso lasso(some, 0);
    EXPECT_EQ(lasso.solve(0.01 * largest_lasso_lambda(some, control), control)[1], 0);
    program.Y.setConstant(2);
    const CentredColumns none = program.centred();
    Lasso flat(none, 0);
    EXPECT_EQ(flat.solve(0, control).cwiseAbs().maxCoeff(), 0);
    EXPECT_NEAR(none.offset(0, flat.beta()), 2, 1e-14);
}

TEST(ColumnRidge, SixNumbers) {
    BegunControl control;
    const ColumnProgram program = six_numbers();
    const CentredColumns centred = program.centred();
    const auto found = ColumnRidge(centred, control).solve(1, control);
    const Vector beta{
        {0.294979715236, 0.617291247548, 0.800093194276, 0.283613608496, -0.529344726746, -0.330439922464}};
    const Vector residuals{
        {-0.727668644772, 0.391841307417, 1.157156162093, 0.402774344766, -1.406364888678, -0.263737154644}};
    EXPECT_LE((found.beta.col(0) - beta).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_NEAR(found.offsets[0], 0.084469828713, 1e-9);
    EXPECT_LE((found.left_out.col(0) - residuals).cwiseAbs().maxCoeff(), 1e-9);
}

/// Solves the normal equations of the weights and the offset, which has no penalty.
Matrix by_normal_equations(const ColumnProgram& program, double lambda) {
    const Index m = program.S.cols();
    Matrix whole(program.S.rows(), m + 1);
    whole << program.S, Vector::Ones(program.S.rows());
    Eigen::MatrixXd system = whole.transpose() * program.u.asDiagonal() * whole;
    system.diagonal().head(m).array() += lambda;
    return system.fullPivLu().solve(whole.transpose() * program.u.asDiagonal() * program.Y);
}

TEST(ColumnRidge, SolvesTheNormalEquationsAndLeavesRowsOut) {
    BegunControl control;
    for (const Index cols : {5, 20, 30}) {
        const ColumnProgram program = random_program(20, cols, 3, 40);
        const CentredColumns centred = program.centred();
        const ColumnRidge ridge(centred, control);
        for (const double lambda : {1e-3, 0.5, 20.0}) {
            const auto found = ridge.solve(lambda, control);
            const Matrix expected = by_normal_equations(program, lambda);
            EXPECT_LE((found.beta - expected.topRows(cols)).cwiseAbs().maxCoeff(), 1e-9);
            EXPECT_LE((found.offsets.transpose() - expected.row(cols)).cwiseAbs().maxCoeff(), 1e-9);
            for (Index i = 0; i < 20; ++i) {
                ColumnProgram others = program;
                others.u[i] = 0;
                const Matrix without = by_normal_equations(others, lambda);
                const Eigen::RowVectorXd rest =
                    program.Y.row(i) - program.S.row(i) * without.topRows(cols) - without.row(cols);
                const double own = program.u[i] > 0 ? (found.left_out.row(i) - rest).cwiseAbs().maxCoeff()
                                                    : found.left_out.row(i).cwiseAbs().maxCoeff();
                EXPECT_LE(own, 1e-8) << "row " << i << " lambda " << lambda;
            }
        }
    }
}

TEST(ColumnRidge, ThreadsDoNotMatter) {
    const ColumnProgram program = random_program(300, 280, 2, 77);
    std::vector<Matrix> found;
    for (const int threads : {1, 3}) {
        BegunControl control(threads);
        const CentredColumns centred = centred_columns(program.S, program.Y, program.u, control);
        const auto solution = ColumnRidge(centred, control).solve(0.1, control);
        found.push_back(solution.beta);
        found.push_back(solution.left_out);
    }
    EXPECT_EQ(found[0], found[2]);
    EXPECT_EQ(found[1], found[3]);
}

}  // namespace
}  // namespace dk::test::lasso_test
