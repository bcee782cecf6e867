// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/point_space.hpp"
#include "prototype/dense_points.hpp"
#include "support.hpp"

namespace dk::test::point_space_test {
namespace {

constexpr Index rows = 6;
constexpr Index cols = 3;
constexpr Index count = 2;

class PointSpaceGradients : public testing::Test {
  protected:
    Matrix gradients(const char* kernel, PointGradient rule, double step = 0) {
        const KernelPointer made = make_kernel(kernel, data);
        return PointSpace(made, data, rule, step, control).gradients(points, P, control);
    }

    const Dataset data = random_dense(rows, cols, 3);
    const std::vector<double> places = normal_values(count * cols, 4);
    const std::vector<double> factors = normal_values(count * rows, 5);
    const Matrix points = view(places.data(), count, cols);
    const Matrix P = view(factors.data(), count, rows);
    BegunControl control;
};

TEST_F(PointSpaceGradients, EquationSevenIsTheGradientOfOneGaussian) {
    const Matrix exact = gradients("rbf(gamma=0.5)", PointGradient::kernel);
    const Matrix scaled = gradients("rbf(gamma=0.5)", PointGradient::scaled_difference);
    EXPECT_LT((scaled - exact).norm(), 1e-12 * exact.norm());
    const Matrix narrow = gradients("rbf(gamma=2)", PointGradient::scaled_difference);
    EXPECT_LT((4 * narrow - gradients("rbf(gamma=2)", PointGradient::kernel)).norm(), 1e-12 * narrow.norm())
        << "of others it has another length";
}

TEST_F(PointSpaceGradients, DirectionalErrorsFallWithTheStepWhereOnlyDistancesCount) {
    for (const char* kernel : {"rbf(gamma=0.5)", "cauchy(gamma=0.3)"}) {
        const Matrix exact = gradients(kernel, PointGradient::central);
        for (const double step : {1e-1, 1e-2, 1e-3, 1e-4}) {
            const Matrix found = gradients(kernel, PointGradient::directional, step);
            EXPECT_LT((found - exact).norm(), 3 * step * exact.norm()) << kernel << " " << step;
        }
    }
}

/// Along x - z alone nobody sees how a product changes.
TEST_F(PointSpaceGradients, DirectionalIsNoGradientOfAPolynomial) {
    const Matrix exact = gradients("poly(degree=2, coef0=1)", PointGradient::kernel);
    const Matrix found = gradients("poly(degree=2, coef0=1)", PointGradient::directional);
    EXPECT_GT((found - exact).norm(), 0.1 * exact.norm());
    const Matrix central = gradients("poly(degree=2, coef0=1)", PointGradient::central);
    EXPECT_LT((central - exact).norm(), 1e-8 * exact.norm());
}

TEST_F(PointSpaceGradients, ARowInThePointsPlaceAddsNothing) {
    const Matrix at_row = view(data.dense().values.data(), 1, cols);
    Matrix only = Matrix::Zero(1, rows);
    only(0, 0) = 1;
    const KernelPointer kernel = make_kernel("rbf(gamma=0.5)", data);
    const PointSpace space(kernel, data, PointGradient::directional, 0, control);
    EXPECT_EQ(space.gradients(at_row, only, control).norm(), 0);
}

TEST_F(PointSpaceGradients, OfAutomaticRulesTheKernelsOwnComesFirst) {
    EXPECT_EQ(gradients("rbf(gamma=0.5)", PointGradient::automatic),
              gradients("rbf(gamma=0.5)", PointGradient::kernel));
    EXPECT_EQ(gradients("laplacian(gamma=0.5)", PointGradient::automatic),
              gradients("laplacian(gamma=0.5)", PointGradient::central));
    EXPECT_THROW(gradients("laplacian(gamma=0.5)", PointGradient::kernel), Error);
}

}  // namespace
}  // namespace dk::test::point_space_test
