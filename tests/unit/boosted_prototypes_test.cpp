// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "trained.hpp"

namespace dk::test::boosted_prototypes_test {
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

/// The rows of the worked example, the first three of which are of the positive class.
Dataset worked_rows() {
    return with_labels(dense(7, 2, {2, 0, 3, 1, 2, 2, 0, 0, -1, 1, -1, -1, 0.5, 3}), {1, 1, 1, 0, 0, 0, 0});
}

struct WorkedStep {
    const char* steps;
    std::array<double, 2> positive;
    std::array<double, 2> negative;
    std::array<double, 2> normal;
    double offset;
};

/// Three values of a linear function tell it.
std::array<double, 2> normal_of(const Model& model, double& offset) {
    const auto f = decided(model, dense(3, 2, {0, 0, 1, 0, 0, 1}));
    offset = f[0];
    return {f[1] - f[0], f[2] - f[0]};
}

TEST(BoostedPrototypes, AveragesOfThePaperAreThoseOfTheWorkedExample) {
    const Dataset data = worked_rows();
    for (const WorkedStep& known : {
             WorkedStep{"1", {7.0 / 3, 1}, {-0.375, 0.75}, {0.9957666790, 0.0919169242}, -1.0561234953},
             WorkedStep{"2",
                        {2.3324339277, 0.9997499317},
                        {-0.3730429596, 0.7534843415},
                        {0.9958821343, 0.0906485094},
                        -1.0557956759},
             WorkedStep{"10",
                        {2.3252937527, 0.9978862712},
                        {-0.3574667379, 0.7811155129},
                        {0.9967286737, 0.0804881358},
                        -1.0528767486},
             WorkedStep{"100",
                        {2.2533546779, 0.9962568934},
                        {-0.2024810716, 1.0439468027},
                        {0.9978141892, -0.0227850012},
                        -0.9954025063},
         }) {
        SCOPED_TRACE(known.steps);
        const Model model = trained("boosted", data,
                                    {{"kernel", "linear"},
                                     {"averaging", "paper"},
                                     {"C", "0"},
                                     {"epsilon", "0.1"},
                                     {"max_iterations", known.steps}});
        std::vector<double> points(4);
        prototype_coordinates(model, points);
        double offset = 0;
        const auto w = normal_of(model, offset);
        for (std::size_t c = 0; c < 2; ++c) {
            EXPECT_NEAR(points[c], known.positive[c], 1e-9);
            EXPECT_NEAR(points[2 + c], known.negative[c], 1e-9);
            EXPECT_NEAR(w[c], known.normal[c], 1e-9);
        }
        EXPECT_NEAR(offset, known.offset, 1e-9);
        // The coefficients of each prototype are at least 0 and sum to 1.
        const auto coefficients_of_rows = coefficients(model);
        for (Index p = 0; p < 2; ++p) {
            double sum = 0;
            for (Index i = 0; i < 7; ++i) {
                EXPECT_GE(coefficients_of_rows[7 * p + i], 0);
                sum += coefficients_of_rows[7 * p + i];
            }
            EXPECT_NEAR(sum, 1, 1e-12);
        }
        // |w| is in the units of the rows, and a mean of vectors of length 1 is no longer than that.
        const double length = model.predictor->prototypes().norms.front();
        EXPECT_NEAR(length, std::hypot(w[0], w[1]), 1e-9);
        EXPECT_LE(length, 1 + 1e-12);
    }
}

TEST(BoostedPrototypes, AveragesOfThePaperComeToTheHardMargin) {
    const Dataset data = worked_rows();
    const Model model = trained("boosted", data,
                                {{"kernel", "linear"},
                                 {"averaging", "paper"},
                                 {"C", "0"},
                                 {"epsilon", "0.1"},
                                 {"max_iterations", "10000"}});
    std::vector<double> points(4);
    prototype_coordinates(model, points);
    EXPECT_NEAR(std::hypot(points[0] - 2, points[1] - 2), 0.066, 6e-4);
    EXPECT_NEAR(std::hypot(points[2] - 0.3783783784, points[3] - 2.2702702703), 0.073, 6e-4);
}

TEST(BoostedPrototypes, CentringMovesTheWayAndNotTheEnd) {
    const Dataset data = blobs(40, 3, 2, 6, 91);
    const auto direction = [&](const char* centre) {
        const Model model = trained("boosted", data,
                                    {{"kernel", "linear"},
                                     {"averaging", "paper"},
                                     {"C", "1"},
                                     {"centre", centre},
                                     {"max_iterations", "20000"}});
        auto f = decided(model, dense(4, 3, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
        Vector w(3);
        for (Index c = 0; c < 3; ++c) w[c] = f[c + 1] - f[0];
        return Vector(w / w.norm());
    };
    EXPECT_LT((direction("yes") - direction("no")).norm(), 0.05);
}

}  // namespace
}  // namespace dk::test::boosted_prototypes_test
