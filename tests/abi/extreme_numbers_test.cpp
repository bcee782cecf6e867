// SPDX-License-Identifier: Apache-2.0
// Data and parameters here are at the ends of what a double can be. A training with them may fail, with a
// reason, but a model that is made can be kept: it is written, and what is read answers as it does.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::extreme_numbers_test {
namespace {

using nlohmann::json;

struct Machine {
    std::string name;
    bool learns_targets;
    std::string limit;  // of its steps, where these are 10^8 by default

    friend void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }
};

std::vector<Machine> all_machines() {
    const json all = json::parse(text_of(dk_describe));
    std::vector<Machine> machines;
    for (const json& one : all.at("machines")) {
        const bool unlimited = std::ranges::any_of(one.at("parameters"), [](const json& parameter) {
            return parameter.at("name") == "max_iterations" && parameter.at("default") == "0";
        });
        machines.push_back({one.at("name").get<std::string>(),
                            one.at("task") == "regression" || one.at("task") == "any",
                            unlimited ? " max_iterations=100000" : ""});
    }
    return machines;
}

/// Makes two clouds whose coordinates are `size` times as large, with labels and with targets that are
/// `target_size` times as large.
Data clouds(double size, double target_size) {
    constexpr int64_t rows = 14;
    Problem problem = make_problem(rows, 2, 2, 2.0, 3);
    std::vector<double> targets;
    for (int64_t row = 0; row < rows; ++row)
        targets.push_back(target_size * (problem.x[static_cast<std::size_t>(2 * row)] > 0.5 ? 1.0 : -0.75));
    for (double& value : problem.x) value *= size;
    Data data = dense(problem);
    check(dk_data_set_targets(data.get(), targets.data(), rows));
    return data;
}

/// Expects a training to make a model that can be kept, or to say why there is none. Tells which.
bool makes_what_can_be_kept(const Data& data, const std::string& machine, const std::string& settings) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, machine + " " + settings);
    dk_model* made = nullptr;
    const dk_status status =
        dk_train(&made, data.get(), parameters(machine.c_str(), settings).get(), nullptr);
    const Model model(made);
    if (status != DK_OK) {
        EXPECT_TRUE(status == DK_ERR_NUMERICAL || status == DK_ERR_INVALID_DATA ||
                    status == DK_ERR_INVALID_KERNEL || status == DK_ERR_UNSUPPORTED)
            << dk_status_name(status) << ": " << dk_last_error();
        return false;
    }
    const Model again = read_model(bytes_of(model.get()));
    std::vector<double> before(14), after(14);
    EXPECT_EQ(dk_predict(before.data(), 14, model.get(), data.get(), nullptr),
              dk_predict(after.data(), 14, again.get(), data.get(), nullptr));
    EXPECT_TRUE(same_bits(before, after));
    return true;
}

class ExtremeNumbersOf : public testing::TestWithParam<Machine> {};

TEST_P(ExtremeNumbersOf, EveryModelThatIsMadeCanBeKept) {
    // The variance of the second is subnormal, and its inverse overflows.
    const std::vector<double> sizes{1e-300, 1e-157, 1.0, 1e150, 1e300};
    const std::vector<double> target_sizes = GetParam().learns_targets ? sizes : std::vector<double>{1.0};
    int ordinary = 0;
    for (const std::string kernel : {"kernel=linear", "kernel=rbf", "kernel=poly(degree=3,coef0=1)"}) {
        for (const double size : sizes) {
            for (const double target_size : target_sizes) {
                const bool kept = makes_what_can_be_kept(clouds(size, target_size), GetParam().name,
                                                         kernel + GetParam().limit);
                if (kept && size == 1 && target_size == 1) ++ordinary;
            }
        }
    }
    EXPECT_GE(ordinary, GetParam().name == "elm" ? 1 : 3);  // whose features are of few kernels
}

INSTANTIATE_TEST_SUITE_P(Machines, ExtremeNumbersOf, testing::ValuesIn(all_machines()),
                         [](const auto& one) { return one.param.name; });

TEST(ExtremeNumbers, AModelWithANumberThatIsNotFiniteIsNone) {
    // The squared norm of a function with such values is above the largest double.
    const Data data = clouds(1, 1.5e308);
    const Params params = parameters("similarity_ridge_regression", "kernel=poly(degree=3,coef0=1) folds=2");
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); }, DK_ERR_NUMERICAL,
        {"finite"});
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_cross_validate(out, data.get(), params.get(), nullptr); },
        DK_ERR_NUMERICAL, {});
}

TEST(ExtremeNumbers, AlignmentsOfSeriesWhoseSquaresOverflowHaveAWidth) {
    const std::vector<double> steps{1e200, -3e200, 2.0, 1e300, -1e300, 5.0, 0.0, 1.0, 1e250};
    const std::vector<int64_t> lengths{3, 3, 3};
    Data data = create<Data>(dk_data_from_series, steps.data(), lengths.data(), int64_t{3}, int64_t{1});
    const std::vector<double> targets{1, 2, 4};
    check(dk_data_set_targets(data.get(), targets.data(), 3));
    const Model model = train(data, "kernel_ridge", "kernel=gak C=10");
    EXPECT_EQ(text_of(dk_model_info, model.get()).find("nan"), std::string::npos);
    expect_same_answers(model, read_model(bytes_of(model.get())), data, false);
}

TEST(ExtremeNumbers, PrototypesOfSeriesWhoseSquaresOverflow) {
    const std::vector<double> steps{1e200, -3e200, 2.0, 1e300, -1e300, 5.0, 0.0, 1.0, 1e250, 4.0, 3.0, 2.0};
    const std::vector<int64_t> lengths{3, 3, 3, 3};
    Data data = create<Data>(dk_data_from_series, steps.data(), lengths.data(), int64_t{4}, int64_t{1});
    const std::vector<double> targets{1, 2, 4, 3};
    check(dk_data_set_targets(data.get(), targets.data(), 4));
    const Model model = train(data, "super_sparse_regression", "kernel=gak(sigma=1) prototypes=2 lambda=0.1");
    EXPECT_TRUE(all_finite(predictions(model, data)));
    expect_same_answers(model, read_model(bytes_of(model.get())), data, false);
}

/// A step that lowers the violation of one pair raises that of another by its rounding alone.
TEST(ExtremeNumbers, ViolationsThatAreRoundingEndTheSearch) {
    for (const int64_t rows : {14, 300}) {
        for (const double size : {1e10, 1e75}) {
            Problem problem = make_problem(rows, 3, 2, 2.0, 3);
            for (double& value : problem.x) value *= size;
            const Model model = train(dense(problem), "one_class_svm", "kernel=linear nu=0.5");
            const json training =
                json::parse(text_of(dk_model_info, model.get())).at("training").at("functions").at(0);
            EXPECT_LT(training.at("rounds").get<int64_t>(), 1000);
            EXPECT_LT(training.at("iterations").get<int64_t>(), 10'000'000);
        }
    }
}

/// A row of large values has large rounding, which is not that of the others.
TEST(ExtremeNumbers, OneRowOfLargeValuesDoesNotEndTheSearch) {
    Problem problem{2200, 5, {}, {}};
    Random random(5);
    for (int64_t row = 0; row < problem.rows; ++row) {
        std::array<double, 5> x;
        for (double& value : x) value = random.normal();
        problem.labels.push_back(x[0] + x[1] * x[2] + random.normal() > 0 ? 1 : 0);
        for (const double value : x) problem.x.push_back(row == 7 ? 1000 * value : value);
    }
    const Model model = train(dense(problem), "svm", "C=10 kernel=poly(degree=2,coef0=1)");
    const json training =
        json::parse(text_of(dk_model_info, model.get())).at("training").at("functions").at(0);
    EXPECT_TRUE(training.at("converged").get<bool>());
    EXPECT_LE(training.at("gap").get<double>(), 1e-3);
}

/// The square of the mean of a centred class is its rounding alone, and may be negative.
TEST(ExtremeNumbers, APrototypeAtTheOriginCanBeKept) {
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        Problem problem = make_problem(45, 3, 3, 3.0, seed);
        for (std::size_t col = 0; col < 3; ++col) {
            double sum = 0;
            for (std::size_t row = 0; row < 45; row += 3) sum += problem.x[row * 3 + col];
            for (std::size_t row = 0; row < 45; row += 3) problem.x[row * 3 + col] -= sum / 15;
        }
        const Data data = dense(problem);
        for (const char* precision : {"double", "single"}) {
            const testing::ScopedTrace trace(__FILE__, __LINE__, precision + std::to_string(seed));
            const Model model = train(data, "mean_of_class",
                                      std::string("multiclass=nearest kernel=linear precision=") + precision);
            expect_same_answers(model, read_model(bytes_of(model.get())), data, false);
        }
    }
}

/// Distances are what the rule of the nearest prototype needs, and an indefinite kernel has them too.
TEST(ExtremeNumbers, NearestPrototypesOfAnIndefiniteKernelCanBeKept) {
    const Data data = dense(make_problem(60, 2, 3, 2.0, 5));
    const std::string settings = "kernel=sigmoid(gamma=1,coef0=-3)";
    const Model model = train(data, "prototype_selection", settings);
    expect_same_answers(model, read_model(bytes_of(model.get())), data, false);
    const Params params = parameters("prototype_selection", settings);
    const Model validated = create<Model>(dk_cross_validate, data.get(), params.get(), nullptr);
    EXPECT_NE(text_of(dk_model_info, validated.get()).find("cross_validation"), std::string::npos);
}

TEST(ExtremeNumbers, PrototypesOfAnIndefiniteMatrixAreRefusedOrKept) {
    constexpr int64_t rows = 8;
    std::vector<double> matrix(rows * rows);
    std::vector<int64_t> labels;
    for (int64_t i = 0; i < rows; ++i) {
        labels.push_back(i % 2);
        for (int64_t j = 0; j <= i; ++j) {
            const double value = i == j ? 0.1 : static_cast<double>((7 * i + 3 * j) % 11) - 5;
            matrix[static_cast<std::size_t>(i * rows + j)] = value;
            matrix[static_cast<std::size_t>(j * rows + i)] = value;
        }
    }
    const Data data = gram(matrix, rows, rows);
    check(dk_data_set_labels(data.get(), labels.data(), rows));
    for (const char* machine : {"midl_surrogate", "mkldpl", "dkmld", "imkpl", "iskpl"}) {
        dk_model* made = nullptr;
        const dk_status status =
            dk_train(&made, data.get(), parameters(machine, "kernel=gram(0)").get(), nullptr);
        const Model model(made);
        if (status == DK_OK) {
            expect_same_answers(model, read_model(bytes_of(model.get())), data, false);
        } else {
            EXPECT_EQ(status, DK_ERR_NUMERICAL) << machine << ": " << dk_last_error();
        }
    }
}

}  // namespace
}  // namespace dk_test::extreme_numbers_test
