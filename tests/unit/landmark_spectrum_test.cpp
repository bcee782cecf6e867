// SPDX-License-Identifier: Apache-2.0
#include "solve/landmarks/landmark_spectrum.hpp"

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "landmark_problem.hpp"
#include "trained.hpp"

namespace dk::test::landmark_spectrum_test {
namespace {

LandmarkSums sums_of(const LandmarkProblem& given) {
    LandmarkSums sums{.weight = static_cast<double>(given.rows.rows()),
                      .square = LargeMatrix(given.own.rows(), given.own.rows()),
                      .right = given.rows.transpose() * given.targets,
                      .values = given.rows.colwise().sum().transpose(),
                      .targets = given.targets.colwise().sum()};
    sums.square.view() = given.rows.transpose() * given.rows;
    return sums;
}

/// Predicts all rows by the solution of the normal equations, of all rows or of all but one. With an offset
/// they have a row and a column for it.
Matrix predicted(const LandmarkProblem& given, double ridge, bool offset, Index without = -1) {
    const Index m = given.own.rows();
    Matrix features = Matrix::Ones(given.rows.rows(), m + (offset ? 1 : 0));
    features.leftCols(m) = given.rows;
    Matrix used = features;
    if (without >= 0) used.row(without).setZero();
    Matrix system = used.transpose() * used;
    system.topLeftCorner(m, m) += ridge * given.own;
    return features * system.ldlt().solve(used.transpose() * given.targets);
}

TEST(LandmarkSpectrum, SolvesTheNormalEquationsForEveryRidge) {
    BegunControl control(2);
    for (const bool offset : {false, true}) {
        const LandmarkProblem given = landmark_problem(300, 25, 2, 41);
        const LandmarkSpectrum spectrum(given.own, sums_of(given), offset, control);
        for (const double ridge : {0.1, 3.0, 100.0}) {
            const auto found = spectrum.solve(ridge, control);
            Matrix ours = given.rows * found.coefficients;
            ours.rowwise() += found.offsets;
            EXPECT_LE((ours - predicted(given, ridge, offset)).cwiseAbs().maxCoeff(), 1e-6)
                << ridge << offset;
            if (!offset) {
                EXPECT_TRUE(found.offsets.isZero(0));
            }
        }
    }
}

TEST(LandmarkSpectrum, LeftOutRowsArePredictedAsWithoutThem) {
    BegunControl control(2);
    const LandmarkProblem given = landmark_problem(60, 12, 2, 43);
    const Matrix values = given.rows.transpose();
    const std::vector<double> ridges{0.5, 20};
    for (const bool offset : {false, true}) {
        const LandmarkSpectrum spectrum(given.own, sums_of(given), offset, control);
        const auto found = spectrum.left_out(spectrum.leverages(values, Vector::Ones(values.cols()), control),
                                             given.targets, ridges, control);
        for (std::size_t r = 0; r < ridges.size(); ++r) {
            for (Index i = 0; i < given.rows.rows(); ++i) {
                const Matrix without = predicted(given, ridges[r], offset, i);
                EXPECT_LE((found[r].row(i) - without.row(i)).cwiseAbs().maxCoeff(), 1e-7) << i;
            }
        }
    }
}

// Landmarks that are the same row, and others far from all, make a matrix of lower rank.
TEST(LandmarkSpectrum, LandmarksMayBeTheSameRow) {
    BegunControl control;
    LandmarkProblem given = landmark_problem(80, 10, 1, 47);
    given.own.row(1) = given.own.row(0);
    given.own.col(1) = given.own.col(0);
    given.rows.col(1) = given.rows.col(0);
    const auto found = LandmarkSpectrum(given.own, sums_of(given), false, control).solve(1, control);
    LandmarkProblem fewer = given;
    fewer.own = given.own.bottomRightCorner(9, 9);
    fewer.rows = given.rows.rightCols(9);
    const Matrix ours = given.rows * found.coefficients;
    EXPECT_LE((ours - predicted(fewer, 1, false)).cwiseAbs().maxCoeff(), 1e-6);
}

Model learn_by(const char* solver, const char* machine, const Dataset& data, bool select, int threads = 1) {
    BegunControl control(threads);
    auto settings = default_specification(machine);
    set_parameter(settings, "kernel", "rbf(gamma=0.3)");
    set_parameter(settings, "solver", solver);
    set_parameter(settings, "offset", "yes");
    set_parameter(settings, "landmarks", "150");
    set_parameter(settings, select ? "select_C" : "leave_one_out", "yes");
    return train(data, settings, control);
}

/// Gives a number of the report, which stands beside the functions or in the only one of them.
double reported(const Model& model, const char* key) {
    const auto report = nlohmann::json::parse(model.training_report);
    return (report.contains(key) ? report : report.at("functions").at(0)).at(key).get<double>();
}

// With all rows as landmarks it is the machine of the whole matrix, whose leave-one-out error is exact.
TEST(LandmarkRidge, WithAllRowsAsLandmarksItIsTheExactMachine) {
    // Targets with noise choose a C whose ridge is far above what rounding can tell.
    Dataset data = random_dense(150, 2, 51);
    const auto noise = normal_values(data.rows(), 57);
    for (Index i = 0; i < data.rows(); ++i)
        data.targets.push_back(10 + std::sin(2 * data.dense().row(i)[0]) + 0.3 * noise[i]);
    BegunControl control;
    for (const bool select : {false, true}) {
        const Model exact = learn_by("exact", "kernel_ridge", data, select);
        const Model landmarks = learn_by("falkon", "kernel_ridge", data, select);
        EXPECT_EQ(reported(landmarks, "landmarks"), 150);
        EXPECT_EQ(reported(landmarks, "C"), reported(exact, "C"));
        EXPECT_NEAR(reported(landmarks, "leave_one_out_rmse"), reported(exact, "leave_one_out_rmse"), 1e-6);
        const auto ours = decisions(landmarks, data, control);
        const auto theirs = decisions(exact, data, control);
        for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-5);
    }
}

TEST(LandmarkRidge, ClassesAreJudgedByTheirWrongRows) {
    const Dataset data = blobs(150, 3, 3, 1.2, 53, true);
    const Model exact = learn_by("exact", "kelm", data, true);
    const Model landmarks = learn_by("falkon", "kelm", data, true);
    EXPECT_EQ(reported(landmarks, "C"), reported(exact, "C"));
    EXPECT_EQ(reported(landmarks, "leave_one_out_accuracy"), reported(exact, "leave_one_out_accuracy"));
}

// Asking for the error must not change the model, whatever C.
TEST(LandmarkRidge, LeaveOneOutChangesNoPrediction) {
    const Dataset data = blobs(900, 3, 2, 1, 58, true);
    for (const char* cost : {"1", "1e6"}) {
        const auto of = [&](const char* judged) {
            return decided(trained("kelm", data,
                                   {{"kernel", "rbf(gamma=0.1)"},
                                    {"solver", "falkon"},
                                    {"landmarks", "100"},
                                    {"C", cost},
                                    {"leave_one_out", judged}}),
                           data);
        };
        EXPECT_EQ(of("yes"), of("no")) << cost;
    }
}

TEST(LandmarkRidge, ThreadsDoNotMatter) {
    const Dataset data = blobs(2500, 3, 3, 1.2, 55, true);
    BegunControl control;
    EXPECT_EQ(decisions(learn_by("falkon", "kelm", data, true, 1), data, control),
              decisions(learn_by("falkon", "kelm", data, true, 3), data, control));
}

}  // namespace
}  // namespace dk::test::landmark_spectrum_test
