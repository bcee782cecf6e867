// SPDX-License-Identifier: Apache-2.0
// These tests give rows with a similarity to points that only the caller knows. The caller's function here is
// a Gaussian, so that models of it can be held against those of kernel rbf.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "handles.hpp"
#include "matcher.hpp"
#include "structures.hpp"

namespace dk_test::point_similarity_test {
namespace {

constexpr int64_t rows = 120;
constexpr int64_t test_rows = 40;
constexpr int64_t cols = 3;

/// |x - z|^2 is summed as rbf does it over few columns.
const std::string gaussian = "kernel=rbf(gamma=0.5) ";
const std::string asked = "kernel=similarity ";
const std::string few = "prototypes=6 max_iterations=40 ";

class PointSimilarity : public testing::Test {
  protected:
    const Problem problem = make_problem(rows, cols, 3, 2.0, 91);
    const Problem others = make_problem(test_rows, cols, 3, 2.0, 92);
    Matcher training{problem};
    Matcher testing_rows{others};

    Data training_data(int32_t concurrent = 0) {
        Data data = training.data(concurrent);
        label(data, problem.labels);
        return data;
    }
    void expect_refusal(const char* machine, const std::string& settings, dk_status status,
                        const std::vector<std::string>& words) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, settings);
        const Data data = training_data();
        const Params params = parameters(machine, settings);
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); }, status, words);
    }
};

TEST_F(PointSimilarity, KernelMachinesLearnAsFromTheKernel) {
    const Data plain = dense(problem);
    for (const char* machine : {"svm", "cvm", "kelm", "fisher", "mean_of_class", "similarity_ridge"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, machine);
        const Model model = train(training_data(), machine, asked);
        const Model expected = train(plain, machine, gaussian);
        EXPECT_EQ(dk_model_feature_count(model.get()), cols);
        EXPECT_TRUE(
            nearly_equal(decisions(model, testing_rows.data()), decisions(expected, dense(others)), 2e-3));
        EXPECT_TRUE(same_bits(decisions(model, testing_rows.data()),
                              decisions(read_model(bytes_of(model.get())), testing_rows.data())));
    }
    EXPECT_GT(training.calls, 0);
    EXPECT_FALSE(training.outside);
    EXPECT_FALSE(testing_rows.outside);
    EXPECT_FALSE(training.other_thread);
    EXPECT_FALSE(training.at_once);
}

TEST_F(PointSimilarity, StandsInSumsAndPowersOfKernels) {
    const Data plain = dense(problem);
    for (const auto& [ours, expected] :
         {std::pair{"0.5*similarity + 0.5*linear", "0.5*rbf(gamma=0.5) + 0.5*linear"},
          {"similarity*similarity", "rbf(gamma=0.5)*rbf(gamma=0.5)"},
          {"exp(similarity)", "exp(rbf(gamma=0.5))"}}) {
        const auto values = [&](const Data& data, const char* kernel) {
            return values_of<double>(rows * rows, dk_gram, data.get(), nullptr, kernel, nullptr);
        };
        EXPECT_TRUE(nearly_equal(values(training_data(), ours), values(plain, expected), 1e-12)) << ours;
    }
}

/// The directional derivative of a function of |x - z| is its gradient up to the length of the step.
TEST_F(PointSimilarity, PrototypesThatAreNoRowsFindThePlacesOfTheKernel) {
    const Data plain = dense(problem);
    const Model expected = train(plain, "super_sparse", gaussian + few);
    const auto objective = [](const Model& model) {
        return nlohmann::json::parse(text_of(dk_model_info, model.get()))
            .at("training")
            .at("objective")
            .get<double>();
    };
    for (const char* gradient : {"auto", "directional", "scaled_difference", "central"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, gradient);
        const Model model =
            train(training_data(), "super_sparse", asked + few + "gradient=" + gradient + " copies=0");
        const Model same = train(plain, "super_sparse", gaussian + few + " copies=0");
        EXPECT_NEAR(objective(model), objective(same), 0.1 * objective(same));
        const Model still = train(training_data(), "super_sparse", asked + few + "move=no");
        EXPECT_LT(objective(model), objective(still)) << "prototypes that move are better than rows";
    }
    EXPECT_FALSE(training.other_thread);
}

TEST_F(PointSimilarity, PrototypesStayWithinTheRangeOfTheData) {
    for (const char* steps : {"joint", "single"}) {
        const Model model = train(training_data(), "super_sparse", asked + few + "steps=" + steps);
        const auto count = dk_model_prototype_count(model.get());
        const auto places = values_of<double>(count * cols, dk_model_prototype_coordinates, model.get());
        for (std::size_t c = 0; c < cols; ++c) {
            double least = std::numeric_limits<double>::infinity();
            double largest = -least;
            for (std::size_t i = 0; i < rows; ++i) {
                least = std::min(least, problem.x[i * cols + c]);
                largest = std::max(largest, problem.x[i * cols + c]);
            }
            for (int64_t p = 0; p < count; ++p) {
                EXPECT_GE(places[static_cast<std::size_t>(p) * cols + c], least);
                EXPECT_LE(places[static_cast<std::size_t>(p) * cols + c], largest);
            }
        }
    }
}

/// Nobody knows how similar two points are that are no rows. The order of the nearest rows does not need it.
TEST_F(PointSimilarity, DistancesOfPrototypesThatAreNoRowsAreUnknown) {
    const auto nearest = [&](const Data& data, const std::string& settings) {
        const Model model = train(data, "super_sparse", few + settings + " neighbours=3");
        const auto count = dk_model_prototype_count(model.get()) * 3;
        std::vector<int64_t> places(static_cast<std::size_t>(count));
        std::vector<double> distances(static_cast<std::size_t>(count));
        check(dk_model_prototype_nearest(places.data(), distances.data(), count, model.get()));
        return std::pair(places, distances);
    };
    for (const double distance : nearest(training_data(), asked).second) EXPECT_TRUE(std::isnan(distance));
    const auto [ours, distances] = nearest(training_data(), asked + "move=no");
    const auto [expected, known] = nearest(dense(problem), gaussian + "move=no");
    EXPECT_EQ(ours, expected);
    EXPECT_TRUE(nearly_equal(distances, known, 1e-7));
}

TEST_F(PointSimilarity, ModelsOfPrototypesAreSavedAndKeepNoCallback) {
    Model model;
    {
        Matcher gone(problem);
        Data data = gone.data(0);
        label(data, problem.labels);
        model = train(data, "super_sparse", asked + few);
        data.reset();
        gone.x.assign(gone.x.size(), 1e9);
    }
    const Model expected = train(training_data(), "super_sparse", asked + few);
    EXPECT_EQ(bytes_of(model.get()), bytes_of(expected.get()));
    EXPECT_TRUE(same_bits(decisions(model, testing_rows.data()),
                          decisions(read_model(bytes_of(model.get())), testing_rows.data())));
    const Data bare = dense(others);
    std::vector<double> out(test_rows);
    expect_failure([&] { return dk_predict(out.data(), test_rows, model.get(), bare.get(), nullptr); },
                   DK_ERR_INVALID_DATA, {"dk_data_from_point_similarity"});
}

TEST_F(PointSimilarity, AnyNumberOfThreadsGivesTheSame) {
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), 4));
    const Model alone = train(training_data(0), "super_sparse", asked + few);
    const Model together = train(training_data(1), "super_sparse", asked + few, control.get());
    EXPECT_EQ(bytes_of(together.get()), bytes_of(alone.get()));
    training.other_thread = false;
    train(training_data(0), "svm", asked + "probability=yes", control.get());
    EXPECT_FALSE(training.other_thread);
}

TEST_F(PointSimilarity, SelectedRowsAskForTheirOwnSimilarities) {
    const Data data = training_data();
    const std::vector<int64_t> chosen{110, 3, 77, 4};
    const Data some = create<Data>(dk_data_select, data.get(), chosen.data(), int64_t{4});
    const auto found = values_of<double>(4 * rows, dk_gram, some.get(), data.get(), "similarity", nullptr);
    const auto all = values_of<double>(rows * rows, dk_gram, data.get(), nullptr, "similarity", nullptr);
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < rows; ++j)
            EXPECT_EQ(found[i * rows + j], all[static_cast<std::size_t>(chosen[i]) * rows + j]);
    }
    const Params params = parameters("super_sparse", asked + few + "folds=3");
    create<Model>(dk_cross_validate, data.get(), params.get(), nullptr);
    EXPECT_FALSE(training.outside);
}

TEST_F(PointSimilarity, WhatCannotBeKnownIsRefused) {
    const Params params = parameters("svm");
    const auto expect_no_kernel = [&](const char* kernel, dk_status status, const char* word) {
        expect_failure([&] { return dk_params_set(params.get(), "kernel", kernel); }, status,
                       {word, "similarity"});
    };
    expect_no_kernel("normalize(similarity)", DK_ERR_UNSUPPORTED, "normalize");
    expect_no_kernel("center(similarity)", DK_ERR_INVALID_KERNEL, "center");
    expect_no_kernel("lowrank(similarity, rank=3)", DK_ERR_INVALID_KERNEL, "lowrank");
    expect_no_kernel("on(0, similarity)", DK_ERR_INVALID_KERNEL, "columns");
    expect_no_kernel("similarity(0)", DK_ERR_INVALID_KERNEL, "similarity");
    expect_refusal("svm", asked + "scale=standard", DK_ERR_INVALID_DATA, {"scaled"});
    expect_refusal("super_sparse", asked + "repulsion=yes", DK_ERR_UNSUPPORTED, {"repulsion"});
    expect_refusal("super_sparse", asked + "gradient=kernel", DK_ERR_UNSUPPORTED, {"gradient=kernel"});
    expect_refusal("super_sparse", asked + "copies=2", DK_ERR_INVALID_DATA, {"copied"});
    const Params learner = parameters("super_sparse");
    expect_failure([&] { return dk_params_set(learner.get(), "gradient_step", "0.6"); },
                   DK_ERR_INVALID_PARAMETER, {"0.5"});
}

TEST_F(PointSimilarity, FailuresOfTheCallbackEndTheCall) {
    for (const int call : {1, 2, 30}) {
        training.calls = 0;
        training.fail_at_call = call;
        expect_refusal("super_sparse", asked + few, DK_ERR_CALLBACK, {"7"});
        EXPECT_EQ(training.calls, call) << "called again after it failed";
    }
    training.fail_at_call = -1;
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        training.answer_for_row_17 = bad;
        expect_refusal("super_sparse", asked + few, DK_ERR_INVALID_DATA, {"row 17", "point"});
    }
}

TEST_F(PointSimilarity, CancelFromTheCallback) {
    const Control control = create<Control>(dk_control_create);
    training.cancel_at_call = 40;
    training.control = control.get();
    const Data data = training_data();
    const Params params = parameters("super_sparse", asked + few);
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_train(out, data.get(), params.get(), control.get()); },
        DK_ERR_CANCELLED);
    EXPECT_EQ(training.calls, 40) << "a cancel is answered after the callback that runs";
}

TEST_F(PointSimilarity, ArgumentsAreChecked) {
    const auto make = [&](const double* x, int64_t count, dk_point_similarity_callback callback,
                          int32_t concurrent) {
        return [=](dk_data** out) {
            return dk_data_from_point_similarity(out, x, count, cols, cols, DK_ROW_MAJOR, callback, nullptr,
                                                 concurrent);
        };
    };
    const double* x = problem.x.data();
    expect_no_handle<dk_data>(make(x, rows, nullptr, 0), DK_ERR_INVALID_ARGUMENT, {"callback"});
    expect_no_handle<dk_data>(make(nullptr, rows, &Matcher::compare, 0), DK_ERR_INVALID_ARGUMENT, {"x"});
    expect_no_handle<dk_data>(make(x, 0, &Matcher::compare, 0), DK_ERR_INVALID_ARGUMENT, {"rows"});
    expect_no_handle<dk_data>(make(x, rows, &Matcher::compare, 2), DK_ERR_INVALID_ARGUMENT, {"concurrent"});
    std::vector<double> holes = problem.x;
    holes[4] = std::nan("");
    expect_no_handle<dk_data>(make(holes.data(), rows, &Matcher::compare, 0), DK_ERR_INVALID_DATA, {"1"});
}

}  // namespace
}  // namespace dk_test::point_similarity_test
