// SPDX-License-Identifier: Apache-2.0
#include "solve/landmarks/falkon.hpp"

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "kernel/lowrank/landmarks.hpp"
#include "landmark_problem.hpp"
#include "model/model.hpp"
#include "pipeline/train.hpp"

namespace dk::test::falkon_test {
namespace {

/// Solves (K_nM' K_nM + ridge K_MM) A = K_nM' Y directly.
Matrix direct(const Matrix& rows, const Matrix& landmarks, const Matrix& targets, double ridge) {
    const Matrix system = rows.transpose() * rows + ridge * landmarks;
    return system.ldlt().solve(rows.transpose() * targets);
}

LandmarkRidgeSolution solve(const LandmarkProblem& given, double ridge, int limit = 200, int threads = 1,
                            bool with_square = false) {
    BegunControl control(threads);
    const auto square = [&](MatrixView out, Matrix& right) {
        out = given.rows.transpose() * given.rows;
        right = given.rows.transpose() * given.targets;
    };
    return solve_landmark_ridge(
        {.rows = static_cast<double>(given.rows.rows()),
         .columns = given.targets.cols(),
         .landmark_gram = view(given.own.data(), given.own.rows(), given.own.cols()),
         .ridge = ridge,
         .normal_product = [&](const Matrix& v,
                               Matrix& out) { out = given.rows.transpose() * (given.rows * v); },
         .right = [&](Matrix& out) { out = given.rows.transpose() * given.targets; },
         .square = with_square ? square : std::function<void(MatrixView, Matrix&)>(),
         .tolerance = 1e-10,
         .most_iterations = limit},
        control);
}

TEST(Falkon, PredictsAsTheDirectSolution) {
    for (const Index columns : {1, 3}) {
        for (const double ridge : {0.01, 0.5, 20.0}) {
            const LandmarkProblem given = landmark_problem(400, 60, columns, 21);
            const auto found = solve(given, ridge);
            EXPECT_TRUE(found.converged);
            const Matrix ours = given.rows * found.coefficients;
            const Matrix theirs = given.rows * direct(given.rows, given.own, given.targets, ridge);
            EXPECT_LE((ours - theirs).cwiseAbs().maxCoeff(), 1e-6) << "ridge " << ridge;
        }
    }
}

TEST(Falkon, ThePreconditionerMakesStepsFew) {
    const LandmarkProblem given = landmark_problem(1500, 300, 1, 22);
    EXPECT_LE(solve(given, 1.0).iterations, 40);
}

// K_nM' K_nM makes the preconditioner nearly the inverse, but for rounding. The solution stays the same, as
// far as the jitter of the other way lets it: that of 7e-14 moves predictions of targets without any pattern
// by 1e-5.
TEST(Falkon, WithTheSquareStepsAreFewer) {
    for (const Index columns : {1, 3}) {
        for (const double ridge : {0.01, 0.5, 20.0}) {
            const LandmarkProblem given = landmark_problem(1500, 300, columns, 29);
            const auto found = solve(given, ridge, 500, 1, true);
            const auto slowly = solve(given, ridge, 500);
            EXPECT_TRUE(found.converged && slowly.converged) << ridge;
            EXPECT_LE(2 * found.iterations, slowly.iterations) << ridge;
            const Matrix ours = given.rows * found.coefficients;
            const Matrix theirs = given.rows * slowly.coefficients;
            EXPECT_LE((ours - theirs).cwiseAbs().maxCoeff(), 1e-4) << ridge;
        }
    }
}

// The same problem in other units has the same solution and needs as many steps.
TEST(Falkon, UnitsOfTheKernelDoNotMatter) {
    const LandmarkProblem given = landmark_problem(1500, 300, 1, 29);
    const auto expected = solve(given, 0.5, 500, 1, true);
    for (const double unit : {1e-4, 1e4}) {
        LandmarkProblem other = given;
        other.rows *= unit;
        other.own *= unit;
        const auto found = solve(other, 0.5 * unit, 500, 1, true);
        EXPECT_TRUE(found.converged);
        EXPECT_NEAR(found.iterations, expected.iterations, 2);
        const Matrix ours = other.rows * found.coefficients;
        EXPECT_LE((ours - given.rows * expected.coefficients).cwiseAbs().maxCoeff(), 1e-5);
    }
}

// Where lambda is below what rounding makes of K_nM' K_nM, nothing can be made of it.
TEST(Falkon, ForATinyRidgeTheSquareIsNotUsed) {
    const LandmarkProblem given = landmark_problem(300, 50, 1, 29);
    EXPECT_EQ(solve(given, 1e-9, 20, 1, true).coefficients, solve(given, 1e-9, 20).coefficients);
}

TEST(Falkon, StopsAtItsLimitAndSaysSo) {
    const auto found = solve(landmark_problem(300, 50, 1, 23), 1e-6, 2);
    EXPECT_FALSE(found.converged);
    EXPECT_EQ(found.iterations, 2);
    EXPECT_GT(found.residual, 1e-10);
}

Model learn(const char* machine, const Dataset& data,
            const std::vector<std::pair<std::string, std::string>>& parameters, int threads = 1) {
    BegunControl control(threads);
    auto settings = default_specification(machine);
    set_parameter(settings, "kernel", "rbf(gamma=0.3)");
    for (const auto& [key, value] : parameters) set_parameter(settings, key, value);
    return train(data, settings, control);
}

Dataset waves(Index rows, std::uint64_t seed) {
    Dataset data = random_dense(rows, 2, seed);
    for (Index i = 0; i < rows; ++i)
        data.targets.push_back(std::sin(2 * data.dense().row(i)[0]) + data.dense().row(i)[1]);
    return data;
}

TEST(Falkon, WithAllRowsAsLandmarksItIsKernelRidge) {
    // With all rows as landmarks, (K K + ridge K) A = K Y is (K + ridge) A = Y.
    const Dataset data = waves(120, 24);
    BegunControl control;
    const auto exact =
        decisions(learn("kernel_ridge", data, {{"C", "5"}, {"solver", "exact"}}), data, control);
    const auto landmarks = decisions(
        learn("kernel_ridge", data,
              {{"C", "5"}, {"solver", "falkon"}, {"tolerance", "1e-12"}, {"max_iterations", "500"}}),
        data, control);
    for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(landmarks[i], exact[i], 1e-6);
}

TEST(Falkon, OnlyLandmarksAreSupportRows) {
    const Dataset data = waves(500, 25);
    const Model model =
        learn("kernel_ridge", data, {{"C", "100"}, {"solver", "falkon"}, {"landmarks", "80"}});
    EXPECT_EQ(model.predictor->support_count(), 80);
    BegunControl control;
    const Dataset test = waves(200, 26);
    const auto found = decisions(model, test, control);
    double squares = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        squares += (found[i] - test.targets[i]) * (found[i] - test.targets[i]) / 200;
    EXPECT_LE(squares, 0.01);
}

// Three matrices of 3000 rows take 206 MB, 2000 landmarks 128 MB, and 1000 landmarks 32 MB.
TEST(Falkon, LearnsWhereTheMatrixDoesNotFit) {
    const Dataset data = waves(3000, 31);
    const auto machine_within = [&](const char* memory) {
        return learn("kernel_ridge", data, {{"C", "10"}, {"memory_mb", memory}});
    };
    EXPECT_EQ(machine_within("250").predictor->support_count(), 3000);
    EXPECT_EQ(machine_within("150").predictor->support_count(), 2000);
    const Model model = machine_within("45");
    EXPECT_EQ(model.predictor->support_count(), 1000);
    BegunControl control;
    const auto exact = decisions(machine_within("250"), data, control);
    const auto found = decisions(model, data, control);
    for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(found[i], exact[i], 0.01);
    for (const auto& [parameter, value] : {std::pair{"solver", "exact"}, std::pair{"solver", "falkon"}}) {
        const std::string message = message_of(Status::memory_budget, [&] {
            learn("kernel_ridge", data, {{"memory_mb", "45"}, {parameter, value}});
        });
        EXPECT_NE(message.find("45"), std::string::npos) << message;
    }
}

// A linear kernel of sparse rows has factors, and still no features that would be solved for.
TEST(Falkon, LearnsSparseRowsOfALinearKernelWhereTheMatrixDoesNotFit) {
    const Index count = 2000;
    SparseMatrix rows{count, 3};
    Dataset data(DenseMatrix{});
    std::vector<double> targets;
    for (Index i = 0; i < count; ++i) {
        rows.row_offsets.push_back(i);
        rows.columns.push_back(i % 3);
        rows.values.push_back(1 + static_cast<double>(i % 7));
        targets.push_back(rows.values.back() * (i % 3 == 0 ? -1 : 2));
    }
    rows.row_offsets.push_back(count);
    data = Dataset(std::move(rows));
    data.targets = targets;
    const auto decided = [&](const char* memory) {
        BegunControl control;
        const Model model =
            learn("kernel_ridge", data,
                  {{"kernel", "linear"}, {"C", "100"}, {"memory_mb", memory}, {"landmarks", "50"}});
        return decisions(model, data, control);
    };
    const auto whole = decided("200");
    const auto few = decided("20");
    for (Index i = 0; i < count; ++i) EXPECT_NEAR(few[i], whole[i], 1e-4);
}

TEST(Falkon, ThreadsDoNotMatter) {
    const Dataset data = waves(700, 27);
    BegunControl control;
    const std::vector<std::pair<std::string, std::string>> parameters{
        {"C", "10"}, {"solver", "falkon"}, {"landmarks", "300"}};
    EXPECT_EQ(decisions(learn("kernel_ridge", data, parameters, 1), data, control),
              decisions(learn("kernel_ridge", data, parameters, 3), data, control));
}

TEST(Falkon, KernelsThatTellRowsFromTheirCopiesAreRefused) {
    Dataset data = waves(60, 30);
    message_of(Status::unsupported, [&] {
        learn("kernel_ridge", data,
              {{"solver", "falkon"}, {"kernel", "poly(degree=3, coef0=-1)"}, {"spectrum", "shift"}});
    });
}

}  // namespace
}  // namespace dk::test::falkon_test
