// SPDX-License-Identifier: Apache-2.0
// The machine auto chooses what is better on rows that it has not seen, says what it tried, gives the same
// model for any number of threads, and leaves alone what it is given.
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "answers.hpp"
#include "expectations.hpp"

namespace dk_test::choice_test {
namespace {

using nlohmann::json;

json info_of(const Model& model) {
    return json::parse(text_of(dk_model_info, model.get()));
}

/// Two classes that no line tells apart: inside and outside of a circle. The second column is in thousandths
/// of the unit of the first.
Problem rings(int64_t rows, uint64_t seed) {
    Random random(seed);
    Problem problem{rows, 2, {}, {}};
    for (int64_t i = 0; i < rows; ++i) {
        const double radius = i % 2 == 0 ? 1.0 : 2.0;
        const double angle = 6.283185307179586 * random.uniform();
        problem.x.push_back(radius * std::cos(angle) + 0.1 * random.uniform());
        problem.x.push_back(1000 * (radius * std::sin(angle) + 0.1 * random.uniform()));
        problem.labels.push_back(i % 2);
    }
    return problem;
}

double accuracy_of(const Model& model, const Problem& problem) {
    const auto predicted =
        values_of<double>(problem.rows, dk_predict, model.get(), dense(problem).get(), nullptr);
    double right = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i)
        right += predicted[i] == static_cast<double>(problem.labels[i]) ? 1 : 0;
    return right / static_cast<double>(problem.rows);
}

std::vector<double> decisions_of(const Model& model, const Problem& problem) {
    return values_of<double>(problem.rows * dk_model_decision_count(model.get()), dk_decision, model.get(),
                             dense(problem).get(), nullptr);
}

TEST(Choice, FindsWhatPlainParametersDoNot) {
    const Problem training = rings(120, 1);
    const Problem test = rings(400, 2);
    const Model model = train(dense(training), "auto");
    EXPECT_GT(accuracy_of(model, test), 0.97);
    EXPECT_LT(accuracy_of(train(dense(training), "svm", "scale=standard kernel=linear"), test), 0.7);
    const json info = info_of(model);
    EXPECT_EQ(info.at("machine"), "svm");
    EXPECT_EQ(info.at("parameters").at("scale"), "standard");
}

TEST(Choice, EndsWhereTheTimeIsOver) {
    const Problem problem = rings(120, 1);
    const auto seconds = [&](const std::string& limit) {
        return train(dense(problem), "auto", "candidates=40 seconds=" + limit);
    };
    // In no time at all the kernel that is looked at first is compared with all its costs, and nothing else.
    const Model hurried = seconds("1e-9");
    const json choice = info_of(hurried).at("choice");
    ASSERT_EQ(choice.at("rounds").size(), 1U);
    int compared = 0;
    std::set<std::string> kernels;
    for (const json& one : choice.at("rounds").at(0).at("tried")) {
        if (one.contains("failed")) {
            EXPECT_TRUE(has_word(one.at("failed").get<std::string>(), "seconds=1e-09")) << one;
            continue;
        }
        ++compared;
        kernels.insert(one.at("parameters").at("kernel"));
    }
    EXPECT_GT(compared, 1);
    EXPECT_EQ(kernels.size(), 1U);
    EXPECT_TRUE(has_word(choice.at("reason").get<std::string>(), "not compared")) << choice.at("reason");
    // Time without end changes nothing but the words.
    const Model patient = seconds("1e9");
    const Model plain = train(dense(problem), "auto", "candidates=40");
    EXPECT_TRUE(same_bits(decisions_of(patient, problem), decisions_of(plain, problem)));
    EXPECT_EQ(info_of(patient).at("cross_validation"), info_of(plain).at("cross_validation"));
}

TEST(Choice, TellsWhatItTried) {
    const json info = info_of(train(dense(rings(60, 3)), "auto", "folds=4"));
    const json& choice = info.at("choice");
    EXPECT_EQ(choice.at("task"), "classification");
    const json& rounds = choice.at("rounds");
    ASSERT_EQ(rounds.size(), 2U);
    EXPECT_EQ(rounds[0].at("rows"), 60);
    EXPECT_EQ(rounds[0].at("folds"), 4);
    for (const json& round : rounds) {
        double last = 1;
        for (const json& tried : round.at("tried")) {
            EXPECT_LE(tried.at("mean").get<double>(), last + 1e-12) << "the best come first";
            last = tried.at("mean");
            EXPECT_GE(tried.at("standard_error").get<double>(), 0);
        }
    }
    const json& validation = info.at("cross_validation");
    const json& best = validation.at("candidates").at(validation.at("best").get<std::size_t>());
    EXPECT_EQ(best.at("parameters").at("kernel"), info.at("kernel"));
    EXPECT_EQ(best.at("parameters").at("C"), info.at("parameters").at("C"));
    EXPECT_EQ(best.at("metrics"), validation.at("metrics"));
    for (const json& candidate : validation.at("candidates"))
        EXPECT_LE(candidate.at("metrics").at("accuracy").at("mean").get<double>(),
                  best.at("metrics").at("accuracy").at("mean").get<double>() + 1e-12);
    EXPECT_NEAR(validation.at("baseline").at("accuracy").at("mean").get<double>(), 0.5, 0.1);
}

// 3000 rows in 30 groups: heats of 600 and 1800 rows are whole groups of about so many.
TEST(Choice, SamplesGroupsAsItSamplesRows) {
    const Problem problem = rings(3000, 9);
    const Data data = dense(problem);
    std::vector<int64_t> groups(3000);
    for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<int64_t>(i % 30);
    check(dk_data_set_groups(data.get(), groups.data(), 3000));
    const Model model =
        create<Model>(dk_train, data.get(), parameters("auto", "candidates=4 folds=3").get(), nullptr);
    const json choice = info_of(model).at("choice");
    const json& rounds = choice.at("rounds");
    ASSERT_GE(rounds.size(), 2U);
    EXPECT_EQ(rounds[0].at("rows"), 600);
    // Thirty groups are not evenly divided, so that parts differ by a group.
    EXPECT_NEAR(rounds[1].at("rows").get<double>(), 1800, 300);
}

TEST(Choice, IsTheSameForAnyNumberOfThreads) {
    const Problem problem = make_problem(700, 5, 3, 0.7, 4);  // A heat on a sample, and one on all.
    std::vector<double> first;
    for (const int32_t threads : {1, 2, 5}) {
        const Control control = control_with(threads);
        const Model model = create<Model>(dk_train, dense(problem).get(),
                                          parameters("auto", "candidates=20").get(), control.get());
        const auto decisions = decisions_of(model, problem);
        if (first.empty()) first = decisions;
        EXPECT_TRUE(same_bits(decisions, first)) << threads << " threads";
    }
}

TEST(Choice, LeavesAloneWhatIsGiven) {
    const Problem problem = make_problem(50, 3, 2, 1, 5);
    const std::string given = "C=3 kernel=[rbf(gamma=0.3),linear] weights=dimkl1 class_weight=balanced";
    const Model model = train(dense(problem), "auto", given);
    EXPECT_TRUE(
        same_bits(decisions_of(model, problem), decisions_of(train(dense(problem), "svm", given), problem)));
    EXPECT_FALSE(info_of(model).contains("cross_validation")) << "there was nothing to compare";
    const json info = info_of(train(dense(problem), "auto", "C=3"));
    EXPECT_EQ(info.at("parameters").at("C"), "3");
    EXPECT_GT(info.at("cross_validation").at("candidates").size(), 1U);
}

TEST(Choice, FollowsWhatRowsHave) {
    const Problem problem = make_problem(60, 3, 2, 1, 6);
    EXPECT_EQ(info_of(train(dense(problem), "auto")).at("task"), "classification");
    const Data targets =
        create<Data>(dk_data_from_dense, problem.x.data(), int64_t{60}, int64_t{3}, int64_t{3}, DK_ROW_MAJOR);
    std::vector<double> values;
    for (int64_t i = 0; i < 60; ++i) values.push_back(problem.x[static_cast<std::size_t>(3 * i)] + 0.25);
    check(dk_data_set_targets(targets.get(), values.data(), 60));
    const json regression = info_of(train(targets, "auto"));
    EXPECT_EQ(regression.at("task"), "regression");
    EXPECT_GT(regression.at("cross_validation").at("metrics").at("r2").at("mean").get<double>(), 0.9);
    Problem counted = problem;
    for (int64_t i = 0; i < 60; ++i) counted.labels[static_cast<std::size_t>(i)] = 3 * i;
    EXPECT_EQ(info_of(train(dense(counted), "auto")).at("task"), "regression") << "no two rows share a label";
    const Data plain =
        create<Data>(dk_data_from_dense, problem.x.data(), int64_t{60}, int64_t{3}, int64_t{3}, DK_ROW_MAJOR);
    EXPECT_EQ(info_of(train(plain, "auto")).at("task"), "novelty");
    EXPECT_EQ(dk_params_task(parameters("auto").get()), DK_TASK_ANY);
}

TEST(Choice, OfShuffledLabelsIsNoBetterThanChanceOnOuterFolds) {
    Problem problem = make_problem(120, 4, 2, 2, 7);
    Random random(8);
    for (int64_t& label : problem.labels) label = random.uniform() < 0.5 ? 0 : 1;
    const Model model = create<Model>(dk_cross_validate, dense(problem).get(),
                                      parameters("auto", "folds=4 candidates=20").get(), nullptr);
    const json nested = info_of(model).at("cross_validation").at("nested").at("metrics").at("accuracy");
    // Three standard deviations of a share of 120 rows around one half.
    EXPECT_NEAR(nested.at("mean").get<double>(), 0.5, 3 * 0.5 / std::sqrt(120.0));
}

TEST(Choice, WorksWithFewRowsRareClassesMissingValuesAndOtherKinds) {
    Problem few = make_problem(8, 2, 2, 1, 9);
    EXPECT_EQ(info_of(train(dense(few), "auto")).at("machine"), "svm");
    Problem rare = make_problem(40, 2, 2, 1, 10);
    rare.labels[7] = 99;
    EXPECT_EQ(info_of(train(dense(rare), "auto")).at("classes").size(), 3U) << "the one row trains, too";
    Problem lacking = make_problem(40, 2, 2, 1, 11);
    lacking.x[5] = std::nan("");
    const Data missing = create<Data>(dk_data_from_dense_missing, lacking.x.data(), int64_t{40}, int64_t{2},
                                      int64_t{2}, DK_ROW_MAJOR);
    check(dk_data_set_labels(missing.get(), lacking.labels.data(), 40));
    EXPECT_EQ(info_of(train(missing, "auto")).at("parameters").at("impute"), "median");
    const Model sparse = train(compressed(make_problem(40, 6, 2, 1, 12)), "auto");
    EXPECT_EQ(info_of(sparse).at("data"), "sparse");
}

TEST(Choice, NamesTheRowWhereNothingCanBeTrained) {
    Problem problem = make_problem(40, 2, 2, 1, 16);
    problem.x[10] = 1e160;  // Its square overflows.
    dk_model* out = nullptr;
    EXPECT_EQ(dk_train(&out, dense(problem).get(), parameters("auto", "scale=none").get(), nullptr),
              DK_ERR_NUMERICAL);
    EXPECT_EQ(out, nullptr);
    EXPECT_NE(std::string(dk_last_error()).find("row 5"), std::string::npos) << dk_last_error();
}

TEST(Choice, IsNoMachineWhereOneIsNeeded) {
    const Problem problem = make_problem(30, 2, 2, 1, 13);
    const Data data = dense(problem);
    const Model model = train(data, "svm");
    const Params automatic = parameters("auto");
    dk_model* out = nullptr;
    EXPECT_EQ(dk_compress(&out, model.get(), data.get(), automatic.get(), nullptr), DK_ERR_INVALID_PARAMETER);
    EXPECT_EQ(dk_mkl_compare(&out, data.get(), automatic.get(), nullptr), DK_ERR_INVALID_PARAMETER);
    EXPECT_NE(std::string(dk_last_error()).find("auto"), std::string::npos);
    for (const char* bad : {"0", "-1", "nan", "inf", "many"})
        EXPECT_EQ(dk_params_set(automatic.get(), "C", bad), DK_ERR_INVALID_PARAMETER) << bad;
    EXPECT_EQ(dk_train(&out, data.get(), parameters("auto", "outer_folds=1").get(), nullptr),
              DK_ERR_INVALID_PARAMETER);
}

TEST(ColumnScale, ByDefaultFollowsTheColumns) {
    Problem problem = make_problem(60, 4, 2, 1, 14);
    const auto decisions = [](const Problem& rows, const char* scale) {
        return decisions_of(train(dense(rows), "svm", scale), rows);
    };
    EXPECT_TRUE(same_bits(decisions(problem, ""), decisions(problem, "scale=none")));
    for (std::size_t i = 0; i < problem.x.size(); i += 4) problem.x[i] *= 1000;
    EXPECT_TRUE(same_bits(decisions(problem, ""), decisions(problem, "scale=standard")));
    const json info = info_of(train(dense(problem), "svm"));
    EXPECT_NE(info.at("training").at("scaled").get<std::string>().find("scale=none"), std::string::npos);
    EXPECT_FALSE(info_of(train(dense(problem), "svm", "scale=none")).at("training").contains("scaled"));
}

TEST(ColumnScale, OfSparseRowsDividesByTheLargestMagnitude) {
    Problem problem = make_problem(60, 4, 2, 1, 15);
    for (std::size_t i = 0; i < problem.x.size(); i += 4) problem.x[i] *= 1000;
    Problem divided = problem;
    for (std::size_t j = 0; j < 4; ++j) {
        double largest = 0;
        for (std::size_t i = j; i < problem.x.size(); i += 4)
            largest = std::max(largest, std::abs(problem.x[i]));
        for (std::size_t i = j; i < problem.x.size(); i += 4) divided.x[i] /= largest;
    }
    const auto decisions = [](const Problem& rows, const char* settings) {
        const Data data = compressed(rows);
        const Model model = train(data, "svm", settings);
        const Model read = read_model(bytes_of(model.get()));
        return values_of<double>(rows.rows, dk_decision, read.get(), data.get(), nullptr);
    };
    EXPECT_TRUE(same_bits(decisions(problem, ""), decisions(divided, "scale=none")));
    EXPECT_TRUE(same_bits(decisions(problem, "scale=largest"), decisions(divided, "scale=none")));
}

}  // namespace
}  // namespace dk_test::choice_test
