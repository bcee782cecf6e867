// SPDX-License-Identifier: Apache-2.0
// These data are well formed and still no good for what is asked: one class, no labels, columns that do not
// fit, another kind to predict than in training. Each call must give a clear error or a finite answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::bad_training_data_test {
namespace {

constexpr dk_status bad_data = DK_ERR_INVALID_DATA;
const std::vector<std::string> machines{"svm", "fisher", "mean_of_class"};

auto training(const Data& data, const std::string& machine, const std::string& settings = "") {
    return [&data, machine, settings](dk_model** out) {
        return dk_train(out, data.get(), parameters(machine.c_str(), settings).get(), nullptr);
    };
}

/// Expects training to succeed and all that the model says of the data to be finite.
void expect_finite_model(const Data& data, const std::string& machine, const std::string& settings = "") {
    const testing::ScopedTrace trace(__FILE__, __LINE__, machine + " " + settings);
    const Model model = train(data, machine.c_str(), settings);
    EXPECT_TRUE(all_finite(predictions(model, data)));
    EXPECT_TRUE(all_finite(decisions(model, data)));
    EXPECT_TRUE(all_finite(explanations(model, data)));
}

TEST(BadTrainingData, OneClassOnly) {
    Problem problem = make_problem(6, 2, 2, 3.0, 1);
    problem.labels.assign(6, 42);
    const Data data = dense(problem);
    for (const std::string& machine : machines) {
        expect_no_handle<dk_model>(training(data, machine), bad_data, {"class", "42"});
    }
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_cross_validate(out, data.get(), parameters("svm").get(), nullptr); },
        bad_data, {"class"});
}

TEST(BadTrainingData, NoLabels) {
    const Data data = unlabelled(make_problem(6, 2, 2, 3.0, 1));
    for (const std::string& machine : machines) {
        expect_no_handle<dk_model>(training(data, machine), bad_data, {"labels"});
    }
    const Model model = train(dense(make_problem(6, 2, 2, 3.0, 1)), "mean_of_class");
    double score = 0.0;
    std::vector<int64_t> counts(4);
    expect_failure([&] { return dk_score(&score, model.get(), data.get(), "accuracy", nullptr); }, bad_data,
                   {"labels"});
    expect_failure([&] { return dk_confusion(counts.data(), 4, model.get(), data.get(), nullptr); }, bad_data,
                   {"labels"});
}

TEST(BadTrainingData, OneRowIsTooFewAndTwoAreEnough) {
    const Data one = dense(make_problem(1, 2, 2, 3.0, 1));
    const Data two = dense(make_problem(2, 2, 2, 3.0, 1));
    for (const std::string& machine : machines) {
        expect_no_handle<dk_model>(training(one, machine), bad_data);
        expect_finite_model(two, machine);
        const Model model = train(two, machine.c_str(), "kernel=linear");
        EXPECT_EQ(predictions(model, two), (std::vector<double>{3, -2}));
    }
}

TEST(BadTrainingData, WeightsOfClassesWithOneRow) {
    // A class of one row has no pair within it, so there is nothing that DiMKL could measure, and the error
    // must say so.
    Problem uneven = make_problem(9, 2, 2, 3.0, 1);
    for (std::size_t row = 0; row < 9; ++row) uneven.labels[row] = row == 4 ? 77 : 0;
    const Data data = dense(uneven);
    const std::string kernel = "kernel=[rbf(gamma=1),linear] weights=";
    for (const std::string& machine : machines) {
        expect_finite_model(data, machine, kernel + "uniform");
        expect_finite_model(data, machine, kernel + "fixed(1,2)");
        for (const std::string weights : {"dimkl1", "dimkl2", "dimkl3", "dimkl4", "dimkl5", "dimkl6"}) {
            expect_no_handle<dk_model>(training(data, machine, kernel + weights), bad_data, {weights, "77"});
        }
    }
}

TEST(BadTrainingData, MoreFoldsThanTheClassesHaveRows) {
    const Data two = dense(make_problem(2, 2, 2, 3.0, 1));
    const std::vector<dk_status> allowed{bad_data, DK_ERR_INVALID_PARAMETER};
    expect_no_handle_in<dk_model>(
        [&](dk_model** out) {
            return dk_cross_validate(out, two.get(), parameters("svm", "folds=2").get(), nullptr);
        },
        allowed);
    expect_no_handle_in<dk_model>(
        [&](dk_model** out) {
            return dk_cross_validate(out, two.get(), parameters("svm", "folds=9").get(), nullptr);
        },
        allowed, {"9", "2"});
}

TEST(BadTrainingData, ConstantFeaturesAreScaledToFiniteNumbers) {
    Problem problem = make_problem(12, 3, 2, 3.0, 1);
    Problem moved = problem;
    for (std::size_t row = 0; row < 12; ++row) {
        problem.x[row * 3 + 1] = 0.1;
        moved.x[row * 3 + 1] = 7.0;
    }
    const Data data = dense(problem);
    for (const std::string& machine : machines) {
        for (const std::string scale : {"none", "standard", "robust", "minmax"}) {
            expect_finite_model(data, machine, "scale=" + scale);
            const Model model = train(data, machine.c_str(), "kernel=linear scale=" + scale);
            EXPECT_TRUE(all_finite(decisions(model, dense(moved)))) << machine << " " << scale;
        }
    }
}

TEST(BadTrainingData, AllRowsEqual) {
    Problem problem = make_problem(8, 2, 2, 0.0, 1);
    problem.x.assign(16, 0.5);
    const Data data = dense(problem);
    for (const std::string& machine : machines) {
        dk_model* model = nullptr;
        const dk_status status = training(data, machine)(&model);
        const Model owner(model);
        if (status == DK_OK) {
            EXPECT_TRUE(all_finite(decisions(owner, data))) << machine;
            EXPECT_TRUE(all_finite(explanations(owner, data))) << machine;
        } else {
            EXPECT_TRUE(status == DK_ERR_NUMERICAL || status == bad_data)
                << machine << dk_status_name(status);
        }
    }
}

TEST(BadTrainingData, EqualRowsWithOppositeLabels) {
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        Problem problem = make_problem(12, 2, 2, 3.0, seed);
        for (std::size_t col = 0; col < 2; ++col) problem.x[2 + col] = problem.x[col];
        const Data data = dense(problem);
        for (const char* kernel : {"kernel=linear", "kernel=rbf(gamma=auto)", "kernel=rbf(gamma=10)"}) {
            const std::string settings = kernel;
            const testing::ScopedTrace trace(__FILE__, __LINE__, settings + " seed " + std::to_string(seed));
            expect_no_handle<dk_model>(training(data, "svm", settings + " loss=hard"), DK_ERR_NUMERICAL,
                                       {"separable"});
            expect_finite_model(data, "svm", settings + " loss=hinge");
            expect_finite_model(data, "svm", settings + " loss=squared_hinge");
            expect_finite_model(data, "fisher", settings);
            expect_finite_model(data, "mean_of_class", settings);
        }
    }
}

TEST(BadTrainingData, HugeRowsAtPredict) {
    const Problem problem = make_problem(12, 2, 2, 3.0, 1);
    const Data data = dense(problem);
    std::vector<double> out(12);
    for (const std::string& machine : machines) {
        for (const std::string kernel : {"linear", "rbf(gamma=1)", "laplacian(gamma=1)", "poly(degree=3)",
                                         "arccos(1)", "normalize(poly(degree=2))"}) {
            const Model model = train(data, machine.c_str(), "kernel=" + kernel);
            for (const double size : {1e30, 1e160, 1e308}) {
                Problem huge = problem;
                for (double& value : huge.x) value = value > 0.0 ? size : -size;
                const dk_status status = dk_decision(out.data(), 12, model.get(), dense(huge).get(), nullptr);
                if (status == DK_OK) {
                    EXPECT_TRUE(all_finite(out)) << machine << " " << kernel << " " << size;
                } else {
                    EXPECT_TRUE(status == DK_ERR_NUMERICAL || status == bad_data) << dk_status_name(status);
                }
            }
        }
    }
}

TEST(BadTrainingData, ValuesTooLargeForTheirSquares) {
    Problem problem = make_problem(12, 2, 2, 3.0, 1);
    for (double& value : problem.x) value *= 1e200;
    const Data data = dense(problem);
    for (const std::string& machine : machines) {
        for (const std::string kernel :
             {"linear", "rbf(gamma=1)", "rbf(gamma=auto)", "poly(degree=3)", "arccos(1)"}) {
            for (const std::string scale : {"none", "standard"}) {
                dk_model* model = nullptr;
                const dk_status status =
                    training(data, machine, "kernel=" + kernel + " scale=" + scale)(&model);
                const Model owner(model);
                if (status == DK_OK) {
                    EXPECT_TRUE(all_finite(decisions(owner, data)))
                        << machine << " " << kernel << " " << scale;
                } else {
                    EXPECT_TRUE(status == DK_ERR_NUMERICAL || status == bad_data)
                        << machine << " " << kernel << " " << scale << ": " << dk_status_name(status);
                }
            }
        }
    }
}

TEST(BadTrainingData, WeightsThatLeaveOneClass) {
    const Problem problem = make_problem(8, 2, 2, 3.0, 1);
    Data data = dense(problem);
    std::vector<double> weights;
    for (const int64_t label : problem.labels) weights.push_back(label == problem.labels[0] ? 1.0 : 0.0);
    check(dk_data_set_sample_weights(data.get(), weights.data(), 8));
    for (const std::string& machine : machines) {
        expect_no_handle_in<dk_model>(training(data, machine), {bad_data, DK_ERR_NUMERICAL});
    }
}

TEST(BadTrainingData, OtherColumnsAtPredictThanInTraining) {
    const Data data = dense(make_problem(12, 4, 2, 3.0, 1));
    std::vector<double> out(64);
    for (const std::string& machine : machines) {
        const Model model = train(data, machine.c_str(), "probability=yes folds=2");
        const dk_model* m = model.get();
        for (const int64_t cols : {3, 5}) {
            const Data other = dense(make_problem(7, cols, 2, 3.0, 1));
            const dk_data* d = other.get();
            const Words words{"4", std::to_string(cols)};
            double* o = out.data();
            std::vector<int64_t> counts(4);
            expect_failure([&] { return dk_predict(o, 7, m, d, nullptr); }, DK_ERR_DIMENSION, words);
            expect_failure([&] { return dk_decision(o, 7, m, d, nullptr); }, DK_ERR_DIMENSION, words);
            expect_failure([&] { return dk_probability(o, 14, m, d, nullptr); }, DK_ERR_DIMENSION, words);
            expect_failure([&] { return dk_explain(o, 14, m, d, nullptr); }, DK_ERR_DIMENSION, words);
            expect_failure([&] { return dk_score(o, m, d, "accuracy", nullptr); }, DK_ERR_DIMENSION, words);
            expect_failure([&] { return dk_confusion(counts.data(), 4, m, d, nullptr); }, DK_ERR_DIMENSION,
                           words);
        }
    }
}

TEST(BadTrainingData, AnotherKindAtPredictThanInTraining) {
    const Problem problem = make_problem(12, 12, 2, 3.0, 1);
    const Data similarities = gram(std::vector<double>(144, 1.0), 12, 12);
    const std::vector<dk_status> misfit{DK_ERR_DIMENSION, DK_ERR_UNSUPPORTED, bad_data};
    std::vector<double> out(12);
    for (const std::string& machine : machines) {
        const Model of_dense = train(dense(problem), machine.c_str(), "kernel=rbf(gamma=0.1)");
        const Model of_sparse = train(sparse(problem), machine.c_str(), "kernel=rbf(gamma=0.1)");
        // The numbers are the same either way or the call is refused; other numbers would be wrong.
        EXPECT_TRUE(
            nearly_equal(decisions(of_sparse, sparse(problem)), decisions(of_dense, dense(problem)), 1e-3));
        const dk_status across = dk_decision(out.data(), 12, of_dense.get(), sparse(problem).get(), nullptr);
        if (across == DK_OK) {
            EXPECT_TRUE(nearly_equal(out, decisions(of_dense, dense(problem)), 1e-9));
        } else {
            EXPECT_NE(std::find(misfit.begin(), misfit.end(), across), misfit.end())
                << dk_status_name(across);
        }
        for (const Model* model : {&of_dense, &of_sparse}) {
            expect_failure_in(
                [&] { return dk_decision(out.data(), 12, model->get(), similarities.get(), nullptr); },
                misfit);
        }
    }
}

TEST(BadTrainingData, LabelsThatTheModelDoesNotKnow) {
    const Model model = train(dense(make_problem(12, 2, 2, 3.0, 1)), "mean_of_class");
    Problem other = make_problem(12, 2, 2, 3.0, 2);
    other.labels[5] = 77;
    std::vector<int64_t> counts(4);
    expect_failure([&] { return dk_confusion(counts.data(), 4, model.get(), dense(other).get(), nullptr); },
                   bad_data, {"77"});
}

TEST(BadTrainingData, AreaUnderTheCurveNeedsBothClasses) {
    const Problem problem = make_problem(12, 2, 2, 3.0, 1);
    const Model model = train(dense(problem), "mean_of_class");
    Problem one_class = problem;
    one_class.labels.assign(12, problem.labels.front());
    double score = 0.0;
    expect_failure([&] { return dk_score(&score, model.get(), dense(one_class).get(), "auc", nullptr); },
                   bad_data);
}

TEST(BadTrainingData, UnknownMetric) {
    const Data data = dense(make_problem(12, 2, 2, 3.0, 1));
    const Model model = train(data, "mean_of_class");
    double score = 0.0;
    for (const auto& [wrong, nearest] : std::vector<std::pair<const char*, const char*>>{
             {"acuracy", "accuracy"}, {"F-1", "f1"}, {"recal", "recall"}, {"Recall", "recall"}}) {
        const char* const name = wrong;  // Clang 14 captures no structured bindings.
        expect_failure_in([&] { return dk_score(&score, model.get(), data.get(), name, nullptr); },
                          {DK_ERR_INVALID_ARGUMENT, DK_ERR_INVALID_PARAMETER}, {name, nearest});
    }
}

}  // namespace
}  // namespace dk_test::bad_training_data_test
