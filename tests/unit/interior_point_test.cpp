// SPDX-License-Identifier: Apache-2.0
#include "solve/box/interior_point.hpp"

#include "feature_programs.hpp"
#include "solve/box/smo.hpp"

namespace dk::test::interior_point_test {
namespace {

// The start must be feasible and no worse than what decomposition finds without features, and decomposition
// from this start must agree.
TEST(InteriorPoint, ProgramsOfEveryKindAreAllButSolved) {
    for (const auto& [name, data, make] : feature_programs(4)) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, name);
        FeatureMatrix open(data.features, false);
        FeatureMatrix hidden(data.features, true);
        const BoxProgram program = make(open, data);
        BegunControl control(2);
        const auto found = interior_start(program, control);
        ASSERT_TRUE(found.has_value());
        expect_feasible(program, *found);
        const auto exact = solve_smo(make(hidden, data), {.tolerance = 1e-5}, control);
        ASSERT_TRUE(exact.converged);
        EXPECT_LE(objective(data.features, program, *found),
                  exact.objective + 1e-5 * std::abs(exact.objective));
        const auto both = solve_smo(program, {.tolerance = 1e-5}, control);
        EXPECT_TRUE(both.converged);
        EXPECT_NEAR(both.objective, exact.objective, 1e-6 * std::abs(exact.objective));
    }
}

TEST(InteriorPoint, TheSameBitsForAnyNumberOfThreads) {
    const SignedFeatures data = overlapping(5000, 6, 7);
    FeatureMatrix matrix(data.features, false);
    const BoxProgram program = hinge(matrix, data, 1);
    BegunControl one(1);
    BegunControl two(2);
    BegunControl five(5);
    const auto expected = interior_start(program, one);
    ASSERT_TRUE(expected.has_value());
    EXPECT_EQ(expected, interior_start(program, two));
    EXPECT_EQ(expected, interior_start(program, five));
}

TEST(InteriorPoint, SparseFeaturesAreTheSameMatrix) {
    const SignedFeatures data = with_zeros(overlapping(3000, 20, 11));
    FeatureMatrix dense(data.features, false);
    SparseFeatureMatrix sparse(data.features);
    BegunControl control(2);
    BegunControl one(1);
    for (const double c : {1e-3, 1.0, 100.0}) {
        const BoxProgram program = hinge(dense, data, c);
        const auto expected = interior_start(program, control);
        const auto found = interior_start(hinge(sparse, data, c), control);
        ASSERT_TRUE(expected.has_value() && found.has_value());
        const double optimum = objective(data.features, program, *expected);
        EXPECT_NEAR(objective(data.features, program, *found), optimum, 1e-6 * std::abs(optimum)) << c;
        EXPECT_EQ(found, interior_start(hinge(sparse, data, c), one));
    }
}

TEST(InteriorPoint, SmallWideAndFeaturelessProgramsHaveNone) {
    BegunControl control;
    const SignedFeatures small = overlapping(2000, 3, 8);
    FeatureMatrix few_rows(small.features, false);
    EXPECT_FALSE(interior_start(hinge(few_rows, small, 1), control).has_value());
    const SignedFeatures wide = overlapping(2300, 600, 8);
    FeatureMatrix many_features(wide.features, false);
    EXPECT_FALSE(interior_start(hinge(many_features, wide, 1), control).has_value());
    const SignedFeatures data = overlapping(2300, 3, 8);
    FeatureMatrix hidden(data.features, true);
    EXPECT_FALSE(interior_start(hinge(hidden, data, 1), control).has_value());
}

// The sum allows only the point where all variables are on their bounds, so there is no interior, but there
// must be an answer.
TEST(InteriorPoint, ProgramsOfOnePointAreSolved) {
    const SignedFeatures data = overlapping(2300, 3, 9);
    FeatureMatrix matrix(data.features, false);
    BoxProgram program = zero_program(matrix, 2300);
    for (std::size_t i = 0; i < 2300; ++i) program.start[i] = program.upper[i] = 0.25;
    BegunControl control;
    const auto solved = solve_smo(program, {}, control);
    EXPECT_TRUE(solved.converged);
    for (const double b : solved.beta) EXPECT_NEAR(b, 0.25, 1e-9);
}

TEST(InteriorPoint, CancelEndsIt) {
    const SignedFeatures data = overlapping(2300, 3, 10);
    FeatureMatrix matrix(data.features, false);
    BegunControl control;
    control.cancel();
    message_of(Status::cancelled, [&] { interior_start(hinge(matrix, data, 1), control); });
}

}  // namespace
}  // namespace dk::test::interior_point_test
