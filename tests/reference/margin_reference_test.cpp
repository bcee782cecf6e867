// SPDX-License-Identifier: Apache-2.0
//
// The 2-norm machine against a long-double solution written from the definition, and the hard-margin machine
// against soft margins with a cost that no multiplier reaches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "libdk_machine.hpp"
#include "libsvm_machine.hpp"
#include "problem.hpp"
#include "svm_dual.hpp"

namespace dk_reference {
namespace {

// Two clouds of `rows` points with their means `distance` apart along the first feature.
Problem two_clouds(unsigned seed, std::size_t rows, double distance, const Kernel& kernel) {
    Problem problem = random_classes(seed, 1, rows, 3, 1);
    problem.name = "clouds" + std::to_string(seed);
    problem.kernel = kernel;
    for (std::size_t i = 0; i < rows; ++i) {
        problem.labels[i] = i % 2 == 0 ? 1 : -1;
        if (i % 2 == 0) problem.values[i * problem.cols] += distance;
    }
    return problem;
}

Kernel linear() {
    return {KernelKind::linear, 3, 1, 0};
}
Kernel rbf(double gamma) {
    return {KernelKind::rbf, 3, gamma, 0};
}
Kernel poly(int degree, double gamma, double coef0) {
    return {KernelKind::poly, degree, gamma, coef0};
}

// --- 2-norm --------------------------------------------------------------------------------------

class SquaredHinge : public testing::TestWithParam<unsigned> {};

TEST_P(SquaredHinge, EqualsLongDoubleSolution) {
    const unsigned number = GetParam();
    const Kernel kernels[] = {linear(), rbf(0.3), poly(2, 0.2, 1)};
    Problem problem = two_clouds(50 + number, 14 + number, 1.5, kernels[number % 3]);
    problem.cost = std::vector<double>{0.1, 1, 10}[number / 3 % 3];
    if (number % 2 == 1) problem.positive_weight = 3;

    const Dual dual = squared_hinge_dual(problem);
    const std::vector<long double> alpha = solve_unbounded(dual);
    const long double offset = offset_over_support(dual, alpha);
    const LibdkMachine ours(problem, "loss=squared_hinge tolerance=1e-9");

    const double best = static_cast<double>(objective(dual, alpha));
    EXPECT_NEAR(ours.training(0).at("objective").get<double>(), best, 1e-9 * std::abs(best));
    const std::vector<long double> found = ours.multipliers(dual.kernel);
    const std::vector<double> decisions = ours.decisions(problem.values);
    const long double largest = *std::max_element(alpha.begin(), alpha.end());
    for (std::size_t i = 0; i < problem.rows(); ++i) {
        EXPECT_NEAR(static_cast<double>(found[i]), static_cast<double>(alpha[i]),
                    1e-6 * static_cast<double>(largest))
            << "row " << i;
        EXPECT_NEAR(decisions[i], static_cast<double>(decision(dual, alpha, offset, i)), 1e-6) << "row " << i;
    }
    const double gap = static_cast<double>(optimality_gap(dual, found, 1e-10L));
    EXPECT_NEAR(ours.training(0).at("gap").get<double>(), gap, 1e-11 * static_cast<double>(1 + largest));
}

// The canonical form's shift is S = -(sum+ a^2 - sum- a^2) / C for coefficients a that sum to 1 in each
// class.
TEST_P(SquaredHinge, ShiftFollowsFromTheRidge) {
    const unsigned number = GetParam();
    Problem problem = two_clouds(80 + number, 15 + number, 1.0, rbf(0.3));
    problem.cost = 2;
    const Dual dual = squared_hinge_dual(problem);
    const std::vector<long double> alpha = solve_unbounded(dual);
    long double half = 0;
    for (const long double value : alpha) half += value / 2;
    long double expected = 0;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
        const long double coefficient = alpha[i] / half;
        expected -= static_cast<long double>(dual.signs[i]) * coefficient * coefficient * dual.ridge[i];
    }
    const LibdkMachine ours(problem, "loss=squared_hinge tolerance=1e-9");
    EXPECT_NEAR(ours.shift(), static_cast<double>(expected), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Reference, SquaredHinge, testing::Range(0U, 9U));

// --- hard margin ---------------------------------------------------------------------------------

class HardMargin : public testing::TestWithParam<unsigned> {};

TEST_P(HardMargin, EqualsHugeCostOnSeparableData) {
    const unsigned number = GetParam();
    const Kernel kernels[] = {linear(), rbf(0.5), poly(3, 0.3, 1)};
    // The linear kernel separates clouds that are far apart, the others any clouds without common points.
    Problem problem = two_clouds(20 + number, 40, number % 3 == 0 ? 9 : 3, kernels[number % 3]);
    const LibdkMachine hard(problem, "loss=hard tolerance=1e-8");
    problem.cost = 1e6;
    const LibdkMachine soft(problem, "loss=hinge tolerance=1e-8");
    const LibsvmMachine theirs(problem, 1e-8);
    const Dual dual = hard_dual(problem);
    const std::vector<long double> multipliers = theirs.multipliers();
    ASSERT_LT(*std::max_element(multipliers.begin(), multipliers.end()), 1e6L) << "the data is not separable";
    // LIBSVM keeps kernel values in single precision; its decisions are true to the gap that this leaves.
    const double their_error = static_cast<double>(optimality_gap(dual, multipliers, 1e-12L));

    const std::vector<double> ours = hard.decisions(problem.values);
    const std::vector<double> huge = soft.decisions(problem.values);
    for (std::size_t i = 0; i < problem.rows(); ++i) {
        EXPECT_NEAR(ours[i], huge[i], 1e-5) << "row " << i;
        const double reference = theirs.decisions(problem.row(i)).front();
        EXPECT_NEAR(ours[i], reference, 1e-5 + 2 * their_error * std::max(1.0, std::abs(reference)))
            << "row " << i;
        EXPECT_GE(static_cast<double>(problem.labels[i]) * ours[i], 1 - 1e-5) << "row " << i;
    }
    EXPECT_LE(static_cast<double>(optimality_gap(dual, hard.multipliers(dual.kernel), 1e-12L)), 1e-7);
    // Both classes' prototypes are the nearest points of the two hulls: no shift is left.
    EXPECT_NEAR(hard.shift(), 0, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Reference, HardMargin, testing::Range(0U, 6U));

void expect_refused(const Problem& problem) {
    try {
        const LibdkMachine machine(problem, "loss=hard");
        ADD_FAILURE() << problem.name << " was accepted; training report " << machine.training(0).dump();
    } catch (const CallFailed& failure) {
        EXPECT_EQ(failure.status(), DK_ERR_NUMERICAL) << failure.what();
    }
}

TEST(HardMarginRefuses, CloudsThatOverlap) {
    expect_refused(two_clouds(3, 60, 0.5, linear()));
}

TEST(HardMarginRefuses, OnePointInBothClassesUnderAnyKernel) {
    for (const Kernel& kernel : {linear(), rbf(0.5), poly(3, 0.3, 1)}) {
        Problem problem = two_clouds(4, 30, 9, kernel);
        std::copy_n(problem.row(0), problem.cols,
                    problem.values.begin() + static_cast<std::ptrdiff_t>(problem.cols));
        expect_refused(problem);
    }
}

TEST(HardMarginRefuses, OneClassInsideTheOthersHull) {
    Problem problem;
    problem.name = "hull";
    problem.cols = 1;
    problem.values = {-1, 0, 1};
    problem.labels = {1, -1, 1};
    problem.kernel = linear();
    expect_refused(problem);
}

// Three points whose answer is known by hand: the plane half way between 1 and 3.
TEST(HardMarginByHand, PointsOnALine) {
    Problem problem;
    problem.cols = 1;
    problem.values = {0, 1, 3};
    problem.labels = {-1, -1, 1};
    problem.kernel = linear();
    const LibdkMachine machine(problem, "loss=hard tolerance=1e-9");
    const std::vector<double> decisions = machine.decisions({1, 2, 3});
    EXPECT_NEAR(decisions[0], -1, 1e-8);
    EXPECT_NEAR(decisions[1], 0, 1e-8);
    EXPECT_NEAR(decisions[2], 1, 1e-8);
    EXPECT_NEAR(machine.training(0).at("objective").get<double>(), -0.5, 1e-8);
}

}  // namespace
}  // namespace dk_reference
