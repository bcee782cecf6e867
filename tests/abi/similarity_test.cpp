// SPDX-License-Identifier: Apache-2.0
// These tests give similarities by callback, and expect the same models as from a matrix, calls on the thread
// that called, and an answer to every way in which a callback can fail.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "handles.hpp"
#include "structures.hpp"

namespace dk_test::similarity_test {
namespace {

constexpr int64_t rows = 150;
constexpr int64_t test_rows = 40;

/// Tiles of another size round otherwise, and a solver that stops early magnifies that, so these tests solve
/// exactly.
const std::string tight = "tolerance=1e-9 ";

std::vector<double> matrix_of(const Data& left, const Data& right) {
    return values_of<double>(dk_data_rows(left.get()) * dk_data_rows(right.get()), dk_gram, left.get(),
                             right.get(), "rbf(gamma=0.2)", nullptr);
}

class SimilarityData : public testing::Test {
  protected:
    const Problem problem = make_problem(rows, 4, 3, 2.5, 81);
    const Data points = dense(problem);
    const Data others = dense(make_problem(test_rows, 4, 3, 2.5, 82));
    Similarities training{matrix_of(points, points), rows, rows};
    Similarities testing_rows{matrix_of(others, points), test_rows, rows};
    const std::vector<double> ones = std::vector<double>(test_rows, 1.0);

    Data training_data(int32_t concurrent = 0) {
        Data data = training.data(nullptr, concurrent);
        label(data, problem.labels);
        return data;
    }
    Data training_matrix() const {
        Data data = gram(training.matrix, rows, rows);
        label(data, problem.labels);
        return data;
    }
    Data test_data(int32_t concurrent = 0) { return testing_rows.data(ones.data(), concurrent); }
    Data test_matrix() const {
        return create<Data>(dk_data_from_gram, testing_rows.matrix.data(), int64_t{1}, test_rows, rows, rows,
                            DK_ROW_MAJOR, test_rows * rows, ones.data());
    }
    void expect_well_called(const Similarities& similarities, bool concurrent = false) const {
        EXPECT_GT(similarities.calls, 0);
        EXPECT_FALSE(similarities.outside) << "rows that are not there, or none";
        if (concurrent) return;
        EXPECT_FALSE(similarities.other_thread);
        EXPECT_FALSE(similarities.at_once);
    }
};

TEST_F(SimilarityData, GivesTheModelOfTheMatrix) {
    for (const char* machine : {"svm", "fisher", "mean_of_class"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, machine);
        const Model model = train(training_data(), machine);
        const Model expected = train(training_matrix(), machine);
        EXPECT_EQ(dk_model_feature_count(model.get()), rows);
        EXPECT_TRUE(same_bits(predictions(model, test_data()), predictions(expected, test_matrix())));
        EXPECT_TRUE(nearly_equal(decisions(model, test_data()), decisions(expected, test_matrix()), 1e-12));
        EXPECT_TRUE(
            nearly_equal(explanations(model, test_data()), explanations(expected, test_matrix()), 1e-12));
        EXPECT_TRUE(same_bits(decisions(model, test_matrix()), decisions(expected, test_matrix())))
            << "the model does not care where similarities come from";
    }
    expect_well_called(training);
    expect_well_called(testing_rows);
}

TEST_F(SimilarityData, SettingsOfTrainingWorkToo) {
    for (const char* settings :
         {"probability=yes", "multiclass=ovr loss=squared_hinge", "kernel=2*gram(0)+exp(gram(0))",
          "kernel=center(gram(0))", "kernel=lowrank(gram(0), rank=20)", "kernel=(gram(0))^2",
          "precision=single"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, settings);
        const Model model = train(training_data(), "svm", tight + settings);
        const Model expected = train(training_matrix(), "svm", tight + settings);
        EXPECT_TRUE(nearly_equal(decisions(model, test_data()), decisions(expected, test_matrix()), 1e-6));
    }
    expect_well_called(training);
    expect_well_called(testing_rows);
}

TEST_F(SimilarityData, ManyThreadsStillCallFromOne) {
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), 4));
    const Model model = train(training_data(), "svm", "probability=yes", control.get());
    const Data test = test_data();
    std::vector<double> out(test_rows);
    check(dk_predict(out.data(), test_rows, model.get(), test.get(), control.get()));
    expect_well_called(training);
    expect_well_called(testing_rows);
}

TEST_F(SimilarityData, ConcurrentCallsGiveTheSame) {
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), 4));
    const Model alone = train(training_data(0), "svm", "probability=yes");
    const Model together = train(training_data(1), "svm", "probability=yes", control.get());
    expect_well_called(training, true);
    EXPECT_EQ(bytes_of(together.get()), bytes_of(alone.get()));
    EXPECT_TRUE(same_bits(decisions(together, test_data(1)), decisions(alone, test_data(0))));
    expect_well_called(testing_rows, true);
}

TEST_F(SimilarityData, OnlyTheUpperHalfCountsInTraining) {
    const Model expected = train(training_data(), "svm");
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < i; ++j) training.matrix[i * rows + j] = 1e6;
    }
    const Model model = train(training_data(), "svm");
    EXPECT_TRUE(same_bits(decisions(model, test_data()), decisions(expected, test_data())));
}

/// With so many rows, machines ask for some of the matrix's rows, not for the whole.
TEST_F(SimilarityData, OnlyTheUpperHalfCountsOfManyRows) {
    constexpr int64_t many = 450;
    for (const int64_t classes : {2, 3}) {
        const Problem larger = make_problem(many, 4, classes, 2.5, 83);
        const Data larger_points = dense(larger);
        Similarities upper{matrix_of(larger_points, larger_points), many, many};
        Similarities asked{matrix_of(others, larger_points), test_rows, many};
        for (const char* machine : {"svm", "cvm", "fisher"}) {
            const testing::ScopedTrace trace(__FILE__, __LINE__, machine);
            const auto decisions_of = [&](double below) {
                for (std::size_t i = 0; i < many; ++i) {
                    for (std::size_t j = 0; below != 0 && j < i; ++j) upper.matrix[i * many + j] = below;
                }
                Data data = upper.data();
                label(data, larger.labels);
                return decisions(train(data, machine), asked.data(ones.data()));
            };
            const auto expected = decisions_of(0);
            EXPECT_TRUE(same_bits(decisions_of(1e6), expected));
            upper.matrix = matrix_of(larger_points, larger_points);
        }
    }
}

TEST_F(SimilarityData, FailureOfTheCallbackEndsTheCallAndNoMore) {
    const Model expected = train(training_data(), "svm");
    for (const int32_t failure : {1, -1, 42}) {
        for (const int call : {1, 2}) {
            training.calls = 0;
            training.fail_at_call = call;
            training.failure = failure;
            const Data data = training_data();
            const Params params = parameters("svm");
            expect_no_handle<dk_model>(
                [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); },
                DK_ERR_CALLBACK, {std::to_string(failure)});
            EXPECT_EQ(training.calls, call) << "called again after it failed";
            training.fail_at_call = -1;
            EXPECT_TRUE(
                same_bits(decisions(train(data, "svm"), test_data()), decisions(expected, test_data())));
        }
    }
    testing_rows.calls = 0;
    testing_rows.fail_at_call = 1;
    const Data test = test_data();
    std::vector<double> out(test_rows * 3);
    const auto predict = [&] {
        return dk_predict(out.data(), test_rows, expected.get(), test.get(), nullptr);
    };
    expect_failure(predict, DK_ERR_CALLBACK);
    EXPECT_EQ(predict(), DK_OK) << dk_last_error();
    training.calls = 0;
    training.fail_at_call = 1;
    std::vector<double> matrix(rows * rows);
    const Data data = training_data();
    expect_failure(
        [&] { return dk_gram(matrix.data(), rows * rows, data.get(), nullptr, "gram(0)", nullptr); },
        DK_ERR_CALLBACK);
}

TEST_F(SimilarityData, FailuresOfConcurrentCallbacks) {
    training.fail_at_call = 3;
    const Data data = training_data(1);
    const Params params = parameters("svm");
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); }, DK_ERR_CALLBACK);
    EXPECT_EQ(training.running, 0) << "nobody calls back after the call";
}

TEST_F(SimilarityData, ValuesThatAreNotFiniteNameTheRows) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        std::vector<double>& matrix = training.matrix;
        const double good = matrix[17 * rows + 93];
        matrix[17 * rows + 93] = matrix[93 * rows + 17] = bad;
        const Data data = training_data();
        const Params params = parameters("svm");
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); },
            DK_ERR_INVALID_DATA, {"17", "93"});
        matrix[17 * rows + 93] = matrix[93 * rows + 17] = good;
        const Model model = train(data, "mean_of_class");
        testing_rows.matrix[23 * rows + 5] = bad;
        const Data test = test_data();
        std::vector<double> out(test_rows);
        expect_failure([&] { return dk_predict(out.data(), test_rows, model.get(), test.get(), nullptr); },
                       DK_ERR_INVALID_DATA, {"23", "5"});
        testing_rows.matrix[23 * rows + 5] = 0.5;
    }
}

TEST_F(SimilarityData, ValuesThatTheCallbackLeavesOutAreNoSimilarities) {
    const auto nothing = [](double*, const int64_t*, int64_t, const int64_t*, int64_t, void*) -> int32_t {
        return 0;
    };
    const std::vector<double> self(4, 1.0);
    const Data data = create<Data>(dk_data_from_similarity, int64_t{4}, int64_t{4},
                                   static_cast<dk_similarity_callback>(nothing), static_cast<void*>(nullptr),
                                   self.data(), 0);
    label(data, {1, 2, 1, 2});
    const Params params = parameters("svm");
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); }, DK_ERR_INVALID_DATA,
        {"row"});
}

TEST_F(SimilarityData, CancelFromTheCallback) {
    const Control control = create<Control>(dk_control_create);
    training.cancel_at_first_call = control.get();
    const Data data = training_data();
    const Params params = parameters("svm");
    const auto fit = [&](dk_model** out) { return dk_train(out, data.get(), params.get(), control.get()); };
    expect_no_handle<dk_model>(fit, DK_ERR_CANCELLED);
    EXPECT_EQ(training.calls, 1) << "a cancel is answered after the callback that runs";
    check(dk_control_reset(control.get()));
    dk_model* out = nullptr;
    EXPECT_EQ(fit(&out), DK_OK) << dk_last_error();
    dk_model_free(out);
}

TEST_F(SimilarityData, TheModelOutlivesTheTrainingData) {
    const Model expected = train(training_data(), "svm");
    Model model;
    {
        Similarities gone(training.matrix, rows, rows);
        Data data = gone.data();
        label(data, problem.labels);
        model = train(data, "svm");
        data.reset();
        gone.matrix.assign(gone.matrix.size(), 1e9);
    }
    EXPECT_TRUE(same_bits(decisions(model, test_data()), decisions(expected, test_data())));
    EXPECT_EQ(bytes_of(model.get()), bytes_of(expected.get()));
}

TEST_F(SimilarityData, SelectedRowsAskForTheirOwnSimilarities) {
    const Data data = training_data();
    const std::vector<int64_t> chosen{140, 3, 77, 4};
    const Data some = create<Data>(dk_data_select, data.get(), chosen.data(), int64_t{4});
    EXPECT_EQ(dk_data_rows(some.get()), 4);
    const auto found = values_of<double>(4 * rows, dk_gram, some.get(), data.get(), "gram(0)", nullptr);
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < rows; ++j) {
            EXPECT_EQ(found[i * rows + j], training.matrix[static_cast<std::size_t>(chosen[i]) * rows + j]);
        }
    }
}

TEST_F(SimilarityData, CrossValidationIsThatOfTheMatrix) {
    const auto scores = [](const Model& model) {
        return nlohmann::json::parse(text_of(dk_model_info, model.get())).at("cross_validation");
    };
    for (const char* settings :
         {"folds=4", "folds=3 spectrum=clip", "folds=3 kernel=center(gram(0))",
          "folds=3 kernel=lowrank(gram(0), rank=20)", "folds=3 kernel=corrected(gram(0), method=flip)"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, settings);
        const Params params = parameters("svm", tight + settings);
        const Model model = create<Model>(dk_cross_validate, training_data().get(), params.get(), nullptr);
        const Model expected =
            create<Model>(dk_cross_validate, training_matrix().get(), params.get(), nullptr);
        EXPECT_TRUE(nearly_equal(decisions(model, test_data()), decisions(expected, test_matrix()), 1e-6));
        EXPECT_EQ(scores(model), scores(expected));
    }
    expect_well_called(training);
}

TEST_F(SimilarityData, TrainingOnSelectedRows) {
    std::vector<int64_t> chosen;
    for (int64_t row = 1; row < rows; row += 2) chosen.push_back(rows - row);
    const auto count = static_cast<int64_t>(chosen.size());
    for (const char* settings : {"", "spectrum=clip", "kernel=lowrank(gram(0), rank=20)"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, settings);
        const Data some = create<Data>(dk_data_select, training_data().get(), chosen.data(), count);
        const Data expected = create<Data>(dk_data_select, training_matrix().get(), chosen.data(), count);
        const Model model = train(some, "svm", tight + settings);
        EXPECT_EQ(dk_model_training_rows(model.get()), count);
        EXPECT_TRUE(nearly_equal(decisions(model, test_data()),
                                 decisions(train(expected, "svm", tight + settings), test_matrix()), 1e-6));
    }
    expect_well_called(training);
    expect_well_called(testing_rows);
}

TEST_F(SimilarityData, RowsToPredictNeedTheirSelfSimilarities) {
    const std::vector<double> self(rows, 1.0);
    const Data with_self = training.data(self.data());
    label(with_self, problem.labels);
    const Model model = train(with_self, "svm", "kernel=normalize(gram(0))");
    const Data bare = testing_rows.data();
    std::vector<double> out(test_rows * 3);
    expect_failure_in(
        [&] { return dk_decision(out.data(), test_rows * 3, model.get(), bare.get(), nullptr); },
        {DK_ERR_INVALID_DATA, DK_ERR_UNSUPPORTED}, {"self"});
    EXPECT_TRUE(nearly_equal(
        decisions(model, test_data()),
        decisions(train(training_matrix(), "svm", "kernel=normalize(gram(0))"), test_matrix()), 1e-12));
}

TEST_F(SimilarityData, TrainingRowsAreAskedForTheirSelfSimilarities) {
    // Without `self` the callback is asked in training, and what it said must be good for predicting too.
    for (const char* kernel :
         {"normalize(gram(0))", "normalize(center(gram(0)))", "normalize(gram(0))*gram(0)"}) {
        // The tolerance is so small that the order in which equal rows are chosen leaves no trace.
        const std::string settings = std::string("tolerance=1e-11 kernel=") + kernel;
        const Model model = train(training_data(), "svm", settings);
        const Model expected = train(training_matrix(), "svm", settings);
        const std::vector<double> wanted = decisions(expected, test_matrix());
        std::vector<double> found(wanted.size());
        EXPECT_EQ(dk_decision(found.data(), static_cast<int64_t>(found.size()), model.get(),
                              test_data().get(), nullptr),
                  DK_OK)
            << kernel << ": " << dk_last_error();
        EXPECT_TRUE(nearly_equal(found, wanted, 1e-9)) << kernel;
    }
}

// Rows of folds, and rows whose decisions give probabilities, are training rows too.
TEST_F(SimilarityData, FoldsKnowTheirSelfSimilarities) {
    const std::string settings = "kernel=normalize(gram(0)) folds=3";
    for (const auto& [machine, more] : std::vector<std::pair<const char*, const char*>>{
             {"svm", " tolerance=1e-11"}, {"nearest_neighbours", ""}}) {
        const Params params = parameters(machine, settings + more);
        const Model found = create<Model>(dk_cross_validate, training_data().get(), params.get(), nullptr);
        const Model expected =
            create<Model>(dk_cross_validate, training_matrix().get(), params.get(), nullptr);
        EXPECT_TRUE(nearly_equal(decisions(found, test_data()), decisions(expected, test_matrix()), 1e-6))
            << machine;
    }
    const Model model = train(training_data(), "svm", "kernel=normalize(gram(0)) probability=yes");
    EXPECT_TRUE(all_finite(decisions(model, test_data())));
}

TEST_F(SimilarityData, AsManyNewRowsAsTrainingRowsAreNoTrainingRows) {
    const Model model = train(training_data(), "svm", "kernel=normalize(gram(0))");
    Similarities new_rows(std::vector<double>(rows * rows, 0.5), rows, rows);
    const Data bare = new_rows.data();
    std::vector<double> out(rows * 3);
    expect_failure([&] { return dk_decision(out.data(), rows * 3, model.get(), bare.get(), nullptr); },
                   DK_ERR_INVALID_DATA, {"self"});
}

TEST_F(SimilarityData, TrainingNeedsASquare) {
    const Params params = parameters("svm");
    for (const double* self : {static_cast<const double*>(nullptr), ones.data()}) {
        const Data oblong = testing_rows.data(self);
        label(oblong, labels_of(others));
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_train(out, oblong.get(), params.get(), nullptr); },
            DK_ERR_DIMENSION, {std::to_string(test_rows), std::to_string(rows)});
    }
}

TEST_F(SimilarityData, ShapesThatDoNotFit) {
    const Model model = train(training_data(), "svm");
    Similarities fewer(std::vector<double>(5 * 7, 0.5), 5, 7);
    const Data misfit = fewer.data();
    std::vector<double> out(5);
    expect_failure([&] { return dk_predict(out.data(), 5, model.get(), misfit.get(), nullptr); },
                   DK_ERR_DIMENSION, {"7", std::to_string(rows)});
    EXPECT_EQ(fewer.calls, 0);
}

}  // namespace
}  // namespace dk_test::similarity_test
