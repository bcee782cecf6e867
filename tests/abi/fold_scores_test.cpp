// SPDX-License-Identifier: Apache-2.0
// The scores of a cross-validation are those of models that are trained without each fold, one by one. Folds
// may share kernel values only where the machine needs nothing else.
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answers.hpp"
#include "handles.hpp"

namespace dk_test::fold_scores_test {
namespace {

constexpr int64_t rows = 90;
constexpr int64_t folds = 3;

Data chosen(const Data& data, const std::vector<int64_t>& fold_of, int64_t fold, bool inside) {
    std::vector<int64_t> ids;
    for (int64_t i = 0; i < rows; ++i) {
        if ((fold_of[static_cast<std::size_t>(i)] == fold) == inside) ids.push_back(i);
    }
    return create<Data>(dk_data_select, data.get(), ids.data(), static_cast<int64_t>(ids.size()));
}

struct Learner {
    const char* machine;
    const char* settings;
};

class FoldScores : public testing::TestWithParam<Learner> {};

TEST_P(FoldScores, AreThoseOfModelsTrainedOneByOne) {
    const Data data = dense(make_problem(rows, 3, 3, 1.2, 5));
    const auto [machine, settings] = GetParam();
    const Params params = parameters(machine, settings + std::string(" folds=3"));
    const Model validated = create<Model>(dk_cross_validate, data.get(), params.get(), nullptr);
    const auto report = nlohmann::json::parse(text_of(dk_model_info, validated.get()));
    const double found = report.at("cross_validation").at("metrics").at("accuracy").at("mean").get<double>();
    std::vector<int64_t> fold_of(rows);
    check(dk_data_folds(fold_of.data(), rows, data.get(), folds, 1));
    double expected = 0;
    for (int64_t fold = 0; fold < folds; ++fold) {
        const Model model = train(chosen(data, fold_of, fold, false), machine, settings);
        double accuracy = 0;
        check(dk_score(&accuracy, model.get(), chosen(data, fold_of, fold, true).get(), "accuracy", nullptr));
        expected += accuracy / folds;
    }
    EXPECT_NEAR(found, expected, 1e-12) << machine;
}

INSTANTIATE_TEST_SUITE_P(
    Machines, FoldScores,
    testing::Values(Learner{"svm", "kernel=rbf(gamma=0.5) tolerance=1e-9"},
                    Learner{"super_sparse", "kernel=rbf(gamma=0.5) prototypes=4"},
                    Learner{"reduced_svm", "kernel=rbf(gamma=0.5) prototypes=4"},
                    Learner{"kglvq", "kernel=rbf(gamma=0.5)"},
                    Learner{"elm", "kernel=rbf(gamma=0.5) hidden=20"},
                    Learner{"imkpl", "kernel=[rbf(gamma=0.5), rbf(gamma=0.05)]"},
                    Learner{"kelm", "kernel=[rbf(gamma=0.5), rbf(gamma=0.05)] weights=umkl"}),
    [](const testing::TestParamInfo<Learner>& one) { return std::string(one.param.machine); });

}  // namespace
}  // namespace dk_test::fold_scores_test
