// SPDX-License-Identifier: Apache-2.0
// Quantile regression keeps what its program promises: shares of the targets below quantiles, balanced
// squares around expectiles, an objective that no other line lowers, levels that do not cross.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "files.hpp"

namespace dk_test::quantile_test {
namespace {

using nlohmann::json;

struct Targets {
    Problem problem;
    std::vector<double> y;
    Data data() const {
        Data made = create<Data>(dk_data_from_dense, problem.x.data(), problem.rows, problem.cols,
                                 problem.cols, DK_ROW_MAJOR);
        check(dk_data_set_targets(made.get(), y.data(), problem.rows));
        return made;
    }
};

/// y = sin 2x + (0.2 + 0.3 x) noise over 0 <= x <= 3, whose spread grows.
Targets widening(int64_t rows, uint64_t seed) {
    Random random(seed);
    Targets made{{rows, 1, {}, {}}, {}};
    for (int64_t i = 0; i < rows; ++i) {
        const double x = 3 * random.uniform();
        const double noise = 2 * random.uniform() - 1;
        made.problem.x.push_back(x);
        made.y.push_back(std::sin(2 * x) + (0.2 + 0.3 * x) * noise);
    }
    return made;
}

Model train_on(const Targets& rows, const std::string& settings) {
    const auto set = parameters("quantile_regression", settings);
    return create<Model>(dk_train, rows.data().get(), set.get(), nullptr);
}

std::vector<double> decided(const Model& model, const Targets& rows) {
    return values_of<double>(rows.problem.rows * dk_model_decision_count(model.get()), dk_decision,
                             model.get(), rows.data().get(), nullptr);
}

double pinball(double error, double level) {
    return error >= 0 ? level * error : (level - 1) * error;
}

TEST(QuantileRegression, HasTheSharesOfTheTargetsBelow) {
    const Targets rows = widening(301, 1);
    for (const double level : {0.05, 0.25, 0.5, 0.9}) {
        const Model model =
            train_on(rows, "levels=" + std::to_string(level) + " C=10 tolerance=1e-7 kernel=rbf(gamma=2)");
        const auto f = decided(model, rows);
        double below = 0;
        double at_or_below = 0;
        for (std::size_t i = 0; i < f.size(); ++i) {
            below += rows.y[i] < f[i] - 1e-5 ? 1 : 0;
            at_or_below += rows.y[i] <= f[i] + 1e-5 ? 1 : 0;
        }
        EXPECT_LE(below, level * 301) << level;
        EXPECT_GE(at_or_below, level * 301) << level;
    }
}

TEST(QuantileRegression, ExpectilesBalanceSquares) {
    const Targets rows = widening(200, 2);
    for (const double level : {0.1, 0.5, 0.8}) {
        const Model model = train_on(rows, "loss=expectile levels=" + std::to_string(level) +
                                               " C=10 tolerance=1e-9 kernel=rbf(gamma=2)");
        const auto f = decided(model, rows);
        double above = 0;
        double below = 0;
        for (std::size_t i = 0; i < f.size(); ++i) {
            const double error = rows.y[i] - f[i];
            (error > 0 ? above : below) += std::abs(error);
        }
        EXPECT_NEAR(level * above, (1 - level) * below, 1e-6 * above) << level;
    }
}

/// The objective of the line w x + b.
double objective_of(const Targets& rows, bool squares, double level, double c, double w, double b) {
    double sum = 0.5 * w * w;
    for (std::size_t i = 0; i < rows.y.size(); ++i) {
        const double error = rows.y[i] - w * rows.problem.x[i] - b;
        sum += c * (squares ? 0.5 * (error < 0 ? 1 - level : level) * error * error : pinball(error, level));
    }
    return sum;
}

TEST(QuantileRegression, NoOtherLineHasASmallerObjective) {
    const Targets rows = widening(150, 3);
    const Targets ends{{2, 1, {0, 1}, {}}, {0, 0}};
    for (const bool squares : {false, true}) {
        const double c = 0.7;
        const double level = 0.8;
        const Model model =
            train_on(rows, std::string("C=0.7 levels=0.8 kernel=linear tolerance=1e-9 loss=") +
                               (squares ? "expectile" : "quantile"));
        const auto at = decided(model, ends);
        const double w = at[1] - at[0];
        const double best = objective_of(rows, squares, level, c, w, at[0]);
        for (const double step : {1e-1, 1e-2, 1e-3}) {
            for (int direction = 0; direction < 16; ++direction) {
                const double angle = 6.283185307179586 * direction / 16;
                EXPECT_GE(objective_of(rows, squares, level, c, w + step * std::cos(angle),
                                       at[0] + step * std::sin(angle)),
                          best - 1e-9 * best);
            }
        }
    }
}

TEST(QuantileRegression, LevelsNeverCross) {
    const Targets rows = widening(80, 4);
    const Model model =
        train_on(rows, "levels=0.05,0.2,0.4,0.6,0.8,0.95 C=100 kernel=rbf(gamma=8) tolerance=1e-6");
    ASSERT_EQ(dk_model_decision_count(model.get()), 6);
    Targets wide{{400, 1, {}, {}}, std::vector<double>(400)};
    for (int i = 0; i < 400; ++i) wide.problem.x.push_back(-1 + 0.0125 * i);
    const auto values = decided(model, wide);
    const auto predicted = values_of<double>(400, dk_predict, model.get(), wide.data().get(), nullptr);
    for (std::size_t i = 0; i < 400; ++i) {
        EXPECT_TRUE(std::is_sorted(values.begin() + 6 * i, values.begin() + 6 * i + 6)) << i;
        EXPECT_EQ(predicted[i], values[6 * i + 2]) << i;
    }
}

TEST(QuantileRegression, ExplanationsAddUpWhereFunctionsCross) {
    const Targets rows = widening(60, 5);
    const Model model = train_on(rows, "levels=0.3,0.5,0.7 C=1000 kernel=rbf(gamma=30) tolerance=1e-6");
    for (int i = 0; i < 40; ++i) {
        const Targets one{{1, 1, {-0.5 + 0.1 * i}, {}}, {0}};
        const auto predicted = values_of<double>(1, dk_predict, model.get(), one.data().get(), nullptr);
        const json told = json::parse(text_of(dk_explain_row, model.get(), one.data().get(), int64_t{0},
                                              static_cast<const dk_data*>(nullptr), nullptr));
        double sum = told.at("prototypes").at("offset").at("contribution");
        for (const json& pull : told.at("prototypes").at("pulls"))
            sum += pull.at("contribution").get<double>();
        EXPECT_EQ(told.at("answer"), predicted[0]);
        EXPECT_NEAR(sum, predicted[0], 1e-8 * (1 + std::abs(predicted[0]))) << i;
    }
}

TEST(QuantileRegression, NewRowsFallBelowAsOftenAsTheLevelsSay) {
    const Targets rows = widening(600, 6);
    const Targets fresh = widening(4000, 7);
    for (const char* search : {"double", "single", "auto"}) {
        const Model model =
            train_on(rows, std::string("levels=0.1,0.5,0.9 C=1 kernel=rbf(gamma=1) precision=") + search);
        const auto f = decided(model, fresh);
        const double levels[] = {0.1, 0.5, 0.9};
        for (std::size_t l = 0; l < 3; ++l) {
            double below = 0;
            for (std::size_t i = 0; i < fresh.y.size(); ++i) below += fresh.y[i] < f[3 * i + l] ? 1 : 0;
            // Four deviations of the share in 600 rows, of which the functions adapt to some.
            EXPECT_NEAR(below / 4000, levels[l], 4 * std::sqrt(levels[l] * (1 - levels[l]) / 600)) << search;
        }
    }
}

TEST(QuantileRegression, AWeightOfTwoIsARowTwice) {
    const Targets rows = widening(50, 8);
    Targets doubled = rows;
    std::vector<double> weights(50, 1.0);
    for (std::size_t i = 0; i < 50; i += 3) {
        weights[i] = 2;
        doubled.problem.x.push_back(rows.problem.x[i]);
        doubled.y.push_back(rows.y[i]);
        ++doubled.problem.rows;
    }
    for (const char* loss : {"loss=expectile ", "loss=quantile "}) {
        const std::string settings =
            std::string(loss) + "levels=0.3,0.6 C=2 kernel=rbf(gamma=1) tolerance=1e-9";
        const Data weighted = rows.data();
        check(dk_data_set_sample_weights(weighted.get(), weights.data(), 50));
        const auto set = parameters("quantile_regression", settings);
        const auto left = decided(create<Model>(dk_train, weighted.get(), set.get(), nullptr), rows);
        const auto right = decided(train_on(doubled, settings), rows);
        // An offset between two targets is any number there, so that quantiles agree less than expectiles.
        for (std::size_t i = 0; i < left.size(); ++i) EXPECT_NEAR(left[i], right[i], 1e-5) << loss << i;
    }
}

TEST(QuantileRegression, IsScoredByThePinballLoss) {
    const Targets rows = widening(120, 9);
    const Model model = train_on(rows, "levels=0.2,0.7 kernel=rbf(gamma=1)");
    const auto f = decided(model, rows);
    double sum = 0;
    for (std::size_t i = 0; i < rows.y.size(); ++i)
        sum += pinball(rows.y[i] - f[2 * i], 0.2) + pinball(rows.y[i] - f[2 * i + 1], 0.7);
    double score = 0;
    check(dk_score(&score, model.get(), rows.data().get(), "pinball", nullptr));
    EXPECT_NEAR(score, sum / 240, 1e-12);

    const auto set =
        parameters("quantile_regression", "levels=0.1 grid=kernel=[rbf(gamma=1),rbf(gamma=1e-6)]");
    const Model best = create<Model>(dk_cross_validate, rows.data().get(), set.get(), nullptr);
    const json info = json::parse(text_of(dk_model_info, best.get()));
    const json& validation = info.at("cross_validation");
    EXPECT_EQ(validation.at("select"), "pinball");
    EXPECT_EQ(info.at("kernel"), "rbf(gamma=1)");
    // The quantile of the targets alone is what a model without features can say at best.
    EXPECT_GT(validation.at("baseline").at("pinball").at("mean"), 0);
}

TEST(QuantileRegression, RefusesWhatAreNoLevels) {
    const Targets rows = widening(30, 10);
    for (const char* levels : {"0", "1", "0.5,0.1", "0.5,0.5", "nan", "0.1;0.5", "a", "-0.1", "0.1,,0.5"}) {
        const Params set = parameters("quantile_regression");
        expect_failure_in([&] { return dk_params_set(set.get(), "levels", levels); },
                          {DK_ERR_INVALID_PARAMETER}, {"levels", levels, "between 0 and 1"});
    }
}

TEST(QuantileRegression, OneLevelIsExportedAndSeveralAreNot) {
    const Targets rows = widening(60, 12);
    const TemporaryDirectory folder;
    const std::string path = folder.path("quantiles.model");
    const Model several = train_on(rows, "kernel=rbf(gamma=1)");
    expect_failure_in([&] { return dk_model_export(several.get(), path.c_str(), "libsvm"); },
                      {DK_ERR_UNSUPPORTED}, {"one level"});
    const Model one = train_on(rows, "levels=0.9 kernel=rbf(gamma=1)");
    check(dk_model_export(one.get(), path.c_str(), "libsvm"));
    const Model back = create<Model>(dk_model_import, path.c_str(), "libsvm", nullptr);
    const auto left = decided(one, rows);
    const auto right = decided(back, rows);
    for (std::size_t i = 0; i < left.size(); ++i) EXPECT_NEAR(left[i], right[i], 1e-9);
}

}  // namespace
}  // namespace dk_test::quantile_test
