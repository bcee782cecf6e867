// SPDX-License-Identifier: Apache-2.0
// Kernels tuned by gradient: goals by their definitions, gradients by differences, and what grids find.
#include "machine/ridge/kernel_tuning.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernel/language/adjustable_text.hpp"
#include "machine/ridge/ridge_fit.hpp"
#include "machine/single_function.hpp"
#include "trained.hpp"

namespace dk::test::kernel_tuning_test {
namespace {

/// Noisy waves, whose width is about 1.
Dataset waves(Index rows, std::uint64_t seed) {
    Dataset data = random_dense(rows, 2, seed);
    const auto noise = normal_values(rows, seed + 1);
    for (Index i = 0; i < rows; ++i) {
        const auto x = data.dense().row(i);
        data.targets.push_back(100 * (std::sin(2 * x[0]) + 0.5 * x[1] + 0.1 * noise[i]));
    }
    return data;
}

/// A tuning of one kernel, with what it refers to.
struct Tuned {
    Tuned(const Dataset& data, const std::string& text, const std::string& cost, const Matrix& targets,
          TuningGoal goal)
        : kernel(make_kernel(text, data)),
          bank{kernel},
          parameters("machine kelm", with_tuning(ridge_parameters())),
          problem{data, kernel, bank, parameters, Precision::real64, MemoryBudget(0), control},
          tuning(problem, targets, goal) {
        parameters.set("C", cost);
    }

    BegunControl control{2};
    KernelPointer kernel;
    Bank bank;
    Parameters parameters;
    TrainingProblem problem;
    RidgeTuning tuning;
};

Matrix column(const std::vector<double>& values) {
    return Eigen::Map<const Matrix>(values.data(), std::ssize(values), 1);
}

Eigen::MatrixXd matrix_with_ridge(const KernelPointer& kernel, const Dataset& data, double ridge) {
    const auto values = gram_matrix(kernel, data, data);
    Eigen::MatrixXd A = Eigen::Map<const Eigen::MatrixXd>(values.data(), data.rows(), data.rows());
    A.diagonal().array() += ridge;
    return A;
}

TEST(AdjustableText, FindsTheNumbersAndWritesOthers) {
    const std::string text = "0.5*rbf(gamma=0.25) + on(0:2, poly(degree=3,gamma=2,coef0=1)) + exp(linear)";
    const auto numbers = adjustable_numbers(text);
    ASSERT_GE(numbers.size(), 2U);
    EXPECT_EQ(numbers[0].name, "rbf.gamma");
    EXPECT_EQ(numbers[0].value, 0.25);
    EXPECT_EQ(numbers[1].name, "poly.gamma");
    EXPECT_EQ(text.substr(numbers[1].begin, numbers[1].length), "2");
    std::vector<double> values;
    for (const AdjustableNumber& number : numbers) values.push_back(number.value);
    values[0] = 7;
    values[1] = 0.125;
    const std::string other = with_values(text, numbers, values);
    EXPECT_NE(other.find("rbf(gamma=7)"), std::string::npos) << other;
    EXPECT_NE(other.find("degree=3"), std::string::npos) << other;
    EXPECT_NE(other.find("gamma=0.125"), std::string::npos) << other;
    // Biases of 0 have no logarithm, and integers do not move.
    for (const AdjustableNumber& number : adjustable_numbers("arccos(1,bias_variance=0)"))
        EXPECT_NE(number.name, "arccos.bias_variance");
}

TEST(KernelTuning, GoalsAreThoseOfTheirDefinitions) {
    const Dataset data = waves(25, 41);
    const Matrix targets = column(data.targets);
    const double ridge = 0.2;
    Tuned loo(data, "rbf(gamma=0.7)", "5", targets, TuningGoal::leave_one_out);
    const Eigen::MatrixXd A = matrix_with_ridge(loo.kernel, data, ridge);
    double squares = 0;
    for (Index left = 0; left < 25; ++left) {
        Eigen::MatrixXd others(24, 24);
        Eigen::VectorXd t(24);
        Eigen::VectorXd k(24);
        for (Index i = 0, r = 0; i < 25; ++i) {
            if (i == left) continue;
            for (Index j = 0, c = 0; j < 25; ++j) {
                if (j != left) others(r, c++) = A(i, j);
            }
            t[r] = targets(i, 0);
            k[r++] = A(left, i);
        }
        const double error = targets(left, 0) - k.dot(others.llt().solve(t));
        squares += error * error;
    }
    EXPECT_NEAR(loo.tuning.evaluate(loo.tuning.start()).value, squares / 25, 1e-9 * squares);

    // The evidence of the best scale, which a search finds.
    Tuned evidence(data, "rbf(gamma=0.7)", "5", targets, TuningGoal::evidence);
    const Eigen::VectorXd t = targets.col(0);
    const double square = t.dot(A.llt().solve(t));
    const Eigen::MatrixXd L = A.llt().matrixL();
    const auto negative_log = [&](double scale) {
        return 0.5 * square / scale + L.diagonal().array().log().sum() +
               12.5 * std::log(2 * 3.14159265358979323846 * scale);
    };
    double least = infinity;
    for (double scale = square / 25 / 1.5; scale < square / 25 * 1.5; scale *= 1.0001)
        least = std::min(least, negative_log(scale));
    EXPECT_NEAR(evidence.tuning.evaluate(evidence.tuning.start()).value, least / 25, 1e-7);
}

class KernelTuningGradient : public testing::TestWithParam<const char*> {};

TEST_P(KernelTuningGradient, IsThatOfDifferences) {
    const Dataset data = waves(40, 42);
    Matrix targets(40, 2);
    targets.col(0) = column(data.targets);
    targets.col(1) = targets.col(0).array().square().sqrt();
    for (const TuningGoal goal : {TuningGoal::leave_one_out, TuningGoal::evidence}) {
        Tuned tuned(data, GetParam(), "3", targets, goal);
        const Vector at = tuned.tuning.start();
        const TuningValue here = tuned.tuning.evaluate(at);
        ASSERT_EQ(here.gradient.size(), at.size());
        ASSERT_GE(at.size(), 2);
        for (Index k = 0; k < at.size(); ++k) {
            constexpr double step = 1e-4;
            Vector up = at;
            Vector down = at;
            up[k] += step;
            down[k] -= step;
            const double slope =
                (tuned.tuning.evaluate(up).value - tuned.tuning.evaluate(down).value) / (2 * step);
            EXPECT_NEAR(here.gradient[k], slope, 2e-6 * (std::abs(here.value) + std::abs(slope)))
                << "number " << k;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelTuningGradient,
                         testing::Values("rbf(gamma=0.5)", "0.3*rbf(gamma=2) + laplacian(gamma=0.2)",
                                         "arccos(1,1, weight_variance=1.5, bias_variance=0.3)",
                                         "neural_tangent(depth=2, bias_variance=0.2)"));

std::string tuning_kernel(const Model& model) {
    return nlohmann::json::parse(model.training_report).at("tuning").at(0).at("kernel");
}

TEST(KernelTuning, FindsWhatAGridFinds) {
    const Dataset data = waves(80, 43);
    const Matrix targets = column(data.targets);
    for (const auto& [name, goal] : {std::pair{"leave_one_out", TuningGoal::leave_one_out},
                                     std::pair{"evidence", TuningGoal::evidence}}) {
        const Model model =
            trained("kernel_ridge", data, {{"kernel", "rbf(gamma=30)"}, {"C", "1"}, {"tune_kernel", name}});
        const auto report = nlohmann::json::parse(model.training_report);
        const double found = report.at("tuning").at(0).at("goal").get<double>();
        Tuned tuned(data, "rbf(gamma=1)", "1", targets, goal);
        double least = infinity;
        for (double gamma = -4; gamma < 4; gamma += 0.25) {
            for (double ridge = -9; ridge < 3; ridge += 0.25) {
                Vector at(2);
                at << gamma, ridge;
                least = std::min(least, tuned.tuning.evaluate(at).value);
            }
        }
        EXPECT_LE(found, least + 1e-6 * std::abs(least)) << name;
        EXPECT_EQ(model.kernel, tuning_kernel(model));
        ASSERT_EQ(model.kernels.size(), 1U);
        EXPECT_EQ(model.kernels[0], model.kernel);
        EXPECT_EQ(model.kernel_weights, std::vector<double>{1});
    }
}

TEST(KernelTuning, OfClassesLowersTheLeaveOneOutError) {
    const Dataset data = blobs(90, 3, 3, 1.2, 44);
    const auto error_of = [&](const char* goal) {
        const Model model = trained(
            "kelm", data, {{"kernel", "rbf(gamma=20)"}, {"leave_one_out", "yes"}, {"tune_kernel", goal}});
        return nlohmann::json::parse(model.training_report).at("leave_one_out_rmse").get<double>();
    };
    EXPECT_LT(error_of("leave_one_out"), 0.9 * error_of("no"));
    EXPECT_LE(error_of("leave_one_out"), error_of("evidence") + 1e-6);
}

TEST(KernelTuning, NeedsKernelsThatTheirTextsTell) {
    const Dataset data = blobs(40, 3, 2, 1.2, 45);
    for (const char* kernel : {"lowrank(rbf,rank=5)", "center(rbf)", "[rbf(gamma=1),linear]"}) {
        message_of(Status::unsupported, [&] {
            trained("kelm", data, {{"kernel", kernel}, {"tune_kernel", "evidence"}});
        });
    }
    message_of(Status::unsupported, [&] {
        trained("kelm", data, {{"select_C", "yes"}, {"tune_kernel", "evidence"}});
    });
    message_of(Status::unsupported, [&] {
        trained("kelm", data, {{"offset", "yes"}, {"tune_kernel", "leave_one_out"}});
    });
}

}  // namespace
}  // namespace dk::test::kernel_tuning_test
