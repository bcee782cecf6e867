// SPDX-License-Identifier: Apache-2.0
#include "solve/box/coordinate_start.hpp"

#include <limits>

#include "base/random.hpp"
#include "feature_programs.hpp"
#include "solve/box/face_step.hpp"
#include "solve/box/penalised_box.hpp"
#include "solve/box/smo.hpp"

namespace dk::test::coordinate_start_test {
namespace {

constexpr std::int64_t any_steps = std::numeric_limits<std::int64_t>::max();

/// Solves the program by a decomposition that knows nothing of the features, for comparison.
SmoSolution decomposed(const FeatureProgram& one, const SignedFeatures& data, Control& control) {
    FeatureMatrix hidden(data.features, true);
    return solve_smo(one.make(hidden, data), {.tolerance = 1e-5}, control);
}

TEST(CoordinateStart, ProgramsOfEveryKindAreAllButSolved) {
    for (const auto& one : feature_programs(30)) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, one.name);
        const SignedFeatures data = with_zeros(one.data);
        SparseFeatureMatrix sparse(data.features, 3000);
        const BoxProgram program = one.make(sparse, data);
        BegunControl control(2);
        const auto exact = decomposed(one, data, control);
        ASSERT_TRUE(exact.converged);
        const auto found = coordinate_start(program, 1e-4, any_steps, control);
        EXPECT_TRUE(found.converged) << found.steps;
        expect_feasible(program, found.beta);
        EXPECT_LE(objective(data.features, program, found.beta),
                  exact.objective + 1e-5 * std::abs(exact.objective));
        const auto solved = solve_smo(program, {.tolerance = 1e-5}, control);
        EXPECT_TRUE(solved.converged);
        EXPECT_NEAR(solved.objective, exact.objective, 1e-6 * std::abs(exact.objective));
    }
}

/// Gives the primal objective 1/2 |w|^2 + C (sum of slacks).
double primal(const SignedFeatures& data, double c, std::span<const double> b, double offset) {
    const Eigen::VectorXd w =
        data.features.transpose() * Eigen::VectorXd::Map(b.data(), data.features.rows());
    const Eigen::VectorXd f = data.features * w;
    double slack = 0;
    for (Index i = 0; i < f.size(); ++i) slack += std::max(0.0, 1 - data.signs[i] * (f[i] + offset));
    return 0.5 * w.squaredNorm() + c * slack;
}

// These data are like texts: there are more columns than rows, most rows become support vectors and few are
// on a bound.
TEST(CoordinateStart, MoreFeaturesThanRows) {
    SignedFeatures data = overlapping(2300, 3000, 21);
    for (double& value : data.features.reshaped()) value = std::abs(value) < 2.5 ? 0 : value;
    SparseFeatureMatrix sparse(data.features);
    BegunControl control(2);
    for (const double c : {0.01, 10.0}) {
        const BoxProgram program = hinge(sparse, data, c);
        const auto found = solve_smo(program, {.tolerance = 1e-5}, control);
        EXPECT_TRUE(found.converged);
        EXPECT_EQ(found.rounds, 0) << "decomposition had something left to do";
        expect_feasible(program, found.beta);
        const double upper = primal(data, c, found.beta, smo_offset(program, found));
        EXPECT_NEAR(upper, -found.objective, 1e-3 * upper);
        EXPECT_GE(upper, -found.objective * (1 - 1e-12));
    }
}

// In narrow boxes a sum can err by little only, so with steps of one size its multiplier would need ever more
// of them.
TEST(CoordinateStart, NarrowBoxesOfUnequalClasses) {
    SignedFeatures data = with_zeros(overlapping(4000, 12, 22));
    for (std::size_t i = 0; i < 3000; ++i) data.signs[i] = 1;
    SparseFeatureMatrix sparse(data.features);
    FeatureMatrix hidden(data.features, true);
    BegunControl control;
    for (const double c : {1e-12, 1e-9, 1e-6, 1e-5, 1e-4}) {
        const auto found = coordinate_start(hinge(sparse, data, c), 1e-3, any_steps, control);
        EXPECT_TRUE(found.converged) << c;
        EXPECT_LT(found.steps, 100 * 4000) << c;
        const auto exact = solve_smo(hinge(hidden, data, c), {}, control);
        EXPECT_NEAR(objective(data.features, hinge(sparse, data, c), found.beta), exact.objective,
                    1e-5 * std::abs(exact.objective))
            << c;
    }
}

// Rows of counts differ in their lengths as much as texts do. A penalty like the longest rows would make the
// steps of short ones tiny: after 600 steps of each variable it was not there, where 40 do.
TEST(CoordinateStart, RowsOfVeryDifferentLengths) {
    SignedFeatures data = overlapping(4000, 3000, 25);
    for (double& value : data.features.reshaped()) value = std::abs(value) < 2.5 ? 0 : value;
    Random random(26);
    for (Index i = 0; i < 4000; ++i) data.features.row(i) *= std::exp(1.2 * random.normal());
    SparseFeatureMatrix sparse(data.features);
    BegunControl control(2);
    const auto found = coordinate_start(hinge(sparse, data, 1), 1e-3, any_steps, control);
    EXPECT_TRUE(found.converged);
    EXPECT_LT(found.steps, 80 * 4000);
    const auto solved = solve_smo(hinge(sparse, data, 1), {}, control);
    const double upper = primal(data, 1, solved.beta, smo_offset(hinge(sparse, data, 1), solved));
    EXPECT_NEAR(upper, -solved.objective, 1e-3 * upper);
}

// The box is wide and the features are correlated, so that coordinates alone take very long.
TEST(CoordinateStart, GivesUpWhereAnInteriorPointMethodIsSooner) {
    const SignedFeatures data = with_zeros(overlapping(6000, 30, 12));
    FeatureMatrix dense(data.features, false);
    SparseFeatureMatrix sparse(data.features);
    BegunControl control(2);
    EXPECT_FALSE(coordinate_start(hinge(sparse, data, 1e4), 1e-3, any_steps, control).converged);
    const auto expected = solve_smo(hinge(dense, data, 1e4), {}, control);
    const auto found = solve_smo(hinge(sparse, data, 1e4), {}, control);
    ASSERT_TRUE(expected.converged && found.converged);
    EXPECT_NEAR(found.objective, expected.objective, 1e-5 * std::abs(expected.objective));
}

TEST(CoordinateStart, TheLimitCountsAllSteps) {
    const SignedFeatures data = with_zeros(overlapping(6000, 30, 12));
    SparseFeatureMatrix sparse(data.features);
    BegunControl control;
    for (const std::int64_t limit : {1, 2, 1000, 20000}) {
        const auto stopped = solve_smo(hinge(sparse, data, 100), {.max_iterations = limit}, control);
        EXPECT_FALSE(stopped.converged);
        EXPECT_EQ(stopped.iterations, limit);
        expect_feasible(hinge(sparse, data, 100), stopped.beta);
    }
}

TEST(CoordinateStart, RowsAndColumnsWithoutValuesAndNoFeatureAtAll) {
    SignedFeatures data = with_zeros(overlapping(2400, 8, 23));
    data.features.topRows(100).setZero();
    data.features.col(3).setZero();
    SparseFeatureMatrix sparse(data.features);
    FeatureMatrix hidden(data.features, true);
    BegunControl control;
    const auto exact = solve_smo(hinge(hidden, data, 0.1), {.tolerance = 1e-5}, control);
    const auto found = solve_smo(hinge(sparse, data, 0.1), {.tolerance = 1e-5}, control);
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.objective, exact.objective, 1e-6 * std::abs(exact.objective));
    data.features.setZero();
    SparseFeatureMatrix nothing(data.features);
    const auto constant = solve_smo(hinge(nothing, data, 0.1), {}, control);
    EXPECT_TRUE(constant.converged);
    // At w = 0 every row of the smaller class pays 2 C.
    const auto positives = std::ranges::count(data.signs, 1.0);
    EXPECT_NEAR(constant.objective, -0.2 * static_cast<double>(std::min<Index>(positives, 2400 - positives)),
                1e-9);
}

TEST(CoordinateStart, TheSameBitsForAnyNumberOfThreads) {
    // There are enough values for products to be dealt out to threads.
    SignedFeatures data = overlapping(3000, 2500, 24);
    for (double& value : data.features.reshaped()) value = std::abs(value) < 1.3 ? 0 : value;
    SparseFeatureMatrix sparse(data.features);
    BegunControl one(1);
    BegunControl two(2);
    BegunControl five(5);
    const auto expected = coordinate_start(hinge(sparse, data, 1), 1e-3, any_steps, one);
    EXPECT_TRUE(expected.converged);
    EXPECT_EQ(expected.beta, coordinate_start(hinge(sparse, data, 1), 1e-3, any_steps, two).beta);
    EXPECT_EQ(expected.beta, coordinate_start(hinge(sparse, data, 1), 1e-3, any_steps, five).beta);
}

TEST(CoordinateStart, CancelEndsIt) {
    const SignedFeatures data = with_zeros(overlapping(2300, 3, 10));
    SparseFeatureMatrix sparse(data.features);
    BegunControl control;
    control.cancel();
    message_of(Status::cancelled,
               [&] { coordinate_start(hinge(sparse, data, 1), 1e-3, any_steps, control); });
}

/// Gives the value of a box without multipliers from its definition.
double penalised(const SignedFeatures& data, const BoxProgram& program, std::span<const double> b,
                 double penalty) {
    double value = objective(data.features, program, b);
    const auto sums = group_sums(program, b);
    const auto wanted = group_sums(program, program.start);
    for (std::size_t g = 0; g < 2; ++g)
        value += 0.5 * penalty * (sums[g] - wanted[g]) * (sums[g] - wanted[g]);
    return value;
}

/// Calls body(data, program, box) for a program of each kind.
template <typename Body>
void for_each_box(Body body) {
    for (const auto& one : feature_programs(4)) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, one.name);
        const SignedFeatures data = with_zeros(one.data);
        SparseFeatureMatrix sparse(data.features);
        const BoxProgram program = one.make(sparse, data);
        BegunControl control;
        PenalisedBox box(program, control);
        body(data, program, box);
    }
}

TEST(PenalisedBox, GradientsAreThoseOfFiniteDifferences) {
    for_each_box([](const SignedFeatures& data, const BoxProgram& program, PenalisedBox& box) {
        std::vector<double> b(box.values().begin(), box.values().end());
        for (const Index t : {3, 7, 20}) {  // First the variables leave the start.
            b[t] += 0.25;
            box.move_to(t, b[t]);
        }
        for (const Index t : {0, 7, 1000, 2299}) {
            constexpr double h = 1e-3;
            const auto value_with = [&](double by) {
                auto moved = b;
                moved[t] += by;
                return penalised(data, program, moved, box.penalty());
            };
            const double above = value_with(h);
            const double below = value_with(-h);
            const double size = 1e-7 * (1 + std::abs(value_with(0)));
            EXPECT_NEAR(box.gradient(t), (above - below) / (2 * h), size);
            EXPECT_NEAR(box.curvature(t), (above + below - 2 * value_with(0)) / (h * h), 1e3 * size);
        }
    });
}

TEST(PenalisedBox, MultipliersBeginWhereGradientsAreZeroInTheMean) {
    for_each_box([](const SignedFeatures&, const BoxProgram& program, PenalisedBox& box) {
        for (Index t = 0; t < program.size(); t += 3) {
            const double widest = std::min(1.0, box.upper(t) - box.lower(t));
            if (widest == 0) continue;
            box.move_to(
                t, std::isfinite(box.lower(t)) ? box.lower(t) + 0.3 * widest : box.upper(t) - 0.3 * widest);
        }
        box.begin_multipliers();
        std::array<double, 2> sums{};
        std::array<double, 2> sizes{};
        for (Index t = 0; t < program.size(); ++t) {
            if (box.value(t) == 0 || box.value(t) == box.lower(t) || box.value(t) == box.upper(t)) continue;
            sums[program.group(t)] += box.gradient(t);
            sizes[program.group(t)] += std::abs(box.gradient(t));
        }
        EXPECT_GT(sizes[0], 0);
        for (std::size_t g = 0; g < 2; ++g) EXPECT_NEAR(sums[g], 0, 1e-9 * sizes[g]);
    });
}

TEST(FaceStep, NeverRaisesTheValueAndHeedsBounds) {
    for_each_box([](const SignedFeatures& data, const BoxProgram& program, PenalisedBox& box) {
        std::vector<Index> inside;
        for (Index t = 0; t < program.size(); ++t) {
            const double widest = std::min(1.0, box.upper(t) - box.lower(t));
            if (widest == 0) continue;
            const double inner = 0.01 * widest * static_cast<double>(1 + t % 7);
            box.move_to(t, std::isfinite(box.lower(t)) ? box.lower(t) + inner : box.upper(t) - inner);
            inside.push_back(t);
        }
        for (int turn = 0; turn < 5; ++turn) {
            const double before = penalised(data, program, box.values(), box.penalty());
            const double gain = face_step(box, inside);
            const double after = penalised(data, program, box.values(), box.penalty());
            EXPECT_GE(gain, 0);
            EXPECT_NEAR(before - after, gain, 1e-9 * (1 + std::abs(before)));
            for (const Index t : inside) {
                EXPECT_GE(box.value(t), box.lower(t));
                EXPECT_LE(box.value(t), box.upper(t));
            }
        }
    });
}

// No bounds are in the way on this face, so conjugate gradients end at its least value.
TEST(FaceStep, FindsTheLeastValueOfAFreeFace) {
    const SignedFeatures data = with_zeros(overlapping(2300, 4, 31));
    SparseFeatureMatrix sparse(data.features);
    BoxProgram program = squared_hinge(sparse, data);
    program.lower.assign(2300, -infinity);
    program.upper.assign(2300, infinity);
    BegunControl control;
    PenalisedBox box(program, control);
    std::vector<Index> all(2300);
    std::iota(all.begin(), all.end(), Index{0});
    for (int turn = 0; turn < 20; ++turn) face_step(box, all);
    const Features with_sum = [&] {
        Features f(2300, 5);
        f.leftCols(4) = data.features;
        f.col(4).setConstant(std::sqrt(box.penalty()));
        return f;
    }();
    const Eigen::MatrixXd square =
        Eigen::MatrixXd(with_sum * with_sum.transpose()) + 2 * Eigen::MatrixXd::Identity(2300, 2300);
    const Eigen::VectorXd exact = square.llt().solve(Eigen::VectorXd::Map(data.signs.data(), 2300));
    EXPECT_LE((Eigen::VectorXd::Map(box.values().data(), 2300) - exact).norm(), 1e-9 * exact.norm());
}

}  // namespace
}  // namespace dk::test::coordinate_start_test
