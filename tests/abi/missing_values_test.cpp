// SPDX-License-Identifier: Apache-2.0
// These tests expect missing values to be refused unless asked for, named where they are, and filled as if by
// hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"
#include "structures.hpp"

namespace dk_test::missing_values_test {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr dk_status bad_data = DK_ERR_INVALID_DATA;
constexpr int64_t rows = 40;
constexpr int64_t cols = 3;

Data with_missing(const Problem& problem) {
    Data data = create<Data>(dk_data_from_dense_missing, problem.x.data(), problem.rows, problem.cols,
                             problem.cols, DK_ROW_MAJOR);
    label(data, problem.labels);
    return data;
}

/// Gives what a column's missing values become, which is the mean of the others or their median.
double filling(const Problem& problem, std::size_t column, const std::string& method) {
    std::vector<double> present;
    for (std::size_t at = column; at < problem.x.size(); at += cols) {
        if (!std::isnan(problem.x[at])) present.push_back(problem.x[at]);
    }
    std::sort(present.begin(), present.end());
    const std::size_t half = present.size() / 2;
    if (method == "median") {
        return present.size() % 2 == 1 ? present[half] : 0.5 * (present[half - 1] + present[half]);
    }
    double sum = 0.0;
    for (const double value : present) sum += value;
    return sum / static_cast<double>(present.size());
}

/// Fills the missing values of a problem, and those of another one from the columns of the first.
Problem filled(Problem chosen, const Problem& from, const std::string& method) {
    for (std::size_t at = 0; at < chosen.x.size(); ++at) {
        if (std::isnan(chosen.x[at])) chosen.x[at] = filling(from, at % cols, method);
    }
    return chosen;
}

class MissingValues : public testing::Test {
  protected:
    Problem problem = holed(make_problem(rows, cols, 2, 2.5, 101), 9);
    Problem others = holed(make_problem(15, cols, 2, 2.5, 102), 5);

    /// Makes every `every`-th value missing; row 0 stays whole.
    static Problem holed(Problem whole, std::size_t every) {
        for (std::size_t at = cols + 1; at < whole.x.size(); at += every) whole.x[at] = missing;
        return whole;
    }

    static void expect_no_training(const Data& data, const std::string& settings, dk_status status,
                                   const Words& words, Place where = Place::current()) {
        const Params params = parameters("svm", settings);
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); }, status, words,
            where);
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_cross_validate(out, data.get(), params.get(), nullptr); }, status,
            words, where);
    }
};

TEST_F(MissingValues, OnlyOneConstructorTakesThem) {
    expect_no_handle<dk_data>(
        [&](dk_data** out) {
            return dk_data_from_dense(out, problem.x.data(), rows, cols, cols, DK_ROW_MAJOR);
        },
        bad_data, {"row", "1", "column"});
    const Data data = with_missing(problem);
    EXPECT_EQ(dk_data_kind(data.get()), DK_KIND_DENSE);
    EXPECT_EQ(dk_data_rows(data.get()), rows);
    const auto values = values_of<double>(rows * cols, dk_data_values, data.get());
    for (std::size_t at = 0; at < values.size(); ++at) {
        EXPECT_EQ(std::isnan(values[at]), std::isnan(problem.x[at]));
        if (!std::isnan(values[at])) {
            EXPECT_EQ(values[at], problem.x[at]);
        }
    }
}

TEST_F(MissingValues, ColumnMajorAndPadding) {
    const std::vector<double> x{1.0, missing, infinity, 3.0, 4.0, infinity};
    const Data data =
        create<Data>(dk_data_from_dense_missing, x.data(), int64_t{2}, int64_t{2}, int64_t{3}, DK_COL_MAJOR);
    const auto values = values_of<double>(4, dk_data_values, data.get());
    EXPECT_EQ(values[0], 1.0);
    EXPECT_EQ(values[1], 3.0);
    EXPECT_TRUE(std::isnan(values[2]));
    EXPECT_EQ(values[3], 4.0);
}

TEST_F(MissingValues, BadArguments) {
    const double* x = problem.x.data();
    const auto make = [](const double* values, int64_t r, int64_t c, int64_t ld, dk_layout layout) {
        return [=](dk_data** out) { return dk_data_from_dense_missing(out, values, r, c, ld, layout); };
    };
    constexpr dk_status invalid = DK_ERR_INVALID_ARGUMENT;
    expect_failure([&] { return dk_data_from_dense_missing(nullptr, x, 2, 3, 3, DK_ROW_MAJOR); }, invalid,
                   {"out"});
    expect_no_handle<dk_data>(make(nullptr, 2, 3, 3, DK_ROW_MAJOR), invalid, {"x"});
    expect_no_handle<dk_data>(make(x, 0, 3, 3, DK_ROW_MAJOR), invalid, {"rows", "0"});
    expect_no_handle<dk_data>(make(x, 2, -1, 3, DK_ROW_MAJOR), invalid, {"cols", "-1"});
    expect_no_handle<dk_data>(make(x, 2, 3, 2, DK_ROW_MAJOR), invalid, {"ld", "2"});
    expect_no_handle<dk_data>(make(x, 2, 3, 3, 2), invalid, {"layout", "2"});
}

TEST_F(MissingValues, InfinityIsNeverMissing) {
    for (const double bad : {infinity, -infinity}) {
        std::vector<double> x(12, missing);
        x[7] = bad;
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_dense_missing(out, x.data(), 4, 3, 3, DK_ROW_MAJOR); },
            bad_data, {"row", "2", "column", "1"});
    }
}

TEST_F(MissingValues, TrainingAndMatricesRefuseThemWithTheirPlace) {
    Problem one = make_problem(rows, cols, 2, 2.5, 101);
    one.x[23 * cols + 2] = missing;
    const Data data = with_missing(one);
    const Words place{"row", "23", "column", "2"};
    for (const char* settings : {"", "kernel=linear", "scale=standard", "scale=robust", "scale=minmax",
                                 "impute=none", "kernel=[linear,rbf] weights=dimkl1"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, settings);
        expect_no_training(data, settings, bad_data, {"row", "column", "2"});
        const Params params = parameters("svm", settings);
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); }, bad_data,
            place);
    }
    const Data whole = dense(make_problem(5, cols, 2, 2.5, 1));
    std::vector<double> out(rows * rows);
    std::vector<float> single(rows * rows);
    const dk_data* d = data.get();
    const dk_data* w = whole.get();
    expect_failure([&] { return dk_gram(out.data(), rows * rows, d, nullptr, "rbf", nullptr); }, bad_data,
                   place);
    expect_failure([&] { return dk_gram(out.data(), rows * 5, d, w, "rbf(gamma=1)", nullptr); }, bad_data,
                   place);
    expect_failure([&] { return dk_gram(out.data(), rows * 5, w, d, "rbf(gamma=1)", nullptr); }, bad_data,
                   place);
    expect_failure([&] { return dk_gram_f32(single.data(), rows * rows, d, nullptr, "linear", nullptr); },
                   bad_data, place);
    const std::vector<double> v(rows, 1.0);
    expect_failure(
        [&] { return dk_gram_product(out.data(), rows, d, nullptr, "linear", v.data(), 1, nullptr); },
        bad_data, place);
}

TEST_F(MissingValues, CrossValidationNamesTheRowOfTheDataNotOfTheFold) {
    Problem one = make_problem(rows, cols, 2, 2.5, 101);
    one.x[23 * cols + 2] = missing;
    const Data data = with_missing(one);
    const Params params = parameters("svm");
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_cross_validate(out, data.get(), params.get(), nullptr); }, bad_data,
        {"row", "23", "column", "2"});
}

TEST_F(MissingValues, FilledAsByHand) {
    const Data data = with_missing(problem);
    const Data test = with_missing(others);
    for (const std::string method : {"mean", "median"}) {
        const Data by_hand = dense(filled(problem, problem, method));
        const Data test_by_hand = dense(filled(others, problem, method));
        for (const char* machine : {"svm", "fisher", "mean_of_class"}) {
            for (const char* scale : {"none", "standard", "robust", "minmax"}) {
                const std::string settings =
                    std::string("tolerance=1e-8 kernel=rbf(gamma=0.3) scale=") + scale;
                const std::string used =
                    machine == std::string("svm") ? settings : settings.substr(settings.find(' ') + 1);
                const testing::ScopedTrace trace(__FILE__, __LINE__, method + machine + scale);
                const Model model = train(data, machine, used + " impute=" + method);
                const Model expected = train(by_hand, machine, used);
                EXPECT_EQ(predictions(model, test), predictions(expected, test_by_hand));
                EXPECT_TRUE(nearly_equal(decisions(model, test), decisions(expected, test_by_hand), 1e-6));
                EXPECT_TRUE(nearly_equal(decisions(model, data), decisions(expected, by_hand), 1e-6));
            }
        }
    }
}

TEST_F(MissingValues, FilledExactly) {
    // The values are small integers, whose mean and median have no rounding, so all the bits must agree.
    Problem exact{8, 1, {1, 2, missing, 6, 1, missing, 9, 11}, {0, 0, 0, 1, 0, 1, 1, 1}};
    for (const auto& [method, fill] : {std::pair{"mean", 5.0}, std::pair{"median", 4.0}}) {
        Problem by_hand = exact;
        by_hand.x[2] = by_hand.x[5] = fill;
        const Model model = train(with_missing(exact), "svm", std::string("impute=") + method);
        const Model expected = train(dense(by_hand), "svm");
        EXPECT_TRUE(same_bits(decisions(model, with_missing(exact)), decisions(expected, dense(by_hand))))
            << method;
        EXPECT_TRUE(
            same_bits(explanations(model, with_missing(exact)), explanations(expected, dense(by_hand))))
            << method;
    }
}

TEST_F(MissingValues, PredictingFillsWithTheValuesOfTraining) {
    const Data data = with_missing(problem);
    const Model model = train(data, "svm", "impute=mean");
    EXPECT_EQ(dk_model_fills_missing(model.get()), 1);
    const std::vector<double> together = decisions(model, with_missing(others));
    for (int64_t row = 0; row < others.rows; ++row) {
        const Data one = create<Data>(dk_data_select, with_missing(others).get(), &row, int64_t{1});
        EXPECT_NEAR(decisions(model, one).front(), together[static_cast<std::size_t>(row)], 1e-9);
    }
    const std::vector<double> nothing(cols, missing);
    const Data blank =
        create<Data>(dk_data_from_dense_missing, nothing.data(), int64_t{1}, cols, cols, DK_ROW_MAJOR);
    EXPECT_TRUE(all_finite(decisions(model, blank))) << "a row of nothing but missing values";
}

TEST_F(MissingValues, ImputeOnWholeDataIsReadyForMissingOnes) {
    const Problem whole = make_problem(rows, cols, 2, 2.5, 101);
    const Model model = train(dense(whole), "svm", "impute=median");
    const Model plain = train(dense(whole), "svm");
    EXPECT_TRUE(same_bits(decisions(model, dense(whole)), decisions(plain, dense(whole))));
    EXPECT_TRUE(all_finite(decisions(model, with_missing(others))));
}

TEST_F(MissingValues, ModelsWithoutImputeRefuseThem) {
    const Data whole = dense(make_problem(rows, cols, 2, 2.5, 101));
    Problem one = make_problem(15, cols, 2, 2.5, 102);
    one.x[7 * cols + 1] = missing;
    const Data test = with_missing(one);
    const Words place{"row", "7", "column", "1"};
    for (const char* settings : {"", "scale=standard", "probability=yes", "kernel=linear"}) {
        const Model model = train(whole, "svm", settings);
        std::vector<double> out(30);
        const dk_model* m = model.get();
        const dk_data* d = test.get();
        double* o = out.data();
        expect_failure([&] { return dk_predict(o, 15, m, d, nullptr); }, bad_data, place);
        expect_failure([&] { return dk_decision(o, 15, m, d, nullptr); }, bad_data, place);
        expect_failure([&] { return dk_explain(o, 30, m, d, nullptr); }, bad_data, place);
        expect_failure([&] { return dk_score(o, m, d, "accuracy", nullptr); }, bad_data, place);
    }
}

TEST_F(MissingValues, AColumnOfNothingIsNamed) {
    Problem empty = make_problem(rows, cols, 2, 2.5, 101);
    for (std::size_t at = 2; at < empty.x.size(); at += cols) empty.x[at] = missing;
    const Data data = with_missing(empty);
    const std::vector<const char*> names{"length", "width", "height"};
    check(dk_data_set_feature_names(data.get(), names.data(), 3));
    for (const char* settings : {"impute=mean", "impute=median", "impute=mean scale=standard"}) {
        expect_no_training(data, settings, bad_data, {"column", "2", "height"});
    }
}

TEST_F(MissingValues, SavedModelsFillTheSame) {
    const Data data = with_missing(problem);
    const Data test = with_missing(others);
    for (const char* settings : {"impute=mean", "impute=median scale=standard",
                                 "impute=mean scale=minmax kernel=[rbf,linear] weights=dimkl1"}) {
        const Model model = train(data, "svm", settings);
        expect_same_answers(read_model(bytes_of(model.get())), model, test, false);
    }
}

TEST_F(MissingValues, SelectedRowsKeepThem) {
    const Data data = with_missing(problem);
    const std::vector<int64_t> chosen{4, 0, 1};
    const Data some = create<Data>(dk_data_select, data.get(), chosen.data(), int64_t{3});
    const auto values = values_of<double>(3 * cols, dk_data_values, some.get());
    bool any = false;
    for (std::size_t at = 0; at < values.size(); ++at) {
        const double original = problem.x[static_cast<std::size_t>(chosen[at / cols]) * cols + at % cols];
        EXPECT_EQ(std::isnan(values[at]), std::isnan(original));
        any = any || std::isnan(values[at]);
    }
    EXPECT_TRUE(any) << "row 1 has one";
}

TEST_F(MissingValues, CrossValidationAndProbabilitiesFillInEveryFold) {
    const Data data = with_missing(problem);
    const Params params = parameters("svm", "impute=mean scale=standard probability=yes folds=4");
    const Model model = create<Model>(dk_cross_validate, data.get(), params.get(), nullptr);
    EXPECT_TRUE(all_finite(probabilities(model, with_missing(others))));
    EXPECT_NE(text_of(dk_model_info, model.get()).find("\"cross_validation\""), std::string::npos);
}

TEST_F(MissingValues, OtherDataHaveNothingToFill) {
    const Problem whole = make_problem(rows, cols, 2, 2.5, 101);
    expect_no_training(sparse(whole), "impute=mean", DK_ERR_UNSUPPORTED, {"impute", "sparse"});
    const Data matrix = gram(
        values_of<double>(rows * rows, dk_gram, dense(whole).get(), nullptr, "linear", nullptr), rows, rows);
    label(matrix, whole.labels);
    expect_no_training(matrix, "impute=median", DK_ERR_UNSUPPORTED, {"impute", "gram"});
    const Params params = parameters("svm");
    expect_failure([&] { return dk_params_set(params.get(), "impute", "zero"); }, DK_ERR_INVALID_PARAMETER,
                   {"mean", "median"});
}

class MissingInFiles : public testing::Test {
  protected:
    TemporaryDirectory directory;
};

TEST_F(MissingInFiles, KeptOnlyWhenAskedFor) {
    for (const std::string word : {"", "NA", "NaN", "?", "nan", "na"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, word);
        const std::string path =
            directory.write("data.csv", "a,b,y\n1,2,0\n3," + word + ",1\n4,5,1\n0,1,0\n");
        for (const char* options : {static_cast<const char*>(nullptr), "missing=refuse"}) {
            expect_no_handle<dk_data>(
                [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), options, nullptr); },
                bad_data, {"line", "3", "field", "2"});
        }
        const Data data = create<Data>(dk_data_from_file, path.c_str(), "missing=keep", nullptr);
        const auto values = values_of<double>(8, dk_data_values, data.get());
        EXPECT_TRUE(std::isnan(values[3]));
        EXPECT_EQ(values[2], 3.0);
        EXPECT_EQ(values[5], 5.0);
        const Model model = train(data, "svm", "impute=mean");
        EXPECT_TRUE(all_finite(decisions(model, data)));
    }
}

TEST_F(MissingInFiles, WhatIsNotMissingIsStillRefused) {
    for (const std::string word : {"inf", "-inf", "1e999", "x", "none of it"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, word);
        const std::string path = directory.write("data.csv", "a,b\n1,2\n3," + word + "\n");
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), "missing=keep", nullptr); },
            bad_data, {"line", "3", "field", "2"});
    }
    const std::string path = directory.write("data.csv", "a,y\n1,2\n3,\n");
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), "missing=keep", nullptr); },
        bad_data, {"line", "3"});
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), "missing=drop", nullptr); },
        DK_ERR_INVALID_PARAMETER, {"drop", "keep"});
}

TEST_F(MissingInFiles, ASignAloneIsNotMissing) {
    // A dash alone stands for a missing number, but no other sign does.
    for (const std::string word : {"+", "-NA", "+?"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, word);
        const std::string path = directory.write("data.csv", "a,b\n1,2\n3," + word + "\n");
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), "missing=keep", nullptr); },
            bad_data, {"line", "3", "field", "2"});
    }
}

}  // namespace
}  // namespace dk_test::missing_values_test
