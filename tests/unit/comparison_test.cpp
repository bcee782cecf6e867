// SPDX-License-Identifier: Apache-2.0
// What cross-validation tells beside the scores: paired tests of candidates, the score of the choice itself,
// and weights over halves of the rows. Values of t and p were computed independently of this library.
#include <cmath>
#include <nlohmann/json.hpp>

#include "data/split.hpp"
#include "pipeline/score.hpp"
#include "pipeline/search/cross_validate.hpp"
#include "pipeline/train.hpp"
#include "pipeline/validation/paired_test.hpp"
#include "support.hpp"

namespace dk::test::comparison_test {
namespace {

TEST(PairedTest, GivesTheWorkedExample) {
    const std::vector<double> d{.02, .01, .03, -.01, .02, 0, .04, .01, .02, .01};
    const PairedTest corrected = corrected_resampled_test(d, 0.25);
    EXPECT_NEAR(corrected.difference, 0.015, 1e-15);
    EXPECT_NEAR(corrected.t, 1.768449357, 5e-10);
    EXPECT_NEAR(corrected.p, 0.110777093, 5e-10);
    EXPECT_NEAR(corrected_resampled_test(d, 0).t, 3.308465799, 5e-10);
}

TEST(PairedTest, IsTheSameInBothDirections) {
    const std::vector<double> d{.3, -.1, .2, .5, .1};
    std::vector<double> negative = d;
    for (double& x : negative) x = -x;
    EXPECT_DOUBLE_EQ(corrected_resampled_test(d, 0.2).t, -corrected_resampled_test(negative, 0.2).t);
    EXPECT_DOUBLE_EQ(corrected_resampled_test(d, 0.2).p, corrected_resampled_test(negative, 0.2).p);
}

TEST(PairedTest, KnowsDifferencesThatDoNotVary) {
    EXPECT_EQ(corrected_resampled_test(std::vector<double>(5, 0.0), 0.25).p, 1);
    EXPECT_EQ(corrected_resampled_test(std::vector<double>(5, 0.1), 0.25).p, 0);
    EXPECT_EQ(corrected_resampled_test(std::vector<double>(1, 0.1), 0.25).p, 1);
    EXPECT_EQ(corrected_resampled_test({}, 0.25).p, 1);
}

TEST(ScoreInterval, IsTheCorrectedOneOfStudent) {
    // Five scores with the mean 0.8 and the variance 0.0025; the quantile with four degrees is 2.776445105.
    const std::vector<double> scores{0.75, 0.85, 0.8, 0.75 - 0.0109016994374948, 0.85 + 0.0109016994374948};
    double squares = 0;
    for (const double s : scores) squares += (s - 0.8) * (s - 0.8);
    const auto [low, high] = corrected_interval(scores, 0.25);
    const double half = 2.776445105197 * std::sqrt((0.2 + 0.25) * squares / 4);
    EXPECT_NEAR(low, 0.8 - half, 1e-10);
    EXPECT_NEAR(high, 0.8 + half, 1e-10);
    const auto two = corrected_interval(std::vector<double>{0, 1}, 1);
    EXPECT_NEAR(two.high - 0.5, 12.706204736 * std::sqrt(1.5 * 0.5), 1e-8);
    const auto one = corrected_interval(std::vector<double>{0.3}, 1);
    EXPECT_EQ(one.low, 0.3);
    EXPECT_EQ(one.high, 0.3);
}

Dataset two_groups(Index rows, std::uint64_t seed) {
    auto values = normal_values(rows * 4, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 2);
        values[4 * i] += i % 2 ? 0.8 : -0.8;
    }
    return with_labels(dense(rows, 4, values), labels);
}

MachineSpecification specified(const std::vector<std::pair<std::string, std::string>>& settings) {
    auto specification = default_specification("svm");
    set_parameter(specification, "kernel", "rbf(gamma=0.1)");
    for (const auto& [key, value] : settings) set_parameter(specification, key, value);
    return specification;
}

nlohmann::json validated(const Dataset& data, const MachineSpecification& specification, int threads = 2) {
    BegunControl control(threads);
    return nlohmann::json::parse(cross_validate(data, specification, control).validation_report);
}

TEST(CrossValidation, TestsEveryCandidateAgainstTheBest) {
    const Dataset data = two_groups(90, 21);
    const auto report =
        validated(data, specified({{"grid", "C=0.001:1:10"}, {"folds", "5"}, {"repeats", "2"}}));
    const auto& candidates = report.at("candidates");
    const auto best = report.at("best").get<std::size_t>();
    const auto leading = candidates[best]["metrics"]["accuracy"]["folds"].get<std::vector<double>>();
    ASSERT_EQ(leading.size(), 10U);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
        ASSERT_EQ(candidates[c].contains("behind_best"), c != best);
        if (c == best) continue;
        const auto folds = candidates[c]["metrics"]["accuracy"]["folds"].get<std::vector<double>>();
        std::vector<double> differences;
        for (std::size_t f = 0; f < 10; ++f) differences.push_back(leading[f] - folds[f]);
        const PairedTest expected = corrected_resampled_test(differences, 0.25);
        EXPECT_NEAR(candidates[c]["behind_best"]["difference"], expected.difference, 1e-15);
        EXPECT_NEAR(candidates[c]["behind_best"]["p"], expected.p, 1e-12);
    }
}

TEST(CrossValidation, ScoresTheChoiceOnRowsThatItHasNotSeen) {
    const Dataset data = two_groups(90, 22);
    const auto inner = specified({{"grid", "C=0.01:1:100"}, {"folds", "4"}, {"seed", "5"}});
    const auto report = validated(
        data, specified({{"grid", "C=0.01:1:100"}, {"folds", "4"}, {"seed", "5"}, {"outer_folds", "3"}}));
    const auto& nested = report.at("nested");
    const auto accuracies = nested["metrics"]["accuracy"]["folds"].get<std::vector<double>>();
    ASSERT_EQ(accuracies.size(), 3U);
    const auto fold_of = stratified_folds(data, 3, 5);
    for (Index fold = 0; fold < 3; ++fold) {
        BegunControl control;
        const Model model = cross_validate(data.select(rows_of_fold(fold_of, fold, false)), inner, control);
        const auto scores = score_all(model, data.select(rows_of_fold(fold_of, fold, true)), control);
        EXPECT_DOUBLE_EQ(accuracies[static_cast<std::size_t>(fold)], scores.at("accuracy"));
        EXPECT_EQ(nested["chosen"][static_cast<std::size_t>(fold)]["C"], model.parameter("C"));
    }
}

TEST(CrossValidation, SharesOfWeightsOverHalves) {
    const Dataset data = two_groups(80, 23);
    const std::string bank = "[rbf(gamma=0.05), rbf(gamma=0.5), linear]";
    const auto uniform =
        validated(data, specified({{"kernel", bank}, {"halves", "6"}})).at("weights_over_halves");
    EXPECT_EQ(uniform["jaccard"], 1);
    for (const auto& kernel : uniform["kernels"]) {
        EXPECT_NEAR(kernel["mean"], 1.0 / 3, 1e-15);
        EXPECT_NEAR(kernel["deviation"], 0, 1e-15);
        EXPECT_EQ(kernel["chosen"], 1);
    }
    const auto settings =
        std::vector<std::pair<std::string, std::string>>{{"kernel", bank}, {"weights", "alignf"}};
    auto asked = settings;
    asked.emplace_back("halves", "3");
    const auto found = validated(data, specified(asked)).at("weights_over_halves");
    std::vector<double> means(3);
    for (std::uint64_t half = 0; half < 3; ++half) {
        BegunControl control;
        const auto fold_of = stratified_folds(data, 2, 2 + half);
        const Model model = train(data.select(rows_of_fold(fold_of, 0, true)), specified(settings), control);
        double sum = 0;
        for (const double w : model.kernel_weights) sum += w;
        for (std::size_t k = 0; k < 3; ++k) means[k] += model.kernel_weights[k] / sum / 3;
    }
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found["kernels"][k]["mean"], means[k], 1e-12);
}

TEST(CrossValidation, ComparisonsAreTheSameForAnyNumberOfThreads) {
    const Dataset data = two_groups(60, 24);
    const auto asked =
        specified({{"grid", "C=0.1:10"}, {"folds", "3"}, {"outer_folds", "2"}, {"halves", "3"}});
    EXPECT_EQ(validated(data, asked, 1).dump(), validated(data, asked, 4).dump());
}

}  // namespace
}  // namespace dk::test::comparison_test
