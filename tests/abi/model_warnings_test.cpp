// SPDX-License-Identifier: Apache-2.0
// A model says what whoever uses it should know: of its training rows, its training and its scores.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"

namespace dk_test::model_warnings_test {
namespace {

using nlohmann::json;

/// Gives the sentences of a model's warnings about something.
std::vector<std::string> about(const Model& model, const std::string& what) {
    std::vector<std::string> sentences;
    const json told = json::parse(text_of(dk_model_warnings, model.get()));
    for (const json& one : told.at("warnings")) {
        if (one.at("about") == what) sentences.push_back(one.at("text"));
    }
    return sentences;
}

void expect_one(const Model& model, const std::string& what, const Words& words) {
    const auto sentences = about(model, what);
    ASSERT_EQ(sentences.size(), 1u) << what << " of " << text_of(dk_model_warnings, model.get());
    for (const std::string& word : words) EXPECT_TRUE(has_word(sentences[0], word)) << sentences[0];
}

TEST(ModelWarnings, AreNoneOfAGoodModel) {
    const Model model = train(dense(make_problem(100, 3, 2, 2, 1)), "svm");
    EXPECT_EQ(text_of(dk_model_warnings, model.get()), R"({"warnings":[]})");
}

TEST(ModelWarnings, AreOfColumnsAndRows) {
    Problem problem = make_problem(60, 4, 2, 2, 2);
    for (std::size_t i = 0; i < 60; ++i) {
        double* row = &problem.x[4 * i];
        row[1] = 7;                                              // constant
        row[2] = 1000 * row[2];                                  // on another scale
        row[3] = static_cast<double>(problem.labels[i]) + 0.25;  // tells the class
    }
    std::copy_n(problem.x.begin(), 4, problem.x.begin() + 8);  // a copied row, of the same class
    const Model model = train(dense(problem), "svm", "scale=none");
    expect_one(model, "constant columns", {"f2"});
    expect_one(model, "scales", {"f3", "scale=standard"});
    expect_one(model, "leak", {"f4"});
    expect_one(model, "copied rows", {"1 row"});
    // Where columns are brought to one scale, the model says so, and needs no warning of it.
    const Model scaled = train(dense(problem), "svm");
    EXPECT_TRUE(about(scaled, "scales").empty());
    expect_one(scaled, "scaled", {"standard"});
    EXPECT_EQ(text_of(dk_model_warnings, read_model(bytes_of(model.get())).get()),
              text_of(dk_model_warnings, model.get()));
}

TEST(ModelWarnings, LookAtAPartOfLargeData) {
    // Of 300,000 rows of 4 columns 50,000 are looked at.
    Problem problem = make_problem(300000, 4, 2, 3, 3);
    for (std::size_t i = 0; i < 300000; ++i) problem.x[4 * i + 1] = 7;
    const Model model = train(dense(problem), "mean_of_class", "kernel=linear");
    expect_one(model, "constant columns", {"50000 rows"});
}

TEST(ModelWarnings, TellOfSmallClasses) {
    Problem problem = make_problem(60, 2, 2, 2, 4);
    for (std::size_t i = 0; i < 3; ++i) problem.labels[i] = 77;
    expect_one(train(dense(problem), "svm"), "small classes", {"77", "3"});
}

TEST(ModelWarnings, TellOfTrainingsThatDidNotConverge) {
    const Data data = dense(make_problem(200, 3, 3, 1, 5));
    expect_one(train(data, "svm", "max_iterations=3"), "convergence",
               {"3 of 3 decision functions", "max_iterations=3"});
    EXPECT_TRUE(about(train(data, "svm"), "convergence").empty());
}

TEST(ModelWarnings, TellOfScoresThatAreTooGood) {
    const Data data = dense(make_problem(60, 2, 2, 2, 6));
    const auto validated = [&](const std::string& settings) {
        return create<Model>(dk_cross_validate, data.get(), parameters("svm", settings).get(), nullptr);
    };
    expect_one(validated("grid=C=1:10"), "optimistic score", {"outer_folds=5"});
    EXPECT_TRUE(about(validated("grid=C=1:10 outer_folds=3"), "optimistic score").empty());
    EXPECT_TRUE(about(validated("C=1"), "optimistic score").empty());
}

TEST(ModelWarnings, TellOfScoresThatChanceReaches) {
    Problem problem = make_problem(120, 2, 2, 0, 7);
    const auto validated = [&] {
        return create<Model>(dk_cross_validate, dense(problem).get(), parameters("svm", "C=1").get(),
                             nullptr);
    };
    expect_one(validated(), "no better than the baseline", {"accuracy", "baseline", "0.5"});
    problem = make_problem(120, 2, 2, 3, 7);
    EXPECT_TRUE(about(validated(), "no better than the baseline").empty());
}

TEST(ModelWarnings, OfClassesAreOfClassifiers) {
    Problem problem = make_problem(60, 2, 2, 2, 4);
    for (std::size_t i = 0; i < 60; ++i) problem.labels[i] = static_cast<int64_t>(i % 19);
    const Data data = dense(problem);
    expect_one(train(data, "svm"), "small classes", {"5 rows"});
    for (const char* machine : {"svr", "one_class_svm"})
        EXPECT_TRUE(about(train(data, machine), "small classes").empty()) << machine;
}

TEST(ModelWarnings, OfAccuracyAreNotOfThresholds) {
    Problem problem = make_problem(120, 2, 2, 0, 7);
    const auto validated = [&](const char* settings) {
        return create<Model>(dk_cross_validate, dense(problem).get(), parameters("svm", settings).get(),
                             nullptr);
    };
    EXPECT_TRUE(about(validated("C=1 miss_cost=3"), "no better than the baseline").empty());
}

TEST(ModelWarnings, OfLeaksInARegressionAreOfItsTarget) {
    const Problem problem = make_problem(60, 2, 2, 0, 8);
    Data data = unlabelled(problem);
    std::vector<double> targets;
    for (std::size_t i = 0; i < 60; ++i) targets.push_back(3 * problem.x[2 * i + 1] - 5);
    check(dk_data_set_targets(data.get(), targets.data(), 60));
    expect_one(train(data, "kernel_ridge"), "leak", {"f2", "target"});
}

TEST(ModelWarnings, AreATextLikeAllOthers) {
    int64_t needed = 0;
    expect_failure([&] { return dk_model_warnings(nullptr, 0, &needed, nullptr); }, DK_ERR_INVALID_ARGUMENT,
                   {"model"});
}

}  // namespace
}  // namespace dk_test::model_warnings_test
