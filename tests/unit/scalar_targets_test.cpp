// SPDX-License-Identifier: Apache-2.0
// With targets=scalar one function is fitted to the numbers of the classes, and the nearest number predicts
// (the program of Afzal's thesis, Deep learning in kernel machines, 2018, chapter 5).
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "pipeline/score.hpp"
#include "trained.hpp"

namespace dk::test::scalar_targets_test {
namespace {

/// Classes are steps along the first column, with labels that are no numbers of theirs.
Dataset steps(Index rows, std::uint64_t seed, Index classes) {
    Dataset data = random_dense(rows, 3, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        const double place = std::clamp(data.dense().row(i)[0] + 1.5, 0.0, 2.999) / 3;
        labels.push_back(10 * static_cast<std::int64_t>(place * static_cast<double>(classes)) + 7);
    }
    return with_labels(std::move(data), labels);
}

std::vector<std::int64_t> predicted_values(const Model& model, const Dataset& data) {
    BegunControl control;
    std::vector<std::int64_t> values;
    for (const double value : predictions(model, data, control))
        values.push_back(static_cast<std::int64_t>(value));
    return values;
}

/// The same rows with the number of the class as the target of a regression.
Dataset with_numbers(const Dataset& data) {
    Dataset numbers = data;
    numbers.labels.reset();
    for (const Index c : data.labels->of_rows) numbers.targets.push_back(static_cast<double>(c + 1));
    return numbers;
}

class ScalarTargets : public testing::TestWithParam<std::tuple<Index, const char*>> {};

TEST_P(ScalarTargets, PredictTheNumberNearestToARegression) {
    const auto [classes, offset] = GetParam();
    const Dataset data = steps(120, 3, classes);
    const Dataset others = steps(60, 4, classes);
    const std::vector<Setting> settings{{"kernel", "rbf(gamma=0.3)"}, {"C", "10"}, {"offset", offset}};
    std::vector<Setting> scalar = settings;
    scalar.emplace_back("targets", "scalar");
    const Model model = trained("kelm", data, scalar);
    const auto f = decided(trained("kernel_ridge", with_numbers(data), settings), others);
    const auto decisions = decided(model, others);
    const auto predicted = predicted_values(model, others);
    for (Index i = 0; i < others.rows(); ++i) {
        const double nearest = std::clamp(std::round(f[i]), 1.0, static_cast<double>(classes));
        EXPECT_EQ(predicted[i], 10 * (static_cast<std::int64_t>(nearest) - 1) + 7) << f[i];
        if (classes == 2) {
            EXPECT_NEAR(decisions[i], f[i] - 1.5, 1e-10);
            continue;
        }
        for (Index c = 0; c + 1 < classes; ++c) {
            const double border = static_cast<double>(c) + 1.5;
            EXPECT_NEAR(decisions[i * classes + c + 1] - decisions[i * classes + c], f[i] - border, 1e-9);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Classes, ScalarTargets,
                         testing::Combine(testing::Values(2, 3, 5), testing::Values("no", "yes")));

TEST(ScalarTargetsLeftOut, AreWrongAsModelsOfTheOthersAre) {
    const Dataset data = steps(40, 5, 4);
    const std::vector<Setting> settings{{"kernel", "rbf(gamma=0.2)"}, {"C", "2"}, {"targets", "scalar"}};
    std::vector<Setting> asking = settings;
    asking.emplace_back("leave_one_out", "yes");
    const auto report = nlohmann::json::parse(trained("kelm", data, asking).training_report);
    Index right = 0;
    for (Index left = 0; left < data.rows(); ++left) {
        std::vector<Index> rest;
        for (Index i = 0; i < data.rows(); ++i) {
            if (i != left) rest.push_back(i);
        }
        const Model model = trained("kelm", data.select(rest), settings);
        const Dataset row = data.select(std::vector<Index>{left});
        if (predicted_values(model, row).front() == data.labels->values[data.labels->of_rows[left]]) ++right;
    }
    EXPECT_DOUBLE_EQ(report["leave_one_out_accuracy"].get<double>(),
                     static_cast<double>(right) / static_cast<double>(data.rows()));
}

TEST(ScalarTargetsOfNodes, AreLearnedByExtremeLearningMachines) {
    const Dataset data = steps(150, 6, 3);
    const Model model =
        trained("elm", data, {{"kernel", "rbf(gamma=0.3)"}, {"C", "100"}, {"targets", "scalar"}});
    EXPECT_EQ(model.predictor->decision_count(), 3);
    const auto predicted = predicted_values(model, data);
    Index right = 0;
    for (Index i = 0; i < data.rows(); ++i)
        right += predicted[i] == data.labels->values[data.labels->of_rows[i]] ? 1 : 0;
    EXPECT_GT(right, 120);  // Steps along a column are what one function can tell.
}

}  // namespace
}  // namespace dk::test::scalar_targets_test
