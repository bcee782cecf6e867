// SPDX-License-Identifier: Apache-2.0
// dk_predict_rows says in one pass what dk_predict, dk_decision and dk_probability say of a dataset.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "answers.hpp"
#include "handles.hpp"

namespace dk_test::predict_rows_test {
namespace {

struct Answered {
    std::vector<double> predictions;
    std::vector<double> decisions;
    std::vector<double> probabilities;
};

int64_t size_of(const std::vector<double>& values) {
    return static_cast<int64_t>(values.size());
}

Answered answered(const Model& model, const std::vector<double>& x, int64_t cols, bool probable) {
    const int64_t rows = size_of(x) / cols;
    Answered out;
    out.predictions.resize(static_cast<std::size_t>(rows * dk_model_target_count(model.get())));
    out.decisions.resize(static_cast<std::size_t>(rows * dk_model_decision_count(model.get())));
    if (probable)
        out.probabilities.resize(static_cast<std::size_t>(rows * dk_model_class_count(model.get())));
    check(dk_predict_rows(out.predictions.data(), size_of(out.predictions), out.decisions.data(),
                          size_of(out.decisions), probable ? out.probabilities.data() : nullptr,
                          size_of(out.probabilities), model.get(), x.data(), rows, cols, nullptr));
    return out;
}

void expect_the_same(const Model& model, const std::vector<double>& x, int64_t cols, bool probable) {
    const int64_t rows = size_of(x) / cols;
    const Data data = create<Data>(dk_data_from_dense, x.data(), rows, cols, cols, DK_ROW_MAJOR);
    const Answered found = answered(model, x, cols, probable);
    EXPECT_EQ(dk_model_has_probabilities(model.get()), probable ? 1 : 0);
    EXPECT_TRUE(same_bits(found.predictions, values_of<double>(size_of(found.predictions), dk_predict,
                                                               model.get(), data.get(), nullptr)));
    EXPECT_TRUE(same_bits(found.decisions, decisions(model, data)));
    if (probable) {
        EXPECT_TRUE(same_bits(found.probabilities, probabilities(model, data)));
    }
}

Model trained(const Data& data, const char* machine, const char* settings) {
    return create<Model>(dk_train, data.get(), parameters(machine, settings).get(), nullptr);
}

TEST(PredictRows, AreAnsweredAsADatasetIs) {
    const Problem problem = make_problem(60, 3, 3, 2.0, 7);
    const Data data = dense(problem);
    // Many rows go through the kernel in pieces, and one row takes a way of its own.
    const Problem many = make_problem(3000, 3, 3, 2.0, 8);
    const std::vector<double> one(many.x.begin(), many.x.begin() + 3);
    const auto compare = [&](const Model& model, bool probable) {
        expect_the_same(model, many.x, 3, probable);
        expect_the_same(model, one, 3, probable);
    };
    compare(trained(data, "svm", "probability=yes"), true);
    compare(trained(data, "svm", "probability=yes elect=probability multiclass=ovr"), true);
    compare(trained(data, "kelm", "kernel=[rbf,linear] weights=align"), false);
    compare(trained(data, "imkpl", ""), false);
    compare(trained(data, "nearest_neighbours", ""), false);
    compare(trained(data, "svm", "layers=kernel_pca(kernel=rbf,components=2)"), false);
    compare(trained(data, "one_class_svm", ""), false);
    compare(trained(data, "kernel_k_means", "clusters=3"), false);
    check(dk_data_set_targets(data.get(), problem.x.data(), size_of(problem.x)));
    compare(trained(data, "kernel_ridge", ""), false);
    check(dk_data_set_targets(data.get(), problem.x.data(), 60));
    compare(trained(data, "quantile_regression", "levels=0.1,0.5,0.9"), false);
    compare(trained(sparse(problem), "svm", "kernel=linear"), false);
}

TEST(PredictRows, MayLackValuesThatTheModelFills) {
    const Problem problem = make_problem(40, 3, 2, 2.0, 9);
    const Data data = dense(problem);
    const std::vector<double> lacking{1, std::numeric_limits<double>::quiet_NaN(), 2};
    double prediction = 0;
    check(dk_predict_rows(&prediction, 1, nullptr, 0, nullptr, 0, trained(data, "svm", "impute=mean").get(),
                          lacking.data(), 1, 3, nullptr));
    const Data missing = create<Data>(dk_data_from_dense_missing, lacking.data(), 1, 3, 3, DK_ROW_MAJOR);
    EXPECT_EQ(prediction, predictions(trained(data, "svm", "impute=mean"), missing).front());
    const Model model = trained(data, "svm", "");
    expect_failure(
        [&] {
            return dk_predict_rows(&prediction, 1, nullptr, 0, nullptr, 0, model.get(), lacking.data(), 1, 3,
                                   nullptr);
        },
        DK_ERR_INVALID_DATA, {"row 0", "column 1"});
}

TEST(PredictRows, SayWhatIsWrongAndWriteNothing) {
    const Problem problem = make_problem(40, 3, 2, 2.0, 10);
    const Model model = trained(dense(problem), "svm", "");
    std::vector<double> out(2, -7);
    const auto refused = [&](dk_status status, const Words& words, auto call) {
        expect_failure(call, status, words);
    };
    const double* const x = problem.x.data();
    refused(DK_ERR_INVALID_ARGUMENT, {"model"}, [&] {
        return dk_predict_rows(out.data(), 1, nullptr, 0, nullptr, 0, nullptr, x, 1, 3, nullptr);
    });
    refused(DK_ERR_INVALID_ARGUMENT, {"x is NULL"}, [&] {
        return dk_predict_rows(out.data(), 1, nullptr, 0, nullptr, 0, model.get(), nullptr, 1, 3, nullptr);
    });
    for (const int64_t rows : {int64_t{0}, int64_t{-1}, std::numeric_limits<int64_t>::max()}) {
        refused(DK_ERR_INVALID_ARGUMENT, {"rows and cols"}, [&] {
            return dk_predict_rows(out.data(), 1, nullptr, 0, nullptr, 0, model.get(), x, rows, 3, nullptr);
        });
    }
    refused(DK_ERR_DIMENSION, {"3 columns", "have 2"}, [&] {
        return dk_predict_rows(out.data(), 1, nullptr, 0, nullptr, 0, model.get(), x, 1, 2, nullptr);
    });
    refused(DK_ERR_INVALID_ARGUMENT, {"length of predictions is 2"}, [&] {
        return dk_predict_rows(out.data(), 2, nullptr, 0, nullptr, 0, model.get(), x, 1, 3, nullptr);
    });
    refused(DK_ERR_INVALID_ARGUMENT, {"decisions"}, [&] {
        return dk_predict_rows(out.data(), 1, nullptr, 1, nullptr, 0, model.get(), x, 1, 3, nullptr);
    });
    refused(DK_ERR_UNSUPPORTED, {"probability=yes"}, [&] {
        return dk_predict_rows(out.data(), 1, nullptr, 0, out.data(), 2, model.get(), x, 1, 3, nullptr);
    });
    EXPECT_EQ(out, (std::vector<double>{-7, -7}));
    check(dk_predict_rows(nullptr, 0, nullptr, 0, nullptr, 0, model.get(), x, 1, 3,
                          nullptr));  // Nothing is asked.
    EXPECT_EQ(dk_model_has_probabilities(nullptr), -1);
    const Data texts =
        create<Data>(dk_data_from_strings, std::vector<const char*>{"a", "b", "aa", "bb"}.data(), 4);
    const std::vector<int64_t> labels{0, 1, 0, 1};
    check(dk_data_set_labels(texts.get(), labels.data(), 4));
    refused(DK_ERR_DIMENSION, {"strings"}, [&] {
        return dk_predict_rows(out.data(), 1, nullptr, 0, nullptr, 0,
                               trained(texts, "svm", "kernel=spectrum(length=1)").get(), x, 1, 3, nullptr);
    });
}

}  // namespace
}  // namespace dk_test::predict_rows_test
