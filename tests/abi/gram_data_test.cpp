// SPDX-License-Identifier: Apache-2.0
// These tests check what is refused as precomputed similarities, and that the others train the same model as
// the kernel that they were computed with.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::gram_data_test {
namespace {

constexpr dk_status bad_data = DK_ERR_INVALID_DATA;

class GramData : public testing::Test {
  protected:
    const Problem problem = make_problem(20, 3, 2, 2.0, 5);
    const Problem others = make_problem(9, 3, 2, 2.0, 6);
    const Data features = dense(problem);
    const Data test_features = dense(others);

    static std::vector<double> kernel(const Data& left, const Data& right, const char* specification) {
        const int64_t length = dk_data_rows(left.get()) * dk_data_rows(right.get());
        return values_of<double>(length, dk_gram, left.get(), right.get(), specification, nullptr);
    }

    Data labelled(const std::vector<double>& matrix) const {
        Data data = gram(matrix, 20, 20);
        check(dk_data_set_labels(data.get(), problem.labels.data(), 20));
        return data;
    }

    static auto training(const Data& data, const std::string& kernel) {
        return [&data, kernel](dk_model** out) {
            return dk_train(out, data.get(), parameters("svm", "kernel=" + kernel).get(), nullptr);
        };
    }
};

TEST_F(GramData, TrainsTheModelOfItsKernel) {
    const Data data = labelled(kernel(features, features, "rbf(gamma=0.5)"));
    EXPECT_EQ(dk_data_kind(data.get()), DK_KIND_GRAM);
    const Data test = gram(kernel(test_features, features, "rbf(gamma=0.5)"), 9, 20);
    for (const char* machine : {"svm", "fisher", "mean_of_class"}) {
        const Model expected = train(features, machine, "kernel=rbf(gamma=0.5)");
        const Model model = train(data, machine, "kernel=gram(0)");
        EXPECT_TRUE(nearly_equal(decisions(model, test), decisions(expected, test_features), 1e-9))
            << machine;
        EXPECT_EQ(predictions(model, test), predictions(expected, test_features)) << machine;
        EXPECT_EQ(dk_model_feature_count(model.get()), 20) << machine;
    }
}

TEST_F(GramData, SeveralMatricesAndPadding) {
    const std::vector<double> linear = kernel(features, features, "linear");
    const std::vector<double> rbf = kernel(features, features, "rbf(gamma=0.5)");
    constexpr int64_t ld = 22;
    constexpr int64_t stride = 20 * ld + 7;
    std::vector<double> padded(2 * stride, 1e300);
    for (std::size_t i = 0; i < 20; ++i) {
        for (std::size_t j = 0; j < 20; ++j) {
            padded[i * ld + j] = linear[i * 20 + j];
            padded[stride + i * ld + j] = rbf[i * 20 + j];
        }
    }
    const Data data = create<Data>(dk_data_from_gram, padded.data(), int64_t{2}, int64_t{20}, int64_t{20}, ld,
                                   DK_ROW_MAJOR, stride, nullptr);
    EXPECT_EQ(dk_data_rows(data.get()), 20);
    EXPECT_EQ(dk_data_cols(data.get()), 20);
    EXPECT_TRUE(same_bits(values_of<double>(400, dk_gram, data.get(), nullptr, "gram(0)", nullptr), linear));
    EXPECT_TRUE(same_bits(values_of<double>(400, dk_gram, data.get(), nullptr, "gram(1)", nullptr), rbf));
}

TEST_F(GramData, ColumnMajorIsTheTranspose) {
    const std::vector<double> x{1, 2, 3, 4, 5, 6};
    const Data data = create<Data>(dk_data_from_gram, x.data(), int64_t{1}, int64_t{2}, int64_t{3},
                                   int64_t{2}, DK_COL_MAJOR, int64_t{6}, nullptr);
    EXPECT_EQ(dk_data_rows(data.get()), 2);
    EXPECT_EQ(dk_data_cols(data.get()), 3);
    const Data training = create<Data>(dk_data_from_gram, std::vector<double>(9, 1.0).data(), int64_t{1},
                                       int64_t{3}, int64_t{3}, int64_t{3}, DK_COL_MAJOR, int64_t{9}, nullptr);
    EXPECT_EQ(values_of<double>(6, dk_gram, data.get(), training.get(), "gram(0)", nullptr),
              (std::vector<double>{1, 3, 5, 2, 4, 6}));
}

TEST_F(GramData, AsymmetricTrainingMatrixIsNamed) {
    std::vector<double> matrix = kernel(features, features, "rbf(gamma=0.5)");
    matrix[3 * 20 + 11] += 1e-6;
    const Data data = labelled(matrix);
    expect_no_handle<dk_model>(training(data, "gram(0)"), bad_data, {"symmetric", "3", "11"});
    matrix[3 * 20 + 11] += 1e-11 - 1e-6;
    const Data rounded = labelled(matrix);
    dk_model* model = nullptr;
    EXPECT_EQ(training(rounded, "gram(0)")(&model), DK_OK) << dk_last_error();
    dk_model_free(model);
}

TEST_F(GramData, AsymmetricSquareIsGoodForPredicting) {
    const Problem more = make_problem(20, 3, 2, 2.0, 8);
    const Model model =
        train(labelled(kernel(features, features, "rbf(gamma=0.5)")), "svm", "kernel=gram(0)");
    const Data test = gram(kernel(dense(more), features, "rbf(gamma=0.5)"), 20, 20);
    EXPECT_EQ(predictions(model, test).size(), 20U);
}

TEST_F(GramData, TrainingNeedsASquare) {
    Data data = gram(kernel(test_features, features, "linear"), 9, 20);
    check(dk_data_set_labels(data.get(), others.labels.data(), 9));
    expect_no_handle<dk_model>(training(data, "gram(0)"), DK_ERR_DIMENSION, {"9", "20"});
}

TEST_F(GramData, PredictingNeedsOneColumnATrainingRow) {
    const Model model = train(labelled(kernel(features, features, "linear")), "svm", "kernel=gram(0)");
    const Data square = gram(std::vector<double>(81, 1.0), 9, 9);
    std::vector<double> out(9);
    expect_failure([&] { return dk_predict(out.data(), 9, model.get(), square.get(), nullptr); },
                   DK_ERR_DIMENSION, {"20", "9"});
}

TEST_F(GramData, KernelsOfFeaturesAndMatricesThatAreNotThere) {
    const std::vector<dk_status> misfit{DK_ERR_DIMENSION, DK_ERR_UNSUPPORTED, DK_ERR_INVALID_KERNEL,
                                        bad_data};
    const Data data = labelled(kernel(features, features, "linear"));
    expect_no_handle_in<dk_model>(training(data, "gram(1)"), misfit, {"1"});
    expect_no_handle_in<dk_model>(training(data, "gram(1000)"), misfit);
    for (const char* specification : {"linear", "rbf(gamma=1)", "arccos(1)", "each_feature(linear)"}) {
        expect_no_handle_in<dk_model>(training(data, specification), misfit);
    }
    expect_no_handle_in<dk_model>(training(features, "gram(0)"), misfit, {"gram"});
}

TEST_F(GramData, NormalizeNeedsTheSelfSimilarities) {
    const Model model =
        train(labelled(kernel(features, features, "linear")), "svm", "kernel=normalize(gram(0))");
    const std::vector<double> matrix = kernel(test_features, features, "linear");
    const Data bare = gram(matrix, 9, 20);
    std::vector<double> out(9);
    expect_failure_in([&] { return dk_decision(out.data(), 9, model.get(), bare.get(), nullptr); },
                      {bad_data, DK_ERR_INVALID_ARGUMENT, DK_ERR_UNSUPPORTED, DK_ERR_DIMENSION}, {"self"});
    const std::vector<double> squares = kernel(test_features, test_features, "linear");
    std::vector<double> self;
    for (std::size_t i = 0; i < 9; ++i) self.push_back(squares[i * 9 + i]);
    const Data with_self = create<Data>(dk_data_from_gram, matrix.data(), int64_t{1}, int64_t{9}, int64_t{20},
                                        int64_t{20}, DK_ROW_MAJOR, int64_t{180}, self.data());
    const Model expected = train(features, "svm", "kernel=normalize(linear)");
    EXPECT_TRUE(nearly_equal(decisions(model, with_self), decisions(expected, test_features), 1e-9));
}

// A square matrix of new rows has no similarities to themselves on its diagonal.
TEST_F(GramData, AsManyNewRowsAsTrainingRowsAreNoTrainingRows) {
    const Data new_rows = unlabelled(make_problem(20, 3, 2, 1.0, 77));
    const std::vector<double> matrix = kernel(new_rows, features, "linear");
    const Model model =
        train(labelled(kernel(features, features, "linear")), "svm", "kernel=normalize(gram(0))");
    const Data bare = gram(matrix, 20, 20);
    std::vector<double> out(20);
    expect_failure([&] { return dk_decision(out.data(), 20, model.get(), bare.get(), nullptr); }, bad_data,
                   {"self"});
    const std::vector<double> squares = kernel(new_rows, new_rows, "linear");
    std::vector<double> self;
    for (std::size_t i = 0; i < 20; ++i) self.push_back(squares[i * 20 + i]);
    const Data known = create<Data>(dk_data_from_gram, matrix.data(), int64_t{1}, int64_t{20}, int64_t{20},
                                    int64_t{20}, DK_ROW_MAJOR, int64_t{400}, self.data());
    const Model expected = train(features, "svm", "kernel=normalize(linear)");
    EXPECT_TRUE(nearly_equal(decisions(model, known), decisions(expected, new_rows), 1e-9));
    // The training rows themselves are known by the symmetry of their matrix.
    EXPECT_TRUE(nearly_equal(decisions(model, gram(kernel(features, features, "linear"), 20, 20)),
                             decisions(expected, features), 1e-9));
}

// The folds of a matrix that its training corrects know the diagonal, though it is not symmetric.
TEST_F(GramData, FoldsOfAMatrixThatIsCorrectedKnowItsDiagonal) {
    std::vector<double> matrix = kernel(features, features, "rbf(gamma=0.5)");
    matrix[1] += 0.25;
    const Data data = labelled(matrix);
    const Params params =
        parameters("svm", "kernel=normalize(gram(0)) spectrum=clip folds=3 probability=yes");
    const Model model = create<Model>(dk_cross_validate, data.get(), params.get(), nullptr);
    EXPECT_EQ(dk_model_decision_count(model.get()), 1);
}

TEST_F(GramData, ComponentsNeedNoSelfSimilaritiesAndNoveltyDoes) {
    const Data trained = gram(kernel(features, features, "rbf(gamma=0.5)"), 20, 20);
    const Model model = train(trained, "kernel_pca", "kernel=gram(0) components=3");
    const Model expected = train(features, "kernel_pca", "kernel=rbf(gamma=0.5) components=3");
    const Data test = gram(kernel(test_features, features, "rbf(gamma=0.5)"), 9, 20);
    const auto of = [](const Model& one, const Data& rows) {
        return values_of<double>(27, dk_transform, one.get(), rows.get(), nullptr);
    };
    EXPECT_TRUE(nearly_equal(of(model, test), of(expected, test_features), 1e-9));
    std::vector<double> out(9);
    expect_failure([&] { return dk_decision(out.data(), 9, model.get(), test.get(), nullptr); }, bad_data,
                   {"self"});
}

TEST_F(GramData, ExplainNeedsTheSelfSimilarities) {
    const Model model = train(labelled(kernel(features, features, "linear")), "svm", "kernel=gram(0)");
    const Data bare = gram(kernel(test_features, features, "linear"), 9, 20);
    std::vector<double> out(18);
    expect_failure_in([&] { return dk_explain(out.data(), 18, model.get(), bare.get(), nullptr); },
                      {bad_data, DK_ERR_INVALID_ARGUMENT, DK_ERR_UNSUPPORTED, DK_ERR_DIMENSION}, {"self"});
    EXPECT_TRUE(all_finite(decisions(model, bare)));
}

TEST_F(GramData, CrossValidationTakesRowsAndColumnsOut) {
    const Data data = labelled(kernel(features, features, "rbf(gamma=0.5)"));
    const Model model = create<Model>(dk_cross_validate, data.get(),
                                      parameters("svm", "kernel=gram(0) folds=4").get(), nullptr);
    const Model expected = create<Model>(dk_cross_validate, features.get(),
                                         parameters("svm", "kernel=rbf(gamma=0.5) folds=4").get(), nullptr);
    const std::string key = "\"cross_validation\"";
    EXPECT_NE(text_of(dk_model_info, model.get()).find(key), std::string::npos);
    EXPECT_TRUE(nearly_equal(decisions(model, data), decisions(expected, features), 1e-9));
}

}  // namespace
}  // namespace dk_test::gram_data_test
