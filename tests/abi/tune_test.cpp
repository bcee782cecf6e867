// SPDX-License-Identifier: Apache-2.0
// The parameter `tune` searches for numbers of a machine and its kernel, and `learning_curve` tells what more
// rows would bring.
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "expectations.hpp"
#include "files.hpp"
#include "structures.hpp"

namespace dk_test {
namespace {

using Json = nlohmann::json;

Model tuned_model(const dk_data* data, const std::string& machine, const std::string& settings,
                  int32_t threads = 2) {
    const Control control = control_with(threads);
    return create<Model>(dk_cross_validate, data, parameters(machine.c_str(), settings).get(), control.get());
}

Json validation(const dk_data* data, const std::string& machine, const std::string& settings,
                int32_t threads = 2) {
    const Model model = tuned_model(data, machine, settings, threads);
    return Json::parse(text_of(dk_model_info, model.get())).at("cross_validation");
}

double number_of(const Json& value) {
    return std::stod(value.get<std::string>());
}

Data classes() {
    return dense(make_problem(120, 4, 2, 1.0, 31));
}

TEST(Tune, TriesAsManyAsItIsToldWithinTheLimitsAndKeepsTheBest) {
    const Data data = classes();
    for (const std::string search : {"adaptive", "random"}) {
        const std::string common = "folds=3 scale=none tolerance=1e-8 ";
        const Json found =
            validation(data.get(), "svm",
                       common + "kernel=rbf trials=14 search=" + search + " tune=C=0.5..50;gamma=0.01..0.2");
        const Json& candidates = found.at("candidates");
        ASSERT_EQ(candidates.size(), 14U);
        std::set<std::string> different;
        double best = 0;
        for (const Json& candidate : candidates) {
            const Json& chosen = candidate.at("parameters");
            different.insert(chosen.dump());
            EXPECT_GE(number_of(chosen.at("C")), 0.5);
            EXPECT_LE(number_of(chosen.at("C")), 50);
            const std::string kernel = chosen.at("kernel");
            ASSERT_TRUE(kernel.starts_with("rbf(gamma=")) << kernel;
            const double gamma = std::stod(kernel.substr(10));
            EXPECT_GE(gamma, 0.01);
            EXPECT_LE(gamma, 0.2);
            best = std::max(best, candidate.at("metrics").at("accuracy").at("mean").get<double>());
        }
        EXPECT_EQ(different.size(), 14U);
        const Json& winner = candidates.at(found.at("best").get<std::size_t>());
        EXPECT_EQ(winner.at("metrics").at("accuracy").at("mean").get<double>(), best);
        // What a candidate scored is what it scores alone.
        const auto alone =
            validation(data.get(), "svm",
                       common + "C=" + winner.at("parameters").at("C").get<std::string>() +
                           " kernel=" + winner.at("parameters").at("kernel").get<std::string>());
        EXPECT_EQ(winner.at("metrics").at("accuracy"), alone.at("metrics").at("accuracy"));
    }
}

TEST(Tune, IsTheSameForAnyNumberOfThreads) {
    const Data data = classes();
    const std::string settings = "folds=3 tune=auto trials=20 learning_curve=yes scale=standard";
    const Json one = validation(data.get(), "svm", settings, 1);
    EXPECT_EQ(validation(data.get(), "svm", settings, 2), one);
    EXPECT_EQ(validation(data.get(), "svm", settings, 5), one);
    EXPECT_NE(validation(data.get(), "svm", settings + " seed=2", 1), one);
}

/// The accuracy over C and the width of this problem is best in one place: what a coarse grid of as many
/// combinations over the same limits finds, the search finds, too.
TEST(Tune, FindsWhatAGridOfAsManyCombinationsFinds) {
    const Data data = dense(make_problem(300, 6, 3, 0.8, 5));
    const Json grid = validation(data.get(), "svm",
                                 "folds=4 scale=none grid=C=0.001:0.01:0.1:1:10:100:1000;"
                                 "kernel=grid(rbf, gamma=0.0001:0.001:0.01:0.1:1:10:100)");
    const Json found = validation(
        data.get(), "svm", "folds=4 scale=none kernel=rbf trials=49 tune=C=0.001..1000;gamma=0.0001..100");
    const auto best = [](const Json& all) {
        return all.at("candidates")
            .at(all.at("best").get<std::size_t>())
            .at("metrics")
            .at("accuracy")
            .at("mean");
    };
    EXPECT_GE(best(found).get<double>(), best(grid).get<double>() - 1e-12);
}

TEST(Tune, AutoIsTheCostAndTheWidth) {
    const auto keys = [](const Json& found) {
        std::vector<std::string> names;
        for (const Json& one : found.at("tuned").at("parameters")) names.push_back(one.at("key"));
        return names;
    };
    const Data data = classes();
    EXPECT_EQ(keys(validation(data.get(), "svm", "folds=2 trials=3 tune=auto")),
              (std::vector<std::string>{"C", "gamma"}));
    EXPECT_EQ(keys(validation(data.get(), "svm", "folds=2 trials=3 tune=auto kernel=linear")),
              (std::vector<std::string>{"C"}));
    EXPECT_EQ(keys(validation(data.get(), "nearest_neighbours", "folds=2 trials=3 tune=auto")),
              (std::vector<std::string>{"gamma"}));
    const Data words = strings(60, 3);
    EXPECT_EQ(keys(validation(words.get(), "svm", "folds=2 trials=3 tune=auto")),
              (std::vector<std::string>{"C"}));
}

TEST(Tune, IntegersStayIntegersAndAmountsOfTargetsMultiples) {
    const Problem problem = make_problem(60, 3, 2, 1.0, 7);
    const Data data = dense(problem);
    const Json powers =
        validation(data.get(), "svm", "folds=2 trials=9 kernel=poly(coef0=2) tune=degree=1..3");
    EXPECT_EQ(powers.at("candidates").size(), 3U) << "there are no others";
    for (const Json& candidate : powers.at("candidates")) {
        const std::string kernel = candidate.at("parameters").at("kernel");
        EXPECT_NE(kernel.find("coef0=2)"), std::string::npos) << kernel;
    }
    std::vector<double> targets;
    for (int64_t i = 0; i < problem.rows; ++i)
        targets.push_back(1000 * problem.x[static_cast<std::size_t>(3 * i)]);
    check(dk_data_set_targets(data.get(), targets.data(), problem.rows));
    const Json values = validation(data.get(), "svr", "folds=2 trials=6 tune=C;epsilon=1..200");
    for (const Json& candidate : values.at("candidates")) {
        EXPECT_TRUE(candidate.at("parameters").at("C").get<std::string>().ends_with("*deviation"));
        EXPECT_GE(number_of(candidate.at("parameters").at("epsilon")), 1);
    }
}

TEST(Tune, WhatCannotBeSearchedIsRefusedWithAReason) {
    const Data data = classes();
    const auto refused = [&](const std::string& machine, const std::string& settings,
                             const std::vector<std::string>& words) {
        const Params params = parameters(machine.c_str(), settings);
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_cross_validate(out, data.get(), params.get(), nullptr); },
            DK_ERR_INVALID_PARAMETER, words);
    };
    refused("svm", "tune=colour", {"colour", "svm", "rbf"});
    refused("svm", "tune=loss", {"loss", "no number", "grid"});
    refused("svm", "kernel=[rbf,linear] tune=gamma", {"gamma", "bank"});
    refused("svm", "tune=C;gamma grid=C=1:2", {"grid", "tune"});
    refused("svm", "kernel=poly(coef0=0) tune=max_iterations", {"max_iterations", "limits"});
    refused("mean_of_class", "kernel=linear tune=auto", {"auto", "mean_of_class"});
    refused("svm", "tune=C=-3..5", {"C", "-3", "greater than 0"});
    const Params params = create<Params>(dk_params_create, "svm");
    for (const char* text : {"C=1", "C=5..1", "C=a..b", "=1..2", "C;C", "C=1..1", "C;;gamma"})
        EXPECT_EQ(dk_params_set(params.get(), "tune", text), DK_ERR_INVALID_PARAMETER) << text;
    // Training searches nothing.
    check(dk_params_set(params.get(), "tune", "C"));
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); },
        DK_ERR_INVALID_PARAMETER, {"tune", "Cross-validate"});
}

/// With nu beyond what the smaller class allows, the dual has no solution. The search goes on without.
TEST(Tune, OneThatFailsIsReportedAndAllThatFailAreAnError) {
    Problem problem = make_problem(60, 3, 2, 2.0, 9);
    for (std::size_t i = 12; i < 60; ++i) problem.labels[i] = problem.labels[0];
    problem.labels[1] = problem.labels[0] + 1;
    for (std::size_t i = 2; i < 12; ++i) problem.labels[i] = problem.labels[i % 2];
    const Data data = dense(problem);
    const Json found = validation(data.get(), "nu_svm", "folds=2 trials=12 search=random tune=nu=0.02..1");
    EXPECT_FALSE(found.at("candidates").empty());
    const Json& failures = found.at("tuned").at("failures");
    EXPECT_EQ(found.at("candidates").size() + failures.size(), 12U);
    EXPECT_NE(failures.at(0).at("reason").get<std::string>().find("nu"), std::string::npos);
    const Params params = parameters("nu_svm", "folds=2 trials=4 tune=nu=0.9..1");
    dk_model* out = nullptr;
    EXPECT_NE(dk_cross_validate(&out, data.get(), params.get(), nullptr), DK_OK);
    EXPECT_EQ(out, nullptr);
    EXPECT_NE(std::string(dk_last_error()).find("no combination could be trained"), std::string::npos);
}

/// A key means one thing: what all machines have is no name of a machine's own parameter. Folds of a machine
/// that chooses by them are those of cross-validation.
TEST(Tune, NoMachineHasAnOwnParameterNamedAsACommonOne) {
    const Json described = Json::parse(text_of(dk_describe));
    std::set<std::string> common;
    for (const Json& one : described.at("common")) common.insert(one.at("name"));
    EXPECT_TRUE(common.contains("tune"));
    common.erase("folds");
    for (const Json& machine : described.at("machines")) {
        for (const Json& one : machine.at("parameters"))
            EXPECT_FALSE(common.contains(one.at("name"))) << machine.at("name") << " " << one.at("name");
    }
}

TEST(Tune, ACancelEndsIt) {
    const Data data = classes();
    const Control control = control_with(1);
    dk_control_cancel(control.get());
    const Params params = parameters("svm", "tune=auto");
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_cross_validate(out, data.get(), params.get(), control.get()); },
        DK_ERR_CANCELLED);
}

TEST(Tune, OuterFoldsRepeatTheSearch) {
    const Data data = classes();
    const Json found = validation(data.get(), "svm", "folds=2 outer_folds=3 trials=8 tune=auto");
    EXPECT_EQ(found.at("nested").at("chosen").size(), 3U);
    for (const Json& chosen : found.at("nested").at("chosen")) EXPECT_TRUE(chosen.contains("C"));
}

TEST(LearningCurve, EndsWithTheScoreOfAllRows) {
    const Data data = dense(make_problem(240, 4, 3, 1.0, 3));
    const Json found = validation(data.get(), "svm", "folds=4 learning_curve=yes");
    const Json& curve = found.at("learning_curve");
    ASSERT_EQ(curve.size(), 4U);
    double rows = 180.0 / 8;
    for (const Json& point : curve) {
        EXPECT_NEAR(point.at("rows").get<double>(), rows, 3);
        rows *= 2;
    }
    EXPECT_EQ(curve.back().at("rows"), 180);
    EXPECT_NEAR(curve.back().at("mean").get<double>(),
                found.at("metrics").at("accuracy").at("mean").get<double>(), 1e-15);
    EXPECT_EQ(found.at("select"), "accuracy");
}

/// Four rows of a class cannot be divided into eight parts that all have it.
TEST(LearningCurve, LeavesOutPartsThatLackAClass) {
    Problem problem = make_problem(80, 3, 2, 2.0, 4);
    for (std::size_t i = 0; i < 80; ++i) problem.labels[i] = i < 8 ? 1 : 2;
    const Data data = dense(problem);
    const Json curve = validation(data.get(), "svm", "folds=2 learning_curve=yes").at("learning_curve");
    EXPECT_EQ(curve.back().at("rows"), 40);
    for (const Json& point : curve) EXPECT_GE(point.at("rows").get<double>(), 10);
}

TEST(ChoicePage, DrawsWhatWasTriedAndTheCurve) {
    const Data data = classes();
    const Model model = tuned_model(data.get(), "svm", "folds=3 trials=12 tune=auto learning_curve=yes");
    const TemporaryDirectory directory;
    const std::string path = directory.path("page.html");
    const dk_model* const models[] = {model.get()};
    check(dk_report(path.c_str(), models, 1, data.get(), nullptr, nullptr, nullptr));
    std::ifstream file(path);
    std::ostringstream page;
    page << file.rdbuf();
    for (const char* words : {"How it was chosen", "Mean accuracy in cross-validation over C and gamma",
                              "log10 of gamma", "training rows", "color-mix"})
        EXPECT_NE(page.str().find(words), std::string::npos) << words;
}

}  // namespace
}  // namespace dk_test
