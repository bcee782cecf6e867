// SPDX-License-Identifier: Apache-2.0
// Probabilities say how sure a model is. They do not change what it predicts.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "expectations.hpp"

namespace dk_test::calibration_test {
namespace {

/// Few rows of many columns of noise, which a linear machine separates and held-out folds predict by chance.
Problem noise_problem(int64_t rows, int64_t columns, uint64_t seed) {
    Problem problem{rows, columns, {}, {}};
    Random random(seed);
    for (int64_t i = 0; i < rows * columns; ++i) problem.x.push_back(random.uniform() - 0.5);
    for (int64_t i = 0; i < rows; ++i) problem.labels.push_back(i % 2);
    return problem;
}

int64_t right_by(const std::vector<double>& predicted, const Problem& problem) {
    int64_t right = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i)
        right += predicted[i] == static_cast<double>(problem.labels[i]) ? 1 : 0;
    return right;
}

int64_t right_by_largest(const std::vector<double>& probabilities, const Problem& problem) {
    int64_t right = 0;
    for (std::size_t i = 0; i < problem.labels.size(); ++i) {
        const int64_t larger = probabilities[2 * i + 1] > probabilities[2 * i] ? 1 : 0;
        right += larger == problem.labels[i] ? 1 : 0;
    }
    return right;
}

TEST(Calibration, NoModelThatIsRightOnAllTrainingRowsBecomesWrongByItsProbabilities) {
    int64_t separated = 0;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        const Problem problem = noise_problem(12 + 2 * static_cast<int64_t>(seed % 5), 40, seed);
        const Data data = dense(problem);
        const std::string settings = "kernel=linear C=100 neighbours=0";
        const Model plain = train(data, "svm", settings);
        if (right_by(predictions(plain, data), problem) < problem.rows) continue;
        ++separated;
        const Model probable = train(data, "svm", settings + " probability=yes");
        EXPECT_EQ(right_by(predictions(probable, data), problem), problem.rows) << seed;
        EXPECT_EQ(right_by_largest(probabilities(probable, data), problem), problem.rows) << seed;
    }
    EXPECT_GT(separated, 900);
}

TEST(Calibration, TheClassIsThatOfTheDecisionsUnlessProbabilitiesAreAskedFor) {
    const Problem problem = make_problem(150, 3, 3, 0.7, 4);
    const Data data = dense(problem);
    const Model plain = train(data, "svm", "kernel=rbf(gamma=0.5)");
    const Model probable = train(data, "svm", "kernel=rbf(gamma=0.5) probability=yes");
    EXPECT_EQ(predictions(probable, data), predictions(plain, data));
    const Model by_probability =
        train(data, "svm", "kernel=rbf(gamma=0.5) probability=yes elect=probability");
    const auto p = probabilities(by_probability, data);
    const auto classes = values_of<int64_t>(3, dk_model_classes, by_probability.get());
    const auto predicted = predictions(by_probability, data);
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        const auto of_row = p.begin() + 3 * static_cast<std::ptrdiff_t>(i);
        const auto largest = static_cast<std::size_t>(std::max_element(of_row, of_row + 3) - of_row);
        EXPECT_EQ(predicted[i], static_cast<double>(classes[largest]));
    }
}

TEST(Calibration, BalancedClassesStayBalanced) {
    // One row of ten is of the rare class, which overlaps the other one.
    Problem problem{400, 2, {}, {}};
    Random random(3);
    for (int64_t i = 0; i < problem.rows; ++i) {
        const bool rare = i % 10 == 0;
        problem.labels.push_back(rare ? 1 : 0);
        for (int64_t j = 0; j < 2; ++j)
            problem.x.push_back((rare ? 1.0 : 0.0) + random.uniform() + random.uniform() - 1);
    }
    const Data data = dense(problem);
    const std::string settings = "kernel=linear class_weight=balanced";
    const auto rare_ones = [](const std::vector<double>& predicted) {
        return std::ranges::count(predicted, 1.0);
    };
    const auto of_decisions = rare_ones(predictions(train(data, "svm", settings), data));
    const auto of_probabilities =
        rare_ones(predictions(train(data, "svm", settings + " probability=yes elect=probability"), data));
    EXPECT_GT(of_decisions, 50);
    EXPECT_NEAR(static_cast<double>(of_probabilities), static_cast<double>(of_decisions),
                0.25 * static_cast<double>(of_decisions));
}

TEST(Calibration, TheTrainingReportSaysWhatWasDone) {
    const Problem problem = noise_problem(20, 40, 1);
    const std::string info =
        text_of(dk_model_info, train(dense(problem), "svm", "kernel=linear probability=yes").get());
    EXPECT_NE(info.find("\"calibration\""), std::string::npos);
    EXPECT_NE(info.find("\"worse_than_chance\""), std::string::npos);
    EXPECT_NE(info.find("\"kept_on_their_sides\""), std::string::npos);
}

/// The mean negative logarithm of what the true classes have.
double log_loss(const Model& model, const Problem& problem) {
    const auto p = probabilities(model, unlabelled(problem));
    const int64_t classes = dk_model_class_count(model.get());
    const auto known = values_of<int64_t>(classes, dk_model_classes, model.get());
    double loss = 0;
    for (std::size_t i = 0; i < problem.labels.size(); ++i) {
        const auto c = std::ranges::find(known, problem.labels[i]) - known.begin();
        loss -=
            std::log(std::max(p[i * static_cast<std::size_t>(classes) + static_cast<std::size_t>(c)], 1e-15));
    }
    return loss / static_cast<double>(problem.rows);
}

TEST(Calibration, ByATemperatureIsOneNumberForAllFunctions) {
    const Problem problem = make_problem(120, 3, 2, 1.0, 5);
    const Data data = dense(problem);
    const Model model = train(data, "svm", "kernel=rbf(gamma=0.5) probability=yes calibration=temperature");
    const auto info = nlohmann::json::parse(text_of(dk_model_info, model.get()));
    const double temperature = info.at("training").at("calibration").at("temperature");
    EXPECT_GT(temperature, 0);
    const auto f = decisions(model, data);
    const auto p = probabilities(model, data);
    for (std::size_t i = 0; i < f.size(); ++i)
        EXPECT_NEAR(p[2 * i + 1], 1 / (1 + std::exp(-f[i] / temperature)), 1e-12);
}

TEST(Calibration, ByATemperatureIsBetterForManyClassesOfFewRows) {
    double by_temperature = 0;
    double by_sigmoids = 0;
    for (const uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
        const Data data = dense(make_problem(120, 15, 15, 2.5, seed));
        const Problem fresh = make_problem(600, 15, 15, 2.5, seed + 100);
        for (const std::string settings : {"multiclass=ovo", "multiclass=ovr"}) {
            const std::string common = settings + " kernel=rbf(gamma=0.03) C=10 probability=yes seed=1 ";
            by_temperature += log_loss(train(data, "svm", common + "calibration=temperature"), fresh);
            by_sigmoids += log_loss(train(data, "svm", common), fresh);
        }
    }
    EXPECT_LT(by_temperature, by_sigmoids);
}

TEST(ProbabilityScores, AreThoseOfThePredictedProbabilities) {
    for (const int64_t classes : {2, 3}) {
        const Problem problem = make_problem(120, 3, classes, 1.0, 91);
        const Data data = dense(problem);
        const Model model = train(data, "svm", "kernel=rbf(gamma=0.3) probability=yes");
        const auto p = values_of<double>(120 * classes, dk_probability, model.get(), data.get(), nullptr);
        double log_loss = 0;
        double brier = 0;
        for (std::size_t i = 0; i < 120; ++i) {
            const int64_t truth = (problem.labels[i] + 2) / 5;
            for (int64_t c = 0; c < classes; ++c) {
                const double of_class =
                    p[i * static_cast<std::size_t>(classes) + static_cast<std::size_t>(c)];
                if (c == truth) log_loss -= std::log(of_class) / 120;
                brier += std::pow(of_class - (c == truth ? 1 : 0), 2) / (classes == 2 ? 240 : 120);
            }
        }
        double found = 0;
        check(dk_score(&found, model.get(), data.get(), "log_loss", nullptr));
        EXPECT_NEAR(found, log_loss, 1e-12);
        check(dk_score(&found, model.get(), data.get(), "brier", nullptr));
        EXPECT_NEAR(found, brier, 1e-12);
    }
}

TEST(ProbabilityScores, AreOfModelsThatHaveProbabilities) {
    const Data data = dense(make_problem(60, 3, 2, 1.0, 92));
    const Model without = train(data, "svm", "kernel=rbf(gamma=0.3)");
    double found = 0;
    expect_failure_in([&] { return dk_score(&found, without.get(), data.get(), "log_loss", nullptr); },
                      {DK_ERR_UNSUPPORTED}, {"log_loss", "probability=yes"});
    const Params grid =
        parameters("svm", "grid=kernel=[rbf(gamma=10),rbf(gamma=0.1)] select=log_loss folds=3");
    dk_model* none = nullptr;
    expect_failure_in([&] { return dk_cross_validate(&none, data.get(), grid.get(), nullptr); },
                      {DK_ERR_INVALID_PARAMETER}, {"log_loss", "probability=yes"});
    check(dk_params_set(grid.get(), "probability", "yes"));
    const Model best = create<Model>(dk_cross_validate, data.get(), grid.get(), nullptr);
    const nlohmann::json scores =
        nlohmann::json::parse(text_of(dk_model_info, best.get())).at("cross_validation").at("candidates");
    ASSERT_EQ(scores.size(), 2U);
    const auto mean = [&](std::size_t c) {
        return scores.at(c).at("metrics").at("log_loss").at("mean").get<double>();
    };
    EXPECT_EQ(nlohmann::json::parse(text_of(dk_model_info, best.get())).at("kernel"),
              mean(0) < mean(1) ? "rbf(gamma=10)" : "rbf(gamma=0.1)");
}

}  // namespace
}  // namespace dk_test::calibration_test
