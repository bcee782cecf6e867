// SPDX-License-Identifier: Apache-2.0
// A cross-validation says what is scored without looking at features, and training refuses what only a
// cross-validation does.
#include <cmath>
#include <nlohmann/json.hpp>

#include "expectations.hpp"

namespace dk_test::baseline_test {
namespace {

nlohmann::json validation_of(const Data& data, const char* machine, const std::string& settings) {
    const Model model =
        create<Model>(dk_cross_validate, data.get(), parameters(machine, settings).get(), nullptr);
    return nlohmann::json::parse(text_of(dk_model_info, model.get())).at("cross_validation");
}

TEST(Baseline, OfClassesIsTheShareOfTheMostFrequentOne) {
    Problem problem = make_problem(100, 3, 2, 2, 1);
    for (std::size_t i = 0; i < 100; ++i) problem.labels[i] = i % 10 < 7 ? 4 : 9;  // 70 of 100
    const auto validation = validation_of(dense(problem), "svm", "folds=10 kernel=linear");
    const auto& baseline = validation.at("baseline");
    EXPECT_NEAR(baseline.at("accuracy").at("mean").get<double>(), 0.7, 1e-12);
    EXPECT_NEAR(baseline.at("auc").at("mean").get<double>(), 0.5, 1e-12) << "it ranks nothing";
}

TEST(Baseline, OfValuesIsTheMeanOfTheOtherFolds) {
    const Problem problem = make_problem(41, 2, 2, 1, 2);
    const Data data = dense(problem);
    std::vector<double> targets;
    for (int64_t i = 0; i < 41; ++i) targets.push_back(i % 3 == 0 ? 10 : 0);
    check(dk_data_set_targets(data.get(), targets.data(), 41));
    const auto fold_of = values_of<int64_t>(41, dk_data_folds, data.get(), 3, 1);
    const auto validation = validation_of(data, "kernel_ridge", "folds=3 kernel=linear");
    const auto found = validation.at("baseline").at("rmse").at("folds").get<std::vector<double>>();
    ASSERT_EQ(found.size(), 3U);
    for (int64_t fold = 0; fold < 3; ++fold) {
        double sum = 0, others = 0, squares = 0, own = 0;
        for (std::size_t i = 0; i < 41; ++i) {
            if (fold_of[i] != fold) sum += targets[i], others += 1;
        }
        for (std::size_t i = 0; i < 41; ++i) {
            if (fold_of[i] == fold) squares += std::pow(targets[i] - sum / others, 2), own += 1;
        }
        EXPECT_NEAR(found[static_cast<std::size_t>(fold)], std::sqrt(squares / own), 1e-12);
    }
}

TEST(Folds, ThatHoldOutAClassAreNamedWithTheClass) {
    Problem problem = make_problem(21, 2, 2, 2, 4);
    problem.labels.assign(21, 1);
    std::fill_n(problem.labels.begin() + 10, 10, 2);
    problem.labels[20] = 7;
    dk_model* model = nullptr;
    const Data data = dense(problem);
    EXPECT_EQ(dk_cross_validate(&model, data.get(), parameters("svm", "folds=4").get(), nullptr),
              DK_ERR_INVALID_DATA);
    const std::string message = dk_last_error();
    EXPECT_NE(message.find("of folds=4 holds out all rows of class 7 (1)"), std::string::npos) << message;
    problem.labels[0] = 7;  // Two rows of a class are in two folds.
    validation_of(dense(problem), "svm", "folds=4");
}

TEST(TrainingAlone, RefusesWhatOnlyCrossValidationDoes) {
    const Data data = dense(make_problem(40, 2, 2, 1, 3));
    for (const std::string setting :
         {"grid=C=1:10", "select=auc", "repeats=2", "outer_folds=3", "halves=4"}) {
        dk_model* model = nullptr;
        EXPECT_EQ(dk_train(&model, data.get(), parameters("svm", setting).get(), nullptr),
                  DK_ERR_INVALID_PARAMETER);
        EXPECT_EQ(model, nullptr);
        const std::string message = dk_last_error();
        EXPECT_TRUE(message.starts_with(setting.substr(0, setting.find('=')))) << message;
        EXPECT_NE(message.find("dk_cross_validate"), std::string::npos) << message;
    }
    train(data, "svm", "grid= select=auto repeats=1 outer_folds=0 halves=0");
}

}  // namespace
}  // namespace dk_test::baseline_test
