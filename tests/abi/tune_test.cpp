// SPDX-License-Identifier: Apache-2.0
// The parameter `tune` searches for numbers of a machine and its kernel, and `learning_curve` tells what more
// rows would bring.
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "expectations.hpp"
#include "files.hpp"
#include "structures.hpp"

namespace dk_test::tune_test {
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
    refused("svm", "kernel=poly tune=degree=1.2..1.8", {"no integer", "degree"});
    refused("imkpl", "tune=prototypes", {"prototypes", "limits"});
    refused("svm", "tune=C=-3..5", {"C", "-3", "greater than 0"});
    const Params params = create<Params>(dk_params_create, "svm");
    for (const char* text : {"C=1", "C=5..1", "C=a..b", "=1..2", "C;C", "C=1..1", "C;;gamma"})
        EXPECT_EQ(dk_params_set(params.get(), "tune", text), DK_ERR_INVALID_PARAMETER) << text;
    // Training searches where something is to be found, and takes no words of a search without one.
    check(dk_params_set(params.get(), "trials", "5"));
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); },
        DK_ERR_INVALID_PARAMETER, {"trials", "Cross-validate"});
}

/// Rows of which one class has a fifth, so that nu_svm has no solution for a nu above 0.4.
Data uneven_classes() {
    Problem problem = make_problem(60, 3, 2, 2.0, 9);
    const int64_t first = problem.labels[0];
    for (std::size_t i = 0; i < 60; ++i) problem.labels[i] = i % 5 == 1 ? first + 1 : first;
    return dense(problem);
}

/// The search goes on without what fails; the adaptive one learns to leave it alone.
TEST(Tune, OneThatFailsIsReportedAndAllThatFailAreAnError) {
    const Data data = uneven_classes();
    std::size_t failed[2] = {0, 0};
    for (const bool adaptive : {false, true}) {
        const std::string search = adaptive ? "adaptive" : "random";
        const Json found =
            validation(data.get(), "nu_svm", "folds=2 trials=40 tune=nu=0.02..1 search=" + search);
        EXPECT_FALSE(found.at("candidates").empty());
        const Json& failures = found.at("tuned").at("failures");
        failed[adaptive ? 1 : 0] = failures.size();
        EXPECT_EQ(found.at("candidates").size() + failures.size(), 40U);
        EXPECT_EQ(found.at("tuned").at("tried"), 40);
        EXPECT_NE(failures.at(0).at("reason").get<std::string>().find("nu"), std::string::npos);
        EXPECT_TRUE(failures.at(0).at("parameters").get<std::string>().starts_with("nu="));
    }
    EXPECT_LT(failed[1], failed[0]);
    const Params params = parameters("nu_svm", "folds=2 trials=4 tune=nu=0.9..1");
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_cross_validate(out, data.get(), params.get(), nullptr); },
        DK_ERR_INVALID_PARAMETER, {"none of 4 combinations could be trained", "nu"});
}

/// Candidates too large for the memory are left out; those that fit go on.
TEST(Tune, WhatDoesNotFitInTheMemoryIsLeftOut) {
    const Data data = dense(make_problem(300, 4, 2, 1.0, 6));
    const Json found =
        validation(data.get(), "elm", "folds=2 trials=12 memory_mb=20 search=random tune=hidden=10..200000");
    EXPECT_FALSE(found.at("candidates").empty());
    EXPECT_FALSE(found.at("tuned").at("failures").empty());
}

TEST(Tune, ManyTrialsOfASpaceWithoutEnd) {
    const Data data = dense(make_problem(12, 2, 2, 1.0, 6));
    const Json found = validation(data.get(), "mean_of_class",
                                  "folds=2 trials=1200 search=random kernel=rbf tune=gamma=0.001..1000");
    EXPECT_EQ(found.at("candidates").size(), 1200U);
}

TEST(Tune, IntegersAreEquallyLikelyAndLimitsMayBeAnything) {
    const Data data = classes();
    const auto values = [&](const std::string& tune) {
        const Json found =
            validation(data.get(), "svm", "folds=2 trials=90 search=random kernel=poly tune=" + tune);
        std::map<std::string, int> counts;
        for (const Json& one : found.at("candidates")) ++counts[one.at("parameters").at("kernel")];
        return counts;
    };
    EXPECT_EQ(values("degree=1..3").size(), 3U);
    EXPECT_EQ(values("degree=1.2..2.8").size(), 1U);
    std::map<int, int> degrees;
    for (const auto& [kernel, count] : values("degree=1..3;coef0=0.1..0.2"))
        degrees[kernel[std::string("poly(degree=").size()] - '0'] += count;
    for (int degree = 1; degree <= 3; ++degree) EXPECT_NEAR(degrees[degree], 30, 6) << degree;
    const Json wide = validation(data.get(), "svm", "folds=2 trials=9 kernel=linear tune=C=1e-305..1e5");
    EXPECT_EQ(wide.at("candidates").size(), 9U);
}

/// Groups of one class leave no fold with a rank of one class above the other. The search then has nothing to
/// learn from, and spreads its trials.
TEST(Tune, OfAMetricThatNoFoldDefinesSpreadsItsTrials) {
    const Problem problem = make_problem(40, 3, 2, 1.0, 7);
    const Data data = dense(problem);
    std::vector<int64_t> groups;
    for (std::size_t i = 0; i < 40; ++i)
        groups.push_back(10 * problem.labels[i] + static_cast<int64_t>(i) / 2 % 2);
    check(dk_data_set_groups(data.get(), groups.data(), problem.rows));
    const Json found =
        validation(data.get(), "svm", "folds=4 trials=20 tune=auto select=auc learning_curve=yes");
    EXPECT_EQ(found.at("candidates").size(), 20U);
    EXPECT_FALSE(found.at("metrics").at("auc").contains("mean"));
    for (const Json& point : found.at("learning_curve")) EXPECT_FALSE(point.contains("mean"));
}

/// With rmse less is better, and the best is the least.
TEST(Tune, OfARegressionKeepsTheLeastError) {
    const Problem problem = make_problem(80, 3, 2, 1.0, 7);
    const Data data = dense(problem);
    std::vector<double> targets;
    for (int64_t i = 0; i < problem.rows; ++i)
        targets.push_back(std::sin(problem.x[static_cast<std::size_t>(3 * i)]));
    check(dk_data_set_targets(data.get(), targets.data(), problem.rows));
    const Json found =
        validation(data.get(), "kernel_ridge", "folds=3 trials=20 tune=auto learning_curve=yes");
    const auto error_of = [](const Json& one) {
        return one.at("metrics").at("rmse").at("mean").get<double>();
    };
    const double best = error_of(found.at("candidates").at(found.at("best").get<std::size_t>()));
    for (const Json& one : found.at("candidates")) EXPECT_GE(error_of(one), best);
    // More rows make the error less, which is a gain.
    EXPECT_GT(found.at("learning_curve").back().at("gain").get<double>(), 0);
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

TEST(Tune, ACancelInsideEndsItToo) {
    const Data data = dense(make_problem(200, 4, 2, 0.5, 8));
    for (const int64_t call : {1, 5, 20}) {
        struct Stop {
            int64_t calls = 0;
            int64_t at;
            dk_control* control;
        };
        const Control control = control_with(1);
        Stop stop{.at = call, .control = control.get()};
        check(dk_control_set_progress(
            control.get(),
            [](double, const char*, void* user) -> int {
                auto& state = *static_cast<Stop*>(user);
                return ++state.calls == state.at ? 1 : 0;
            },
            &stop));
        const Params params = parameters("svm", "tune=auto trials=400 folds=10");
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_cross_validate(out, data.get(), params.get(), control.get()); },
            DK_ERR_CANCELLED);
    }
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
    EXPECT_LT(curve.size(), 4U) << "an eighth of four rows of a class may have none";
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

TEST(Tune, MayBeAskedForByTheValueOfAParameter) {
    const Data data = classes();
    const std::string common = "folds=3 trials=6 ";
    const auto trained = [&](const std::string& settings) {
        return bytes_of(train(data, "svm", common + settings).get());
    };
    const auto told = [](const std::string& settings) {
        const Params params = parameters("svm", settings);
        return text_of(dk_params_get, params.get(), "tune") + "|" +
               text_of(dk_params_get, params.get(), "kernel") + "|" +
               text_of(dk_params_get, params.get(), "C");
    };
    EXPECT_EQ(told("C=auto"), "C|auto|1");
    EXPECT_EQ(told("C=auto gamma=auto kernel=rbf"), "C; gamma|rbf|1");
    EXPECT_EQ(told("kernel=rbf(gamma=auto:cv)"), "gamma|rbf()|1");
    EXPECT_EQ(told("kernel=\"poly(degree=auto:cv, gamma=0.5, coef0=auto:cv)\""),
              "degree; coef0|poly(gamma=0.5)|1");
    EXPECT_EQ(told("tune=C=0.1..10 C=auto"), "C=0.1..10|auto|1");
    EXPECT_EQ(told("kernel=rbf(gamma=auto)"), "|rbf(gamma=auto)|1");
    EXPECT_EQ(told("kernel=auto"), "|auto|1");
    // A value that is said later takes the place of a search.
    const Params said = parameters("svm", "C=auto gamma=auto");
    check(dk_params_set(said.get(), "C", "3"));
    EXPECT_EQ(text_of(dk_params_get, said.get(), "tune"), "gamma");
    for (const char* wrong : {"rbf(gamma=7*auto:cv)", "rbf(gamma=auto:cv,)", "rbf(=auto:cv)",
                              "rbf(gamma=auto:cvx)", "rbf(gamma auto:cv)", "auto:cv", "gamma=auto:cv"})
        EXPECT_NE(dk_params_set(said.get(), "kernel", wrong), DK_OK) << wrong;
    EXPECT_EQ(trained("kernel=rbf C=auto gamma=auto"),
              bytes_of(tuned_model(data.get(), "svm", common + "kernel=rbf tune=\"C; gamma\"").get()));
    expect_no_handle<dk_model>(
        [&](dk_model** out) {
            return dk_train(out, data.get(), parameters("svm", "kernel=linear gamma=auto").get(), nullptr);
        },
        DK_ERR_INVALID_PARAMETER, {"gamma", "linear"});
    const Params params = parameters("svm");
    expect_failure([&] { return dk_params_set(params.get(), "gama", "auto"); }, DK_ERR_INVALID_PARAMETER,
                   {"gama"});
}

}  // namespace
}  // namespace dk_test::tune_test
