// SPDX-License-Identifier: Apache-2.0
// The Gaussian process by which a search guesses what it has not tried.
#include "pipeline/search/surrogate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace dk::test::surrogate_test {
namespace {

/// By hand: phi(0) = 0.39894228, Phi(1) = 0.84134475, phi(1) = 0.24197072.
TEST(Surrogate, ImprovementIsThatOfANormalNumber) {
    EXPECT_NEAR(expected_improvement({2, 1}, 2), 0.3989422804014327, 1e-15);
    EXPECT_NEAR(expected_improvement({3, 1}, 2), 0.8413447460685429 + 0.24197072451914337, 1e-14);
    EXPECT_NEAR(expected_improvement({4, 2}, 2), 2 * (0.8413447460685429 + 0.24197072451914337), 1e-14);
    EXPECT_EQ(expected_improvement({3, 0}, 2), 1);
    EXPECT_EQ(expected_improvement({1, 0}, 2), 0);
}

/// One score is the mean of all, so that nothing else is to be expected anywhere: in units of a deviation
/// that is not known, taken as 1, with k(0) = 1 and noise 0.001 the variance at the point is 1 - 1 / 1.001.
TEST(Surrogate, OfOnePointKnowsItsScoreAlone) {
    BegunControl control(1);
    Matrix points(1, 2);
    points << 0.5, 0.5;
    Vector scores(1);
    scores << 0.8;
    const Surrogate surrogate(points, scores, likely_smoothness(points, scores, control), control);
    const std::vector<double> same{0.5, 0.5};
    const std::vector<double> corner{0.0, 1.0};
    EXPECT_NEAR(surrogate.at(same).mean, 0.8, 1e-15);
    EXPECT_NEAR(surrogate.at(corner).mean, 0.8, 1e-15);
    EXPECT_NEAR(surrogate.best_mean(), 0.8, 1e-15);
    EXPECT_NEAR(surrogate.at(same).deviation, std::sqrt(1 - 1 / 1.001), 1e-12);
    EXPECT_GT(surrogate.at(corner).deviation, surrogate.at(same).deviation);
}

/// Between points of a smooth function the process is near it, and surer there than far from all points.
TEST(Surrogate, FollowsASmoothFunction) {
    BegunControl control(1);
    const auto f = [](double x) { return std::sin(5 * x) + 0.3 * x; };
    Matrix points(12, 1);
    Vector scores(12);
    for (Index i = 0; i < 12; ++i) {
        points(i, 0) = 0.05 * static_cast<double>(i);
        scores(i) = f(points(i, 0));
    }
    const Surrogate surrogate(points, scores, likely_smoothness(points, scores, control), control);
    for (double x = 0.02; x < 0.55; x += 0.05) {
        const std::vector<double> point{x};
        EXPECT_NEAR(surrogate.at(point).mean, f(x), 0.05) << x;
    }
    const std::vector<double> near{0.3};
    const std::vector<double> far{1.0};
    EXPECT_LT(10 * surrogate.at(near).deviation, surrogate.at(far).deviation);
    EXPECT_NEAR(surrogate.best_mean(), scores.maxCoeff(), 0.02);
}

TEST(Surrogate, OfScoresThatAreAllAlikeExpectsTheSame) {
    BegunControl control(1);
    Matrix points(5, 1);
    points << 0, 0.25, 0.5, 0.75, 1;
    const Vector scores = Vector::Constant(5, 0.5);
    const Surrogate surrogate(points, scores, likely_smoothness(points, scores, control), control);
    const std::vector<double> between{0.6};
    EXPECT_NEAR(surrogate.at(between).mean, 0.5, 1e-15);
    EXPECT_GT(expected_improvement(surrogate.at(between), surrogate.best_mean()), 0);
}

}  // namespace
}  // namespace dk::test::surrogate_test
