// SPDX-License-Identifier: Apache-2.0
#include "solve/smooth/fixed_point.hpp"

#include <cmath>

#include "support.hpp"

namespace dk::test::fixed_point_test {
namespace {

/// Maps x to A x + b with a symmetric A that has the eigenvalues 0.99, 0.9 and -0.5. The fixed point is (1,
/// 2, 3).
std::vector<double> slow_map(const std::vector<double>& x) {
    // A is Q diag Q' with Q = I - 2 v v' / |v|^2 and v = (1, 1, 1).
    const double q[3][3] = {
        {1.0 / 3, -2.0 / 3, -2.0 / 3}, {-2.0 / 3, 1.0 / 3, -2.0 / 3}, {-2.0 / 3, -2.0 / 3, 1.0 / 3}};
    const double eigenvalues[3] = {0.99, 0.9, -0.5};
    std::vector<double> out{1, 2, 3};
    for (int k = 0; k < 3; ++k) {
        const double part = q[k][0] * (x[0] - 1) + q[k][1] * (x[1] - 2) + q[k][2] * (x[2] - 3);
        for (int i = 0; i < 3; ++i) out[static_cast<std::size_t>(i)] += q[k][i] * eigenvalues[k] * part;
    }
    return out;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted) {
    for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(found[k], wanted[k], 1e-14);
}

double distance(const std::vector<double>& x) {
    return std::hypot(x[0] - 1, x[1] - 2, x[2] - 3);
}

/// On an affine map of three dimensions mixing is GMRES (Walker, Ni, 2011, theorem 2.2): three steps are
/// enough.
TEST(FixedPoint, AffineMapsAreDoneInAsManyStepsAsDimensions) {
    for (const double stretch : {1.0, 2.0}) {
        FixedPointMixing mixing(5, stretch);
        std::vector<double> mixed{0, 0, 0};
        std::vector<double> plain{0, 0, 0};
        for (int step = 0; step < 4; ++step) {
            mixing.add(mixed, slow_map(mixed));
            mixed = mixing.next();
            plain = slow_map(plain);
        }
        EXPECT_GT(distance(plain), 1);
        EXPECT_LT(distance(mixed), 1e-9);
    }
}

TEST(FixedPoint, OneStepIsTheMapItself) {
    FixedPointMixing mixing(3, 2);
    const std::vector<double> start{0.5, -1, 4};
    mixing.add(start, slow_map(start));
    expect_near(mixing.next(), slow_map(start));
}

TEST(FixedPoint, RestartForgetsAllButTheLast) {
    FixedPointMixing mixing(3);
    const std::vector<double> last{7, 8, 9};
    mixing.add(std::vector<double>{1, 0, 0}, slow_map({1, 0, 0}));
    mixing.add(last, slow_map(last));
    EXPECT_GT(std::abs(mixing.next()[0] - slow_map(last)[0]), 1e-3);
    mixing.restart();
    expect_near(mixing.next(), slow_map(last));
}

TEST(FixedPoint, AtTheFixedPointItStays) {
    FixedPointMixing mixing(3);
    for (int step = 0; step < 3; ++step)
        mixing.add(std::vector<double>{1, 2, 3}, std::vector<double>{1, 2, 3});
    EXPECT_EQ(mixing.next(), (std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace dk::test::fixed_point_test
