// SPDX-License-Identifier: Apache-2.0
// Several targets, deviations and clusters through the C interface. Two rows whose kernel value is 1/2 give
// with C = 1 the matrix K + I = [2 1/2; 1/2 2], whose inverse is [8 -2; -2 8] / 15.
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answers.hpp"
#include "read_files.hpp"

namespace dk_test::targets_test {
namespace {

const char* const ridge = "kernel=rbf(gamma=0.6931471805599453) scale=none";

Data rows_of(const std::vector<double>& x, const std::vector<double>& targets = {}) {
    const auto rows = static_cast<int64_t>(x.size());
    Data data = create<Data>(dk_data_from_dense, x.data(), rows, 1, 1, DK_ROW_MAJOR);
    if (!targets.empty())
        check(dk_data_set_targets(data.get(), targets.data(), static_cast<int64_t>(targets.size())));
    return data;
}

Model trained(const Data& data, const char* machine, const char* settings) {
    return create<Model>(dk_train, data.get(), parameters(machine, settings).get(), nullptr);
}

TEST(SeveralTargetsOfC, AreARowOfPredictions) {
    const Data data = rows_of({0, 1}, {1, 10, 2, 20});
    const Model model = trained(data, "kernel_ridge", ridge);
    EXPECT_EQ(dk_model_target_count(model.get()), 2);
    EXPECT_EQ(dk_model_decision_count(model.get()), 2);
    EXPECT_EQ(dk_model_task(model.get()), DK_TASK_REGRESSION);
    expect_exact_length<double>(
        [&](double* out, int64_t n) { return dk_predict(out, n, model.get(), data.get(), nullptr); }, 4);
    const auto found = values_of<double>(4, dk_predict, model.get(), data.get(), nullptr);
    const std::vector<double> expected{11.0 / 15, 110.0 / 15, 16.0 / 15, 160.0 / 15};
    for (std::size_t e = 0; e < 4; ++e) EXPECT_NEAR(found[e], expected[e], 1e-12);
    double rmse = 0;
    check(dk_score(&rmse, model.get(), data.get(), "rmse", nullptr));
    const double of_first = std::sqrt((std::pow(4.0 / 15, 2) + std::pow(14.0 / 15, 2)) / 2);
    EXPECT_NEAR(rmse, 5.5 * of_first, 1e-12);
    EXPECT_EQ(nlohmann::json::parse(text_of(dk_model_info, model.get())).at("targets"), 2);
}

TEST(SeveralTargetsOfC, AreSelectedWithTheirRows) {
    const Data data = rows_of({0, 1, 2}, {1, 10, 2, 20, 3, 30});
    const std::vector<int64_t> some{2, 0};
    const Data selected = create<Data>(dk_data_select, data.get(), some.data(), 2);
    const auto told = nlohmann::json::parse(text_of(dk_data_describe, selected.get(), nullptr));
    EXPECT_EQ(told.at("answers").at("targets")[1].at("largest"), 30);
    EXPECT_EQ(told.at("answers").at("targets")[1].at("least"), 10);
    // One target a row takes the place of several.
    const std::vector<double> one{5, 6, 7};
    check(dk_data_set_targets(data.get(), one.data(), 3));
    EXPECT_EQ(dk_model_target_count(trained(data, "kernel_ridge", "").get()), 1);
}

TEST(SeveralTargetsOfC, AreFiniteAndWhole) {
    const Data data = rows_of({0, 1});
    const std::vector<double> odd{1, 2, 3};
    expect_failure([&] { return dk_data_set_targets(data.get(), odd.data(), 3); }, DK_ERR_INVALID_ARGUMENT,
                   {"targets has 3 elements", "it must have 2, or a multiple"});
    const std::vector<double> missing{1, 2, 3, std::numeric_limits<double>::quiet_NaN()};
    expect_failure([&] { return dk_data_set_targets(data.get(), missing.data(), 4); }, DK_ERR_INVALID_DATA,
                   {"target of row 1"});
    expect_failure([&] { return dk_data_set_targets(data.get(), nullptr, 4); }, DK_ERR_INVALID_ARGUMENT,
                   {"targets"});
}

TEST(SeveralTargetsOfC, HaveNoPage) {
    const Data data = rows_of({0, 1, 2, 3, 4, 5}, {1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60});
    const Model model = trained(data, "kernel_ridge", "");
    int64_t needed = 0;
    expect_failure(
        [&] { return dk_explain_row(nullptr, 0, &needed, model.get(), data.get(), 0, nullptr, nullptr); },
        DK_ERR_UNSUPPORTED, {"a row is explained for one number, and the model predicts 2"});
}

TEST(DeviationsOfC, AreOneARow) {
    const Data data = rows_of({0, 1}, {1, 2});
    const Model model = trained(data, "kernel_ridge", ridge);
    expect_exact_length<double>(
        [&](double* out, int64_t n) { return dk_deviation(out, n, model.get(), data.get(), nullptr); }, 2);
    for (const double deviation : values_of<double>(2, dk_deviation, model.get(), data.get(), nullptr))
        EXPECT_NEAR(deviation, std::sqrt(1 - 8.0 / 15), 1e-12);
    std::vector<double> out(2);
    const Model svr = trained(data, "svr", "");
    expect_failure([&] { return dk_deviation(out.data(), 2, svr.get(), data.get(), nullptr); },
                   DK_ERR_UNSUPPORTED, {"svr", "kernel_ridge"});
}

/// Sums over training rows are the decisions, for machines whose decisions are such sums; others say so.
TEST(DualCoefficientsOfC, AreThoseOfTheDecisions) {
    const Problem problem = make_problem(60, 3, 3, 1.0, 5);
    const Data data = dense(problem);
    for (const char* machine :
         {"svm", "kelm", "fisher", "cvm", "mcvm", "similarity_ridge", "iskpl", "super_sparse"}) {
        const Model model = trained(data, machine, "kernel=rbf(gamma=0.5) scale=none");
        const int64_t functions = dk_model_decision_count(model.get());
        std::vector<double> out(static_cast<std::size_t>(functions * 60));
        if (std::string(machine) == "iskpl" || std::string(machine) == "super_sparse") {
            for (const auto& call :
                 {std::function<dk_status()>(
                      [&] { return dk_model_dual_coefficients(out.data(), functions * 60, model.get()); }),
                  std::function<dk_status()>(
                      [&] { return dk_model_dual_offsets(out.data(), functions, model.get()); })})
                expect_failure(call, DK_ERR_UNSUPPORTED, {"no coefficients"});
            continue;
        }
        expect_exact_length<double>(
            [&](double* to, int64_t n) { return dk_model_dual_coefficients(to, n, model.get()); },
            functions * 60);
        expect_exact_length<double>(
            [&](double* to, int64_t n) { return dk_model_dual_offsets(to, n, model.get()); }, functions);
        const auto coefficients = values_of<double>(functions * 60, dk_model_dual_coefficients, model.get());
        const auto offsets = values_of<double>(functions, dk_model_dual_offsets, model.get());
        const auto decided = values_of<double>(60 * functions, dk_decision, model.get(), data.get(), nullptr);
        for (int64_t i = 0; i < 60; ++i) {
            for (int64_t f = 0; f < functions; ++f) {
                double sum = offsets[static_cast<std::size_t>(f)];
                for (int64_t j = 0; j < 60; ++j) {
                    double distance = 0;
                    for (int64_t c = 0; c < 3; ++c)
                        distance += std::pow(problem.x[static_cast<std::size_t>(3 * i + c)] -
                                                 problem.x[static_cast<std::size_t>(3 * j + c)],
                                             2);
                    sum += coefficients[static_cast<std::size_t>(f * 60 + j)] * std::exp(-0.5 * distance);
                }
                const double expected = decided[static_cast<std::size_t>(i * functions + f)];
                EXPECT_NEAR(sum, expected, 1e-6 * (1 + std::abs(expected))) << machine << i << f;
            }
        }
    }
}

TEST(ClustersOfC, AreNumbersFromZero) {
    const Data data = rows_of({0, 0.1, 5, 5.1, 5.2});
    const Model model = trained(data, "kernel_k_means", "clusters=2 kernel=linear");
    EXPECT_EQ(dk_model_task(model.get()), DK_TASK_CLUSTERING);
    EXPECT_EQ(dk_params_task(parameters("kernel_k_means").get()), DK_TASK_CLUSTERING);
    EXPECT_EQ(dk_model_class_count(model.get()), 2);
    EXPECT_EQ(values_of<double>(5, dk_predict, model.get(), data.get(), nullptr),
              (std::vector<double>{1, 1, 0, 0, 0}));
    const auto shares = values_of<double>(10, dk_model_prototype_coefficients, model.get());
    EXPECT_NEAR(shares[2], 1.0 / 3, 1e-15);
    EXPECT_EQ(shares[5], 0.5);
}

class TargetsOfFiles : public ReadFiles {
  protected:
    static double target_mean(const Data& data, std::size_t t) {
        const auto told = nlohmann::json::parse(text_of(dk_data_describe, data.get(), nullptr));
        return told.at("answers").at("targets")[t].at("mean").get<double>();
    }
};

TEST_F(TargetsOfFiles, AreTheColumnsThatTheLabelLists) {
    const std::string table = "x,a,colour,b\n0,1,red,10\n1,2,blue,20\n2,6,red,60\n";
    const Data data = read(table, "label=b,a");
    EXPECT_EQ(names(data), (std::vector<std::string>{"x", "colour=blue", "colour=red"}));
    EXPECT_EQ(target_mean(data, 0), 30);
    EXPECT_EQ(target_mean(data, 1), 3);
    EXPECT_EQ(target_mean(read(table, "label=3,1"), 0), 30);
    const Model model = trained(data, "kernel_ridge", "kernel=linear C=1e6");
    EXPECT_EQ(dk_model_target_count(model.get()), 2);
    // Rows to predict need no targets; some alone are no answer to score by, and no features.
    for (const char* rows : {"colour,x\nred,1\n", "colour,a,x\nred,5,1\n", "a,colour,b,x\n,red,,1\n"}) {
        const Data more = read_like(model, rows);
        EXPECT_EQ(dk_data_cols(more.get()), 3);
        EXPECT_TRUE(same_bits(values(more), {1, 0, 1}));
        double unused = 0;
        EXPECT_NE(dk_score(&unused, model.get(), more.get(), "rmse", nullptr), DK_OK);
    }
    // Places in the training file are names from then on.
    const Model by_place = trained(read(table, "label=3,1"), "kernel_ridge", "kernel=linear C=1e6");
    const Data moved = read_like(by_place, "colour,a,x,b\nred,1,0,10\nblue,2,1,20\n");
    EXPECT_EQ(target_mean(moved, 0), 15);
    const Data labelled = read_like(model, "b,a,colour,x\n10,1,red,0\n20,2,blue,1\n");
    double rmse = 0;
    check(dk_score(&rmse, model.get(), labelled.get(), "rmse", nullptr));
    EXPECT_LT(rmse, 0.1);
}

TEST_F(TargetsOfFiles, AreNumbersOfEveryRow) {
    expect_refused_as("t.csv", "x,a,b\n0,1,2\n1,high,3\n", "label=a,b", {"line 3", "high", "target"});
    expect_refused_as("t.csv", "x,a,b\n0,1,2\n1,,3\n", "label=a,b", {"line 3", "target", "missing"});
    EXPECT_EQ(target_mean(read("x,a,b\n0,1,2\n1,,3\n2,5,\n3,7,8\n", "label=a,b unlabelled=skip"), 1), 5);
    expect_refused_as("t.csv", "x,a,b\n0,1,2\n", "label=a,c", {"c", "nearest"}, DK_ERR_INVALID_PARAMETER);
    expect_refused_as("t.csv", "x,a,b\n0,1,2\n", "label=a,1", {"1", "twice"}, DK_ERR_INVALID_PARAMETER);
    for (const char* options : {"label=none,b", "label=auto,b", "label=a,none"})
        expect_refused_as("t.csv", "x,a,b\n0,1,2\n", options, {"label"}, DK_ERR_INVALID_PARAMETER);
    // A column of this name is one label.
    const Data one = read("x,\"a,b\"\n0,1\n1,2\n", "label=a,b");
    EXPECT_TRUE(is_labelled(one));
    // In decimal commas, too.
    EXPECT_EQ(target_mean(read("x;a;b\n0;1,5;2\n1;2,5;4\n", "label=a,b"), 0), 2);
}

}  // namespace
}  // namespace dk_test::targets_test
