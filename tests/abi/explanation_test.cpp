// SPDX-License-Identifier: Apache-2.0
// What dk_explain_row promises: sums and shares, counterfactuals that turn the prediction, and influences
// that are what training without a row gives.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "expectations.hpp"
#include "structures.hpp"

namespace dk_test::explanation_test {
namespace {

using nlohmann::json;

json explained(const Model& model, const Data& data, int64_t row, const Data& training = nullptr) {
    return json::parse(text_of(dk_explain_row, model.get(), data.get(), row, training.get(),
                               static_cast<dk_control*>(nullptr)));
}

/// Expects the contributions of a group and its offset to sum to the answer, and the magnitudes of the shares
/// to sum to 100.
void expect_sum(const json& group, double answer, double tolerance) {
    double sum = group.at("offset").at("contribution");
    double size = std::abs(sum);
    double shares = std::abs(group.at("offset").at("share").get<double>());
    for (const json& pull : group.at("pulls")) {
        const double contribution = pull.at("contribution");
        const double share = pull.at("share");
        sum += contribution;
        size += std::abs(contribution);
        shares += std::abs(share);
        EXPECT_GE(contribution * share, 0) << "a share has the sign of its contribution";
    }
    EXPECT_NEAR(sum, answer, tolerance * (1 + size));
    EXPECT_NEAR(shares, size > 0 ? 100 : 0, 1e-9);
}

void expect_sums(const json& explanation, double tolerance) {
    const double answer = explanation.at("answer");
    for (const char* group : {"prototypes", "training_rows", "kernels"}) {
        if (explanation.contains(group)) expect_sum(explanation.at(group), answer, tolerance);
    }
}

Data with_targets(const Problem& problem) {
    Data data = unlabelled(problem);
    std::vector<double> targets;
    for (int64_t i = 0; i < problem.rows; ++i) {
        const auto x = problem.x.begin() + i * problem.cols;
        targets.push_back(std::sin(x[0]) + x[1]);
    }
    check(dk_data_set_targets(data.get(), targets.data(), problem.rows));
    return data;
}

class ExplanationOfMachine : public testing::TestWithParam<std::string> {};

std::vector<std::string> machine_names() {
    std::vector<std::string> names;
    const json described = json::parse(text_of(dk_describe));
    for (const json& machine : described.at("machines")) names.push_back(machine.at("name"));
    return names;
}

TEST_P(ExplanationOfMachine, SumsToTheAnswer) {
    const Problem problem = make_problem(60, 4, 3, 2.0, 17);
    const Params params = parameters(GetParam().c_str());
    const bool regression = dk_params_task(params.get()) == DK_TASK_REGRESSION;
    const Data data = regression ? with_targets(problem) : dense(problem);
    const Model model = create<Model>(dk_train, data.get(), params.get(), nullptr);
    const std::vector<double> decided = decisions(model, data);
    const int64_t functions = dk_model_decision_count(model.get());
    for (const int64_t row : {0, 7, 31}) {
        const json explanation = explained(model, data, row, data);
        expect_sums(explanation, 1e-10);
        if (functions == 1) {
            const double decision = decided[static_cast<std::size_t>(row)];
            EXPECT_NEAR(explanation.at("answer").get<double>(), regression ? decision : std::abs(decision),
                        1e-12);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, ExplanationOfMachine, testing::ValuesIn(machine_names()),
                         [](const auto& one) { return one.param; });

TEST(Explanation, OfPairsIsThatOfThePairsFunction) {
    const Problem problem = make_problem(60, 4, 3, 1.0, 5);
    const Data data = dense(problem);
    const Model model = train(data, "svm", "C=10");
    const std::vector<double> decided = decisions(model, data);
    for (int64_t row = 0; row < 20; ++row) {
        const json explanation = explained(model, data, row);
        const auto position = [&](const char* name) {
            return (std::stoll(explanation.at(name).get<std::string>()) + 2) / 5;
        };
        const int64_t elected = position("prediction");
        const int64_t instead = position("instead_of");
        const int64_t low = std::min(elected, instead);
        const int64_t function = low == 0 ? std::max(elected, instead) - 1 : 2;
        const double decision = decided[static_cast<std::size_t>(3 * row + function)];
        EXPECT_EQ(explanation.at("answer").get<double>(), elected == low ? decision : -decision);
    }
}

TEST(Explanation, OfKernelsIsWhatEachKernelAdds) {
    const Problem problem = make_problem(40, 3, 2, 1.0, 8);
    const Data data = dense(problem);
    const Model model = train(data, "svm", "C=3 kernel=[rbf(gamma=0.2),linear] weights=dimkl1");
    const json explanation = explained(model, data, 4);
    const json& rows = explanation.at("training_rows").at("pulls");
    const auto gram_of = [&](int64_t kernel) {
        const std::string name = text_of(dk_model_kernel_name, model.get(), kernel);
        return values_of<double>(1600, dk_gram, data.get(), static_cast<const dk_data*>(nullptr),
                                 name.c_str(), static_cast<dk_control*>(nullptr));
    };
    const std::vector<std::vector<double>> grams{gram_of(0), gram_of(1)};
    const auto weights = values_of<double>(2, dk_model_kernel_weights, model.get());
    std::vector<double> sums(2);
    for (const json& pull : rows) {
        const auto at = static_cast<std::size_t>(4 * 40 + pull.at("row").get<int64_t>());
        const double k = weights[0] * grams[0][at] + weights[1] * grams[1][at];
        const double gamma = pull.at("contribution").get<double>() / k;
        for (std::size_t m = 0; m < 2; ++m) sums[m] += weights[m] * gamma * grams[m][at];
    }
    for (const json& pull : explanation.at("kernels").at("pulls"))
        EXPECT_NEAR(pull.at("contribution").get<double>(), sums[pull.at("kernel").get<std::size_t>()], 1e-9);
}

TEST(Explanation, OfSinglePrecisionSumsToItsRounding) {
    const Problem problem = make_problem(60, 4, 3, 1.0, 5);
    const Data data = dense(problem);
    const Model model = train(data, "svm", "C=10 precision=single");
    expect_sums(explained(model, data, 3), 1e-5);
}

TEST(Explanation, OfStructuresHasTheNearestRowOfAnotherClass) {
    const Data data = series(30, 1, 3);
    const Model model = train(data, "svm");
    const json explanation = explained(model, data, 2, data);
    expect_sums(explanation, 1e-10);
    EXPECT_FALSE(explanation.contains("counterfactual"));
    EXPECT_NE(explanation.at("nearest_other").at("prediction"), explanation.at("prediction"));
    EXPECT_EQ(explanation.at("nearest_other").at("row").get<int64_t>() % 2, 1) << "classes take turns";
}

class Counterfactual : public testing::TestWithParam<std::string> {};

TEST_P(Counterfactual, TurnsThePrediction) {
    const Problem problem = make_problem(80, 5, 3, 2.0, 23);
    const Data data = dense(problem);
    const Model model = train(data, GetParam().c_str(), "scale=standard");
    int64_t found = 0;
    for (int64_t row = 0; row < 12; ++row) {
        const json explanation = explained(model, data, row, data);
        if (!explanation.contains("counterfactual")) continue;
        ++found;
        const json& counterfactual = explanation.at("counterfactual");
        std::vector<double> x(problem.x.begin() + row * 5, problem.x.begin() + (row + 1) * 5);
        double squares = 0;
        for (const json& change : counterfactual.at("changes")) {
            double& value = x[change.at("column").get<std::size_t>()];
            EXPECT_EQ(value, change.at("from").get<double>());
            value = change.at("to");
            squares += std::pow(change.at("deviations").get<double>(), 2);
        }
        EXPECT_NEAR(counterfactual.at("distance").get<double>(), std::sqrt(squares), 1e-9);
        const Data changed =
            create<Data>(dk_data_from_dense, x.data(), int64_t{1}, int64_t{5}, int64_t{5}, DK_ROW_MAJOR);
        const double now = predictions(model, changed).front();
        EXPECT_EQ(std::to_string(static_cast<int64_t>(now)),
                  counterfactual.at("prediction").get<std::string>());
        EXPECT_NE(counterfactual.at("prediction"), explanation.at("prediction"));
    }
    EXPECT_GE(found, 10) << "hardly any row has a counterfactual";
}

TEST_P(Counterfactual, HasValuesThatColumnsHaveInTraining) {
    // Columns: whole numbers, indicators, and positive numbers.
    Problem problem{150, 3, {}, {}};
    Random random(7);
    for (int64_t i = 0; i < problem.rows; ++i) {
        const double count = std::floor(8 * random.uniform());
        const double indicator = random.uniform() < 0.5 ? 0 : 1;
        const double amount = std::exp(random.normal());
        problem.x.insert(problem.x.end(), {count, indicator, amount});
        problem.labels.push_back(count + 3 * indicator + amount > 5.5 ? 1 : 0);
    }
    const Data data = dense(problem);
    const Model model = train(data, GetParam().c_str(), "scale=standard");
    double least = problem.x[2];
    double most = problem.x[2];
    for (std::size_t at = 2; at < problem.x.size(); at += 3) {
        least = std::min(least, problem.x[at]);
        most = std::max(most, problem.x[at]);
    }
    int64_t found = 0;
    for (int64_t row = 0; row < 20; ++row) {
        const json explanation = explained(model, data, row, data);
        if (!explanation.contains("counterfactual")) continue;
        ++found;
        for (const json& change : explanation.at("counterfactual").at("changes")) {
            const double to = change.at("to");
            const auto column = change.at("column").get<int64_t>();
            if (column < 2) {
                EXPECT_EQ(to, std::round(to));
            }
            EXPECT_GE(to, column == 2 ? least : 0);
            EXPECT_LE(to, column == 0 ? 7 : column == 1 ? 1 : most);
        }
    }
    EXPECT_GE(found, 15);
}

TEST(Explanation, ATrainingColumnMayMissAllValues) {
    const Problem problem = make_problem(60, 3, 2, 1.5, 13);
    const Data data = dense(problem);
    const Model model = train(data, "svm", "impute=mean scale=standard");
    std::vector<double> holes = problem.x;
    for (std::size_t at = 1; at < holes.size(); at += 3) holes[at] = std::nan("");
    const Data missing = create<Data>(dk_data_from_dense_missing, holes.data(), problem.rows, problem.cols,
                                      problem.cols, DK_ROW_MAJOR);
    check(dk_data_set_labels(missing.get(), problem.labels.data(), problem.rows));
    for (int64_t row = 0; row < 10; ++row) expect_sums(explained(model, data, row, missing), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Machines, Counterfactual,
                         testing::Values("svm", "kelm", "fisher", "cvm", "imkpl", "super_sparse", "kglvq",
                                         "nearest_neighbours"),
                         [](const auto& one) { return one.param; });

Problem without_row(const Problem& problem, int64_t row) {
    Problem rest{problem.rows - 1, problem.cols, problem.x, problem.labels};
    rest.x.erase(rest.x.begin() + row * problem.cols, rest.x.begin() + (row + 1) * problem.cols);
    rest.labels.erase(rest.labels.begin() + row);
    return rest;
}

class RidgeInfluence : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(RidgeInfluence, EqualsTrainingWithoutTheRow) {
    const auto& [machine, settings] = GetParam();
    const Problem problem = make_problem(40, 3, 2, 1.0, 29);
    const bool regression = machine == "kernel_ridge";
    const auto data_of = [&](const Problem& rows) { return regression ? with_targets(rows) : dense(rows); };
    const Data data = data_of(problem);
    const Model model = train(data, machine.c_str(), "kernel=rbf(gamma=0.3) " + settings);
    const json explanation = explained(model, data, 6);
    const json& rows = explanation.at("influences").at("rows");
    ASSERT_EQ(rows.size(), 40U);
    const double sign = decisions(model, data)[6] * explanation.at("answer").get<double>() < 0 ? -1 : 1;
    for (const json& influence : rows) {
        const Data rest = data_of(without_row(problem, influence.at("row")));
        const Model without = train(rest, machine.c_str(), "kernel=rbf(gamma=0.3) " + settings);
        const double change = sign * (decisions(model, data)[6] - decisions(without, data)[6]);
        EXPECT_NEAR(influence.at("change").get<double>(), change, 1e-8);
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, RidgeInfluence,
                         testing::Combine(testing::Values("kelm", "kernel_ridge"),
                                          testing::Values("C=3", "C=30 offset=yes")),
                         [](const auto& one) {
                             return std::get<0>(one.param) +
                                    (std::get<1>(one.param) == "C=3" ? "" : "_with_offset");
                         });

/// Ranks of values, where equal ones have their mean rank.
std::vector<double> ranks_of(const std::vector<double>& values) {
    std::vector<double> ranks;
    for (const double value : values) {
        double rank = 0;
        for (const double other : values) rank += other < value ? 1 : other == value ? 0.5 : 0;
        ranks.push_back(rank);
    }
    return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const auto mean = [](const std::vector<double>& v) {
        double sum = 0;
        for (const double value : v) sum += value;
        return sum / static_cast<double>(v.size());
    };
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - mean(a)) * (b[i] - mean(b));
        aa += (a[i] - mean(a)) * (a[i] - mean(a));
        bb += (b[i] - mean(b)) * (b[i] - mean(b));
    }
    return ab / std::sqrt(aa * bb);
}

TEST(MarginInfluence, RanksRowsAsTrainingWithoutThemDoes) {
    const Data data = create<Data>(dk_data_from_file, DK_EXAMPLE_DATA "/sonar.csv", "", nullptr);
    const std::string settings = "C=1 kernel=rbf(gamma=0.1) tolerance=1e-6 scale=standard";
    const Model model = train(data, "svm", settings);
    const json explanation = explained(model, data, 20, data);
    const Data row = create<Data>(dk_data_select, data.get(), std::vector<int64_t>{20}.data(), int64_t{1});
    const double decision = decisions(model, row).front();
    const double sign = decision * explanation.at("answer").get<double>() < 0 ? -1 : 1;
    std::vector<double> said;
    std::vector<double> found;
    for (const json& influence : explanation.at("influences").at("rows")) {
        const int64_t left_out = influence.at("row");
        std::vector<int64_t> rest;
        for (int64_t i = 0; i < 208; ++i) {
            if (i != left_out) rest.push_back(i);
        }
        const Data others = create<Data>(dk_data_select, data.get(), rest.data(), int64_t{207});
        said.push_back(influence.at("change"));
        found.push_back(sign * (decision - decisions(train(others, "svm", settings), row).front()));
    }
    ASSERT_GE(said.size(), 50U);
    // Without a row the scaling of columns is learned anew here, which moves all answers a little.
    EXPECT_GE(correlation(ranks_of(said), ranks_of(found)), 0.9);
}

TEST(MarginInfluence, IsLeftOutWhereItIsNotKnown) {
    const Data data = dense(make_problem(120, 3, 2, 1.0, 41));
    const Model svm = train(data, "svm");
    EXPECT_TRUE(explained(svm, data, 9, data).contains("influences"));
    EXPECT_FALSE(explained(svm, data, 9).contains("influences")) << "the training rows are not known";
    EXPECT_FALSE(explained(train(data, "mean_of_class"), data, 9, data).contains("influences"));
}

TEST(Explanation, IsTheSameBytesForAnyNumberOfThreads) {
    const Problem problem = make_problem(90, 6, 3, 1.0, 2);
    const Data data = dense(problem);
    const Model model = train(data, "svm", "C=10");
    const auto text = [&](int32_t threads) {
        const Control control = control_with(threads);
        return text_of(dk_explain_row, model.get(), data.get(), int64_t{3}, data.get(), control.get());
    };
    EXPECT_EQ(text(1), text(3));
}

TEST(Explanation, RefusesWhatItCannotExplain) {
    const Problem problem = make_problem(30, 3, 2, 1.0, 2);
    const Data data = dense(problem);
    const Data few = dense(make_problem(20, 3, 2, 1.0, 3));
    const Data wide = dense(make_problem(30, 4, 2, 1.0, 3));
    const Model model = train(data, "svm");
    int64_t needed = 0;
    const auto call = [&](const dk_model* m, const dk_data* d, int64_t row, const dk_data* training) {
        return dk_explain_row(nullptr, 0, &needed, m, d, row, training, nullptr);
    };
    expect_failure_in([&] { return call(nullptr, data.get(), 0, nullptr); }, {DK_ERR_INVALID_ARGUMENT},
                      {"model"});
    expect_failure_in([&] { return call(model.get(), nullptr, 0, nullptr); }, {DK_ERR_INVALID_ARGUMENT},
                      {"data"});
    expect_failure_in([&] { return call(model.get(), data.get(), 30, nullptr); }, {DK_ERR_INVALID_ARGUMENT},
                      {"row", "30", "29"});
    expect_failure_in([&] { return call(model.get(), data.get(), -1, nullptr); }, {DK_ERR_INVALID_ARGUMENT},
                      {"row", "-1"});
    expect_failure_in([&] { return call(model.get(), data.get(), 0, few.get()); }, {DK_ERR_DIMENSION},
                      {"20", "30"});
    expect_failure_in([&] { return call(model.get(), wide.get(), 0, nullptr); }, {DK_ERR_DIMENSION},
                      {"3", "4"});
    expect_failure_in([&] { return call(model.get(), data.get(), 0, wide.get()); }, {DK_ERR_DIMENSION},
                      {"3", "4"});
}

}  // namespace
}  // namespace dk_test::explanation_test
