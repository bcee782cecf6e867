// SPDX-License-Identifier: Apache-2.0
// What precision=auto promises where a kernel matrix does not fit in memory: the solution of double
// precision, though the search was in single precision, by any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::rough_search_test {
namespace {

nlohmann::json first_function(const Model& model) {
    return nlohmann::json::parse(text_of(dk_model_info, model.get())).at("training").at("functions").at(0);
}

/// A matrix of 900 rows needs 6.5 megabytes.
constexpr int64_t rows = 900;
const std::string rbf = "kernel=rbf(gamma=0.1) ";
const std::string small_memory = " memory_mb=4";

struct Case {
    std::string name;
    std::string machine;
    std::string settings;
    int64_t classes = 2;

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

class RoughSearch : public testing::TestWithParam<Case> {
  protected:
    const Data data = dense(make_problem(rows, 5, GetParam().classes, 1.5, 23));
    const std::string settings = "tolerance=1e-5 " + GetParam().settings;

    Model trained(const std::string& more, int32_t threads = 2) const {
        const Control control = create<Control>(dk_control_create);
        check(dk_control_set_threads(control.get(), threads));
        return train(data, GetParam().machine.c_str(), settings + more, control.get());
    }
};

TEST_P(RoughSearch, FindsWhatDoublePrecisionFinds) {
    const Model automatic = trained(small_memory);
    const Model exact = trained(" precision=double");
    const nlohmann::json found = first_function(automatic);
    EXPECT_EQ(found.at("search"), "single precision");
    EXPECT_FALSE(first_function(exact).contains("search"));
    EXPECT_FALSE(first_function(trained(small_memory + " precision=double")).contains("search"));
    EXPECT_TRUE(found.at("converged").get<bool>());
    const double objective = first_function(exact).at("objective");
    EXPECT_NEAR(found.at("objective").get<double>(), objective, 1e-5 * std::abs(objective));
    const std::vector<double> of_automatic = decisions(automatic, data);
    const std::vector<double> of_exact = decisions(exact, data);
    double size = 0;
    for (const double value : of_exact) size = std::max(size, std::abs(value));
    for (std::size_t i = 0; i < of_exact.size(); ++i)
        ASSERT_NEAR(of_automatic[i], of_exact[i], 1e-3 * size) << i;
}

TEST_P(RoughSearch, GivesTheSameBitsByAnyNumberOfThreads) {
    expect_same_answers(trained(small_memory, 1), trained(small_memory, 3), data, false);
}

INSTANTIATE_TEST_SUITE_P(Of, RoughSearch,
                         testing::Values(Case{"svm", "svm", rbf + "C=10"},
                                         Case{"svm_many_classes", "svm", rbf + "C=3 multiclass=ovr", 3},
                                         Case{"svm_squared", "svm", rbf + "C=10 loss=squared_hinge"},
                                         Case{"svm_hard", "svm", "kernel=rbf(gamma=2) loss=hard"},
                                         Case{"nu_svm", "nu_svm", rbf + "nu=0.4"},
                                         Case{"svr", "svr", rbf + "C=10 epsilon=0.2"},
                                         Case{"nu_svr", "nu_svr", rbf + "C=10"},
                                         Case{"one_class_svm", "one_class_svm", rbf + "nu=0.3"}),
                         [](const auto& one) { return one.param.name; });

/// Of a matrix that fits in memory, single precision is searched where its roundings are known.
TEST(RoughSearchElsewhere, IsOfMatricesThatFitWhereFewRowsDecide) {
    for (const int64_t classes : {2, 3, 9}) {
        const Data data = dense(make_problem(rows, 5, classes, 1.5, 23));
        const std::string settings = "kernel=rbf(gamma=0.1) C=10 tolerance=1e-5";
        const Model automatic = train(data, "svm", settings);
        const Model exact = train(data, "svm", settings + " precision=double");
        EXPECT_EQ(first_function(automatic).at("search"), "single precision") << classes;
        const double objective = first_function(exact).at("objective");
        EXPECT_NEAR(first_function(automatic).at("objective").get<double>(), objective,
                    1e-6 * std::abs(objective));
        const std::vector<double> of_automatic = decisions(automatic, data);
        const std::vector<double> of_exact = decisions(exact, data);
        for (std::size_t i = 0; i < of_exact.size(); ++i)
            ASSERT_NEAR(of_automatic[i], of_exact[i], 1e-3) << classes << " " << i;
    }
}

TEST(RoughSearchElsewhere, IsNotOfSmallMatricesOfOtherKernels) {
    const Data data = dense(make_problem(rows, 5, 2, 1.5, 23));
    const std::string settings = "kernel=laplacian(gamma=0.1) C=10";
    const Model automatic = train(data, "svm", settings);
    EXPECT_FALSE(first_function(automatic).contains("search"));
    EXPECT_TRUE(same_bits(decisions(automatic, data),
                          decisions(train(data, "svm", settings + " precision=double"), data)));
}

/// Rounding makes the matrix of single precision indefinite, and without bounds or much of a ridge its
/// program has no optimum.
TEST(RoughSearchElsewhere, IsNotOfProgramsThatRoundingUnbounds) {
    const Data data = dense(make_problem(rows, 5, 2, 1.5, 23));
    const std::string settings = "kernel=rbf(gamma=0.1) loss=squared_hinge max_iterations=20000 C=1e9";
    const nlohmann::json found = first_function(train(data, "svm", settings + small_memory));
    EXPECT_FALSE(found.contains("search"));
    EXPECT_LT(found.at("objective").get<double>(), 0);
}

TEST(RoughSearchElsewhere, IsNotOfValuesThatOverflowInSinglePrecision) {
    Problem problem = make_problem(rows, 5, 2, 1.5, 23);
    for (double& x : problem.x) x *= 1e4;
    const Data data = dense(problem);
    const std::string settings = "kernel=poly(degree=9,gamma=1) C=1e-70 max_iterations=1000";
    EXPECT_FALSE(first_function(train(data, "svm", settings + small_memory)).contains("search"));
    for (double& x : problem.x) x *= 1e20;
    EXPECT_FALSE(first_function(train(dense(problem), "svm", "kernel=rbf(gamma=1e-48)" + small_memory))
                     .contains("search"));
}

TEST(RoughSearchElsewhere, KeepsToTheIterationsThatAreAllowed) {
    const Data data = dense(make_problem(rows, 5, 2, 1.5, 23));
    for (const int most : {1, 10, 100}) {
        const Model model =
            train(data, "svm",
                  "kernel=rbf(gamma=0.1) C=10" + small_memory + " max_iterations=" + std::to_string(most));
        const nlohmann::json found = first_function(model);
        EXPECT_FALSE(found.at("converged").get<bool>());
        EXPECT_LE(found.at("iterations").get<int>(), most + 1);
    }
}

}  // namespace
}  // namespace dk_test::rough_search_test
