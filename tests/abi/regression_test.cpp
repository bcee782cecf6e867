// SPDX-License-Identifier: Apache-2.0
// These tests use regressions and novelty detectors through the interface that classifiers have.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"

namespace dk_test::regression_test {
namespace {

Problem made_problem(int64_t rows) {
    return make_problem(rows, 2, 2, 1.0, 8);
}

std::vector<double> targets_of(const Problem& problem) {
    std::vector<double> targets;
    for (int64_t i = 0; i < problem.rows; ++i)
        targets.push_back(std::sin(problem.x[static_cast<std::size_t>(2 * i)]) + 3);
    return targets;
}

class Regression : public testing::Test {
  protected:
    Model train_svr(const std::string& settings) const {
        return create<Model>(dk_train, data.get(), parameters("svr", settings).get(), nullptr);
    }
    const Problem problem = made_problem(200);
    const std::vector<double> targets = targets_of(problem);
    const Data data = [this] {
        Data made = create<Data>(dk_data_from_dense, problem.x.data(), problem.rows, problem.cols,
                                 problem.cols, DK_ROW_MAJOR);
        check(dk_data_set_targets(made.get(), targets.data(), problem.rows));
        return made;
    }();
};

TEST_F(Regression, PredictsValuesWithinTheTube) {
    const Model model = train_svr("C=1000 epsilon=0.05 tolerance=1e-6 kernel=rbf(gamma=0.5)");
    EXPECT_EQ(dk_model_class_count(model.get()), 0);
    EXPECT_EQ(dk_model_task(model.get()), DK_TASK_REGRESSION);
    EXPECT_EQ(dk_params_task(parameters("svr").get()), DK_TASK_REGRESSION);
    EXPECT_EQ(dk_params_task(parameters("one_class_svm").get()), DK_TASK_NOVELTY);
    EXPECT_EQ(dk_params_task(parameters("cvm").get()), DK_TASK_CLASSIFICATION);
    EXPECT_EQ(dk_model_decision_count(model.get()), 1);
    const auto predicted = values_of<double>(200, dk_predict, model.get(), data.get(), nullptr);
    const auto decided = values_of<double>(200, dk_decision, model.get(), data.get(), nullptr);
    EXPECT_TRUE(same_bits(predicted, decided));
    for (std::size_t i = 0; i < targets.size(); ++i) EXPECT_NEAR(predicted[i], targets[i], 0.051);
    const auto info = nlohmann::json::parse(text_of(dk_model_info, model.get()));
    EXPECT_EQ(info.at("task"), "regression");
}

TEST_F(Regression, MetricsAreThoseOfValues) {
    const Model model = train_svr("C=1 epsilon=0.2 kernel=linear");
    const auto predicted = values_of<double>(200, dk_predict, model.get(), data.get(), nullptr);
    double absolute = 0;
    double squared = 0;
    double mean = 0;
    for (const double y : targets) mean += y / 200;
    double deviation = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        absolute += std::abs(predicted[i] - targets[i]) / 200;
        squared += (predicted[i] - targets[i]) * (predicted[i] - targets[i]);
        deviation += (targets[i] - mean) * (targets[i] - mean);
    }
    const auto score = [&](const char* metric) {
        double value = 0;
        check(dk_score(&value, model.get(), data.get(), metric, nullptr));
        return value;
    };
    EXPECT_NEAR(score("mae"), absolute, 1e-12);
    EXPECT_NEAR(score("rmse"), std::sqrt(squared / 200), 1e-12);
    EXPECT_NEAR(score("r2"), 1 - squared / deviation, 1e-12);
    double value = 7;
    expect_failure_in([&] { return dk_score(&value, model.get(), data.get(), "accuracy", nullptr); },
                      {DK_ERR_UNSUPPORTED}, {"accuracy", "rmse"});
    std::vector<int64_t> counts(4);
    expect_failure_in([&] { return dk_confusion(counts.data(), 0, model.get(), data.get(), nullptr); },
                      {DK_ERR_UNSUPPORTED, DK_ERR_INVALID_ARGUMENT}, {});
}

/// Where nobody says what errors cost, they are counted in deviations of the targets: whoever measures in
/// other units gets the same function in these units (the program's arithmetic, times s).
TEST_F(Regression, InOtherUnitsIsTheSameByDefault) {
    for (const char* machine : {"svr", "nu_svr", "quantile_regression"}) {
        const std::string settings = "kernel=rbf(gamma=0.5) tolerance=1e-9";
        const auto predicted = [&](double unit, const std::string& more) {
            std::vector<double> scaled = targets;
            for (double& target : scaled) target *= unit;
            const Data rows = create<Data>(dk_data_from_dense, problem.x.data(), problem.rows, problem.cols,
                                           problem.cols, DK_ROW_MAJOR);
            check(dk_data_set_targets(rows.get(), scaled.data(), problem.rows));
            const Model model =
                create<Model>(dk_train, rows.get(), parameters(machine, settings + more).get(), nullptr);
            auto values = values_of<double>(200, dk_predict, model.get(), rows.get(), nullptr);
            for (double& value : values) value /= unit;
            return values;
        };
        const auto in_metres = predicted(1, "");
        for (const double unit : {1e-6, 39.37, 1e7, 1e-120, 1e120}) {
            const auto in_unit = predicted(unit, "");
            for (std::size_t i = 0; i < targets.size(); ++i)
                ASSERT_NEAR(in_unit[i], in_metres[i], 1e-5) << machine << ", unit " << unit;
        }
        EXPECT_FALSE(same_bits(predicted(1, " C=1"), in_metres)) << machine << ": a number is in the unit";
    }
}

TEST_F(Regression, CostsAndWidthsAreNumbersOrMultiplesOfTheDeviation) {
    const Params made = parameters("svr");
    for (const auto& [key, value] : {std::pair{"C", "0"},
                                     {"C", "-1"},
                                     {"C", "nan"},
                                     {"C", "much"},
                                     {"C", "2deviation"},
                                     {"C", "0*deviation"},
                                     {"C", "x*deviation"},
                                     {"epsilon", "-1*deviation"},
                                     {"C", ""},
                                     {"epsilon", "-0.1"},
                                     {"epsilon", "inf"}}) {
        EXPECT_EQ(dk_params_set(made.get(), key, value), DK_ERR_INVALID_PARAMETER) << key << "=" << value;
        EXPECT_NE(std::string(dk_last_error()).find("a multiple of the targets' deviation"),
                  std::string::npos);
    }
    const auto info =
        nlohmann::json::parse(text_of(dk_model_info, train_svr("C=2*deviation epsilon=0.2").get()));
    EXPECT_EQ(info.at("training").at("functions").at(0).at("epsilon"), 0.2);
    EXPECT_GT(info.at("training").at("functions").at(0).at("C"), 0.1);
}

TEST_F(Regression, NeedsTargetsAndHasNoProbabilities) {
    const Data bare = create<Data>(dk_data_from_dense, problem.x.data(), problem.rows, problem.cols,
                                   problem.cols, DK_ROW_MAJOR);
    dk_model* out = nullptr;
    expect_failure_in([&] { return dk_train(&out, bare.get(), parameters("svr").get(), nullptr); },
                      {DK_ERR_INVALID_DATA}, {"targets"});
    expect_failure_in(
        [&] { return dk_train(&out, data.get(), parameters("svr", "probability=yes").get(), nullptr); },
        {DK_ERR_UNSUPPORTED}, {"svr"});
    // Integer labels are targets where there are no others.
    check(dk_data_set_labels(bare.get(), problem.labels.data(), problem.rows));
    EXPECT_NE(create<Model>(dk_train, bare.get(), parameters("svr").get(), nullptr), nullptr);
}

TEST_F(Regression, GridsAreJudgedByErrors) {
    const Params params = parameters("svr", "folds=4 grid=C=0.001:10;kernel=[rbf(gamma=0.5),linear]");
    const Model model = create<Model>(dk_cross_validate, data.get(), params.get(), nullptr);
    const auto report = nlohmann::json::parse(text_of(dk_model_info, model.get())).at("cross_validation");
    EXPECT_EQ(report.at("select"), "rmse");
    const auto& candidates = report.at("candidates");
    ASSERT_EQ(candidates.size(), 4U);
    std::size_t best = 0;
    for (std::size_t c = 0; c < 4; ++c) {
        const auto error = [&](std::size_t k) {
            return candidates.at(k).at("metrics").at("rmse").at("mean").get<double>();
        };
        if (error(c) < error(best)) best = c;
    }
    EXPECT_EQ(report.at("best"), best);
    EXPECT_EQ(candidates.at(best).at("parameters").at("C"), "10");
}

TEST(Novelty, TellsRowsLikeTheTrainingRows) {
    const Problem problem = made_problem(300);
    const Data data = create<Data>(dk_data_from_dense, problem.x.data(), problem.rows, problem.cols,
                                   problem.cols, DK_ROW_MAJOR);
    const Params params = parameters("one_class_svm", "nu=0.1 kernel=rbf(gamma=0.5) tolerance=1e-6");
    const Model model = create<Model>(dk_train, data.get(), params.get(), nullptr);
    EXPECT_EQ(values_of<int64_t>(2, dk_model_classes, model.get()), (std::vector<int64_t>{-1, 1}));
    const auto predicted = values_of<double>(300, dk_predict, model.get(), data.get(), nullptr);
    const auto outside = std::count(predicted.begin(), predicted.end(), -1.0);
    EXPECT_GT(outside, 10);
    // At most nu n rows are outside, and at least nu n are outside or on the edge, where the solution leaves
    // them anywhere within its tolerance.
    constexpr double edge = 2e-6;
    const std::vector<double> values = decisions(model, data);
    const auto beyond = std::ranges::count_if(values, [](double value) { return value < -edge; });
    const auto inside = std::ranges::count_if(values, [](double value) { return value > edge; });
    EXPECT_LE(beyond, 30);
    EXPECT_LE(inside, 300 - 30);
    EXPECT_GE(outside, beyond);
    EXPECT_LE(outside, 300 - inside);
    const std::vector<double> far{40, 40, -30, 5};
    const Data strangers =
        create<Data>(dk_data_from_dense, far.data(), int64_t{2}, int64_t{2}, int64_t{2}, DK_ROW_MAJOR);
    EXPECT_EQ(values_of<double>(2, dk_predict, model.get(), strangers.get(), nullptr),
              (std::vector<double>{-1, -1}));
}

}  // namespace
}  // namespace dk_test::regression_test
