// SPDX-License-Identifier: Apache-2.0
// Models that LIBSVM has trained and written decide as LIBSVM decides with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "libsvm_files.hpp"

namespace dk_reference {
namespace {

struct ImportCase {
    const char* name;
    int machine;
    int kernel;
    std::vector<int> labels;  // none for regression
    bool probability = false;
};

svm_parameter parameters_of(const ImportCase& test) {
    svm_parameter parameters{};
    parameters.svm_type = test.machine;
    parameters.kernel_type = test.kernel;
    parameters.degree = 3;
    parameters.gamma = 0.13;
    parameters.coef0 = test.kernel == SIGMOID ? -0.5 : 1.25;
    parameters.cache_size = 10;
    parameters.eps = 1e-4;
    parameters.C = 3;
    parameters.nu = 0.2;
    parameters.p = 0.05;
    parameters.shrinking = 1;
    parameters.probability = test.probability ? 1 : 0;
    return parameters;
}

// Labels whose order of first appearance does not ascend.
const std::vector<int> two{5, -2};
const std::vector<int> other_two{-2, 5};
const std::vector<int> five{7, -3, 12, 0, 5};

class ImportedFromLibsvm : public testing::TestWithParam<ImportCase> {
  protected:
    void SetUp() override {
        const ImportCase& test = GetParam();
        training_ = random_rows(120, 6, test.labels, 11);
        rows_ = random_rows(40, 6, test.labels, 12);
        if (test.kernel == PRECOMPUTED) {
            rows_ = inner_products(rows_, training_);
            training_ = inner_products(training_, training_);
        }
        theirs_ = trained_file(training_, parameters_of(test), path_);
        ASSERT_NE(theirs_, nullptr);
    }
    void TearDown() override { std::remove(path_.c_str()); }

    libdk::Data data() const {
        if (GetParam().kernel != PRECOMPUTED) return dense(rows_);
        return libdk::Data::gram(rows_.values, 1, static_cast<std::int64_t>(rows_.count()),
                                 static_cast<std::int64_t>(rows_.cols));
    }
    libdk::Model imported() const {
        const auto cols = std::to_string(rows_.cols);
        return libdk::Model::import_from(path_, "libsvm features=" + cols);
    }

    const std::string path_ = file_name(GetParam().name);
    Rows training_;
    Rows rows_;
    LibsvmModel theirs_;
};

TEST_P(ImportedFromLibsvm, DecidesAlike) {
    expect_same_decisions(*theirs_, imported(), rows_, data());
}

TEST_P(ImportedFromLibsvm, DecidesAlikeAfterItWasWrittenAndExported) {
    const libdk::Model model = imported();
    const libdk::Data rows = data();
    const auto bytes = model.write();
    EXPECT_EQ(libdk::Model::read(bytes).decision(rows).values, model.decision(rows).values);
    const std::string exported = path_ + ".exported";
    model.export_to(exported, "libsvm");
    const LibsvmModel again = loaded(exported);
    ASSERT_NE(again, nullptr);
    expect_same_decisions(*again, model, rows_, rows);
    const libdk::Model back = libdk::Model::import_from(exported, "features=" + std::to_string(rows_.cols));
    expect_same_decisions(*theirs_, back, rows_, rows);
    std::remove(exported.c_str());
}

/// Tells whether one class has more votes than every other, or is more probable by more than the rounding of
/// LIBSVM's coupling.
bool has_one_winner(const svm_model& model, const double* row, std::size_t cols, bool by_probability) {
    if (model.label == nullptr) return true;
    const int classes = svm_get_nr_class(&model);
    std::vector<double> scores(static_cast<std::size_t>(classes));
    if (by_probability) scores = libsvm_probabilities(model, row, cols);
    const auto decisions = libsvm_decisions(model, row, cols);
    for (int i = 0, f = 0; i < classes && !by_probability; ++i) {
        for (int j = i + 1; j < classes; ++j, ++f)
            scores[static_cast<std::size_t>(decisions[static_cast<std::size_t>(f)] > 0 ? i : j)] += 1;
    }
    std::sort(scores.rbegin(), scores.rend());
    return scores[0] - scores[1] > 0.01;
}

TEST_P(ImportedFromLibsvm, ElectsTheSameClassesButWhereVotesAreEqual) {
    const libdk::Model model = imported();
    const auto found = model.predict(data());
    std::size_t compared = 0;
    for (std::size_t i = 0; i < rows_.count(); ++i) {
        if (!has_one_winner(*theirs_, rows_.row(i), rows_.cols, GetParam().probability)) continue;
        ++compared;
        const double expected = libsvm_prediction(*theirs_, rows_.row(i), rows_.cols);
        EXPECT_NEAR(found[i], expected, 1e-8 * (1 + std::abs(expected)));
    }
    EXPECT_GT(compared, rows_.count() / 2);
}

TEST_P(ImportedFromLibsvm, ExplanationsAddUpToDecisions) {
    const libdk::Model model = imported();
    if (GetParam().kernel == PRECOMPUTED) return;  // It takes each row's similarity to itself.
    const libdk::Matrix decisions = model.decision(data());
    const libdk::Explanation explained = model.explain(data());
    for (std::int64_t i = 0; i < 40; ++i) {
        for (std::int64_t f = 0; f < model.decision_count(); ++f) {
            const auto of_row = explained.contributions.row(i);
            const double sum = of_row[static_cast<std::size_t>(2 * f)] +
                               of_row[static_cast<std::size_t>(2 * f + 1)] +
                               explained.offsets[static_cast<std::size_t>(f)];
            EXPECT_NEAR(sum, decisions.row(i)[static_cast<std::size_t>(f)], 1e-9 * coefficient_sum(*theirs_));
        }
    }
}

TEST_P(ImportedFromLibsvm, HasTheProbabilities) {
    if (!GetParam().probability) return;
    const libdk::Model model = imported();
    const libdk::Matrix found = model.probability(data());
    // LIBSVM couples the probabilities of pairs by steps that end at 0.005 / classes.
    const double tolerance = GetParam().labels.size() == 2 ? 1e-10 : 5e-3;
    for (std::size_t i = 0; i < rows_.count(); ++i) {
        const auto expected = libsvm_probabilities(*theirs_, rows_.row(i), rows_.cols);
        const auto own = found.row(static_cast<std::int64_t>(i));
        for (std::size_t c = 0; c < expected.size(); ++c) EXPECT_NEAR(own[c], expected[c], tolerance);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, ImportedFromLibsvm,
    testing::Values(ImportCase{"linear", C_SVC, LINEAR, two}, ImportCase{"two", C_SVC, RBF, two, true},
                    ImportCase{"other_two", C_SVC, RBF, other_two, true},
                    ImportCase{"five", C_SVC, RBF, five, true}, ImportCase{"five_votes", C_SVC, POLY, five},
                    ImportCase{"sigmoid", C_SVC, SIGMOID, two}, ImportCase{"nu", NU_SVC, RBF, five},
                    ImportCase{"regression", EPSILON_SVR, RBF, {}},
                    ImportCase{"nu_regression", NU_SVR, POLY, {}}, ImportCase{"novelty", ONE_CLASS, RBF, {}},
                    ImportCase{"precomputed", C_SVC, PRECOMPUTED, five},
                    ImportCase{"precomputed_regression", EPSILON_SVR, PRECOMPUTED, {}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ImportedModel, TakesSparseAndDenseRowsAlike) {
    const Rows training = random_rows(80, 6, two, 3);
    const std::string path = file_name("kinds");
    const LibsvmModel theirs = trained_file(training, parameters_of({"", C_SVC, RBF, two}), path);
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int64_t> columns;
    std::vector<double> values;
    for (std::size_t i = 0; i < training.count(); ++i) {
        for (std::size_t j = 0; j < training.cols; ++j) {
            if (training.row(i)[j] == 0) continue;
            columns.push_back(static_cast<std::int64_t>(j));
            values.push_back(training.row(i)[j]);
        }
        offsets.push_back(static_cast<std::int64_t>(columns.size()));
    }
    const libdk::Data sparse = libdk::Data::sparse(offsets, columns, values, 6);
    for (const char* kind : {"data=dense", "data=sparse"}) {
        const libdk::Model model = libdk::Model::import_from(path, kind);
        expect_same_decisions(*theirs, model, training, dense(training));
        expect_same_decisions(*theirs, model, training, sparse);
    }
    std::remove(path.c_str());
}

}  // namespace
}  // namespace dk_reference
