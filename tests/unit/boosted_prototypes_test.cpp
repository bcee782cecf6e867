// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/model.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test {
namespace {

/// Makes two classes that an ellipse separates, some way apart.
Dataset two_classes(Index rows, std::uint64_t seed, double apart) {
    auto values = normal_values(rows * 3, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 3 == 0 ? 1 : 0);
        values[3 * i] += apart * static_cast<double>(labels.back());
    }
    return with_labels(dense(rows, 3, values), labels);
}

Model learn(const std::string& machine, const Dataset& data, const std::string& kernel,
            const std::vector<std::pair<std::string, std::string>>& parameters) {
    BegunControl control;
    auto settings = default_specification(machine);
    set_parameter(settings, "kernel", kernel);
    for (const auto& [key, value] : parameters) set_parameter(settings, key, value);
    return train(data, settings, control);
}

nlohmann::json report_of(const Model& model) {
    return nlohmann::json::parse(model.training_report).at("functions").at(0);
}

TEST(BoostedPrototypes, TheMarginIsTheHardMarginMachines) {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        const Dataset data = two_classes(60, seed, 0.5);
        for (const char* kernel : {"rbf(gamma=1)", "laplacian(gamma=0.5)"}) {
            const Model exact = learn("svm", data, kernel, {{"loss", "hard"}, {"tolerance", "1e-7"}});
            const Model boosted = learn("boosted", data, kernel, {{"C", "0"}, {"max_iterations", "300000"}});
            const double margin = report_of(exact).at("margin").get<double>();
            const auto report = report_of(boosted);
            EXPECT_TRUE(report.at("converged").get<bool>()) << kernel;
            EXPECT_GE(report.at("margin").get<double>(), (1 - 1e-3) * margin) << kernel;
            EXPECT_LE(report.at("margin").get<double>(), margin * (1 + 1e-6)) << kernel;
            EXPECT_GE(report.at("margin_bound").get<double>(), margin * (1 - 1e-6)) << kernel;
        }
    }
}

TEST(BoostedPrototypes, SlackIsASquaredHingeWithoutPenaltyOnTheOffset) {
    // With K + I / C the hard margin is that of the 2-norm machine, whose margin is 1 / |w|.
    const Dataset data = two_classes(80, 5, 1.5);
    for (const char* cost : {"0.5", "20"}) {
        const Model exact = learn("svm", data, "rbf(gamma=0.3)",
                                  {{"loss", "squared_hinge"}, {"C", cost}, {"tolerance", "1e-8"}});
        const Model boosted =
            learn("boosted", data, "rbf(gamma=0.3)", {{"C", cost}, {"max_iterations", "300000"}});
        const double objective = -report_of(exact).at("objective").get<double>();
        // The optimum of 1/2 |w|^2 + C/2 sum xi^2 is 1 / (2 margin^2).
        const double margin = 1 / std::sqrt(2 * objective);
        EXPECT_TRUE(report_of(boosted).at("converged").get<bool>());
        EXPECT_NEAR(report_of(boosted).at("margin").get<double>(), margin, 1e-3 * margin) << cost;
        BegunControl control;
        const auto expected = decisions(exact, data, control);
        const auto found = decisions(boosted, data, control);
        int differences = 0;
        for (std::size_t i = 0; i < found.size(); ++i) differences += (expected[i] > 0) != (found[i] > 0);
        EXPECT_LE(differences, 2) << cost;
    }
}

TEST(BoostedPrototypes, TheFirstStepIsTheMeanOfClass) {
    const Dataset data = two_classes(40, 6, 1);
    const Model means = learn("mean_of_class", data, "rbf(gamma=0.5)", {});
    const Model boosted = learn("boosted", data, "rbf(gamma=0.5)", {{"C", "0"}, {"max_iterations", "1"}});
    EXPECT_FALSE(report_of(boosted).at("converged").get<bool>());
    std::vector<double> expected(2 * data.rows());
    std::vector<double> found(expected.size());
    means.predictor->prototype_coefficients(expected.data());
    boosted.predictor->prototype_coefficients(found.data());
    for (std::size_t e = 0; e < found.size(); ++e) EXPECT_NEAR(found[e], expected[e], 1e-14);
}

TEST(BoostedPrototypes, ShiftIsNothingAtTheOptimum) {
    const Dataset data = two_classes(50, 7, 1);
    const Model boosted = learn("boosted", data, "rbf(gamma=1)", {{"C", "0"}, {"max_iterations", "300000"}});
    const auto& prototypes = boosted.predictor->prototypes();
    EXPECT_NEAR(prototypes.shifts.front(), 0, 0.01 * prototypes.squared_norms.front());
}

TEST(BoostedPrototypes, ClassesThatMeetHaveNoMarginAndNeedSlack) {
    const Dataset data = two_classes(60, 8, 0);
    const Model model = learn("boosted", data, "linear", {{"C", "0"}, {"max_iterations", "20000"}});
    EXPECT_FALSE(report_of(model).at("converged").get<bool>());
    EXPECT_LE(report_of(model).at("margin").get<double>(), 0);
    const Dataset equal = with_labels(dense(3, 1, {1, 1, 2}), {0, 1, 1});
    const Dataset same = with_labels(dense(4, 1, {1, 1, 2, 2}), {0, 1, 1, 0});
    const auto message = message_of(Status::numerical, [&] {
        learn("boosted", same, "rbf(gamma=1)", {{"C", "0"}});
    });
    EXPECT_NE(message.find("C"), std::string::npos);
    EXPECT_TRUE(report_of(learn("boosted", same, "rbf(gamma=1)", {{"C", "1"}})).at("converged").get<bool>());
    EXPECT_TRUE(report_of(learn("boosted", equal, "rbf(gamma=1)", {{"C", "1"}})).at("converged").get<bool>());
}

TEST(BoostedPrototypes, StopsAtItsLimitWithTheBracket) {
    for (const char* limit : {"1", "63", "64", "65", "128"}) {
        const Model model = learn("boosted", two_classes(60, 9, 0.2), "rbf(gamma=2)",
                                  {{"C", "0"}, {"max_iterations", limit}});
        const auto report = report_of(model);
        EXPECT_FALSE(report.at("converged").get<bool>());
        EXPECT_LE(report.at("margin").get<double>(), report.at("margin_bound").get<double>());
        EXPECT_GT(report.at("margin_bound").get<double>(), 0);
    }
}

}  // namespace
}  // namespace dk::test
