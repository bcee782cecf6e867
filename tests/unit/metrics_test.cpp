// SPDX-License-Identifier: Apache-2.0
#include "data/metrics/metrics.hpp"
#include "data/metrics/agreement.hpp"
#include "data/metrics/probability_losses.hpp"

#include <cmath>

#include "support.hpp"

namespace dk::test::metrics_test {
namespace {

TEST(Metrics, ConfusionHasTruthInRows) {
    const std::vector<Index> truth{0, 0, 0, 1, 1, 2};
    const std::vector<Index> predicted{0, 1, 0, 1, 2, 2};
    EXPECT_EQ(confusion_counts(truth, predicted, 3), (std::vector<Index>{2, 1, 0, 0, 1, 1, 0, 0, 1}));
}

TEST(Metrics, Accuracy) {
    EXPECT_DOUBLE_EQ(accuracy(std::vector<Index>{2, 1, 0, 0, 1, 1, 0, 0, 1}, 3), 4.0 / 6);
    EXPECT_DOUBLE_EQ(accuracy(std::vector<Index>{5, 0, 0, 5}, 2), 1);
}

TEST(Metrics, PrecisionAndRecallOfTheSecondOfTwoClasses) {
    // There are 50 true negatives, 10 false positives, 5 false negatives and 35 true positives.
    const auto [precision, recall, f1] = precision_recall(std::vector<Index>{50, 10, 5, 35}, 2);
    EXPECT_DOUBLE_EQ(precision, 35.0 / 45);
    EXPECT_DOUBLE_EQ(recall, 35.0 / 40);
    EXPECT_DOUBLE_EQ(f1, 70.0 / 85);
}

TEST(Metrics, MacroAverageOverMoreClasses) {
    // The precisions are 2/2, 1/2, 1/2, the recalls 2/3, 1/2, 1/1 and the f1 4/5, 2/4, 2/3.
    const auto [precision, recall, f1] = precision_recall(std::vector<Index>{2, 1, 0, 0, 1, 1, 0, 0, 1}, 3);
    EXPECT_DOUBLE_EQ(precision, (1 + 0.5 + 0.5) / 3);
    EXPECT_DOUBLE_EQ(recall, (2.0 / 3 + 0.5 + 1) / 3);
    EXPECT_DOUBLE_EQ(f1, (0.8 + 0.5 + 2.0 / 3) / 3);
}

TEST(Metrics, ClassesThatDoNotOccurAreLeftOut) {
    const auto [precision, recall, f1] = precision_recall(std::vector<Index>{3, 0, 0, 0, 2, 0, 0, 0, 0}, 3);
    EXPECT_EQ(precision, 1);
    EXPECT_EQ(recall, 1);
    EXPECT_EQ(f1, 1);
}

TEST(Metrics, NothingPredictedPositiveCountsAsZero) {
    const auto [precision, recall, f1] = precision_recall(std::vector<Index>{3, 0, 2, 0}, 2);
    EXPECT_EQ(precision, 0);
    EXPECT_EQ(recall, 0);
    EXPECT_EQ(f1, 0);
}

TEST(Metrics, AgreementOfTwoClassesByHand) {
    // 50 true negatives, 10 false positives, 5 false negatives and 35 true positives.
    const std::vector<Index> confusion{50, 10, 5, 35};
    EXPECT_DOUBLE_EQ(balanced_accuracy(confusion, 2), (50.0 / 60 + 35.0 / 40) / 2);
    // By chance 0.6 * 0.55 + 0.4 * 0.45 = 0.51 of the rows are right, and 0.85 are.
    EXPECT_NEAR(chance_corrected_accuracy(confusion, 2), (0.85 - 0.51) / (1 - 0.51), 1e-15);
    // Matthews: (tp tn - fp fn) / sqrt of the product of all sums of rows and columns.
    EXPECT_NEAR(class_correlation(confusion, 2), (35.0 * 50 - 10 * 5) / std::sqrt(45.0 * 40 * 60 * 55),
                1e-15);
}

TEST(Metrics, AgreementOfMoreClassesByHand) {
    const std::vector<Index> confusion{2, 1, 0, 0, 1, 1, 0, 0, 1};
    EXPECT_NEAR(balanced_accuracy(confusion, 3), (2.0 / 3 + 0.5 + 1) / 3, 1e-15);
    // Of six rows 3, 2, 1 are of the classes, and 2 each are predicted: chance 1/3.
    EXPECT_NEAR(chance_corrected_accuracy(confusion, 3), (4.0 / 6 - 1.0 / 3) / (1 - 1.0 / 3), 1e-15);
    EXPECT_NEAR(class_correlation(confusion, 3),
                (4.0 / 6 - 1.0 / 3) / std::sqrt((1 - 14.0 / 36) * (1 - 12.0 / 36)), 1e-15);
}

TEST(Metrics, AgreementIsNoneWhereOneClassIsAlwaysPredicted) {
    const std::vector<Index> always{90, 0, 10, 0};
    EXPECT_DOUBLE_EQ(balanced_accuracy(always, 2), 0.5);
    EXPECT_NEAR(chance_corrected_accuracy(always, 2), 0, 1e-15);
    EXPECT_EQ(class_correlation(always, 2), 0);
    const std::vector<Index> perfect{9, 0, 0, 0, 5, 0, 0, 0, 0};  // The third class does not occur.
    EXPECT_EQ(balanced_accuracy(perfect, 3), 1);
    EXPECT_NEAR(chance_corrected_accuracy(perfect, 3), 1, 1e-15);
    EXPECT_NEAR(class_correlation(perfect, 3), 1, 1e-15);
}

TEST(Metrics, AreaUnderTheCurveByHand) {
    // The positives 0.8 and 0.4 are above 2 and 1 of the negatives 0.5 and 0.1.
    EXPECT_DOUBLE_EQ(area_under_curve(std::vector<double>{0.1, 0.4, 0.5, 0.8}, {false, true, false, true}),
                     0.75);
    EXPECT_DOUBLE_EQ(area_under_curve(std::vector<double>{1, 2, 3}, {false, false, true}), 1);
    EXPECT_DOUBLE_EQ(area_under_curve(std::vector<double>{1, 2, 3}, {true, false, false}), 0);
    EXPECT_DOUBLE_EQ(area_under_curve(std::vector<double>{5, 5, 5, 5}, {true, false, true, false}), 0.5);
    // The positive 3 ties with one negative and beats the other.
    EXPECT_DOUBLE_EQ(area_under_curve(std::vector<double>{3, 3, 1}, {true, false, false}), 0.75);
}

TEST(Metrics, AreaUnderTheCurveIsTheShareOfPairs) {
    auto scores = normal_values(80, 1);
    for (double& s : scores) s = std::round(4 * s);  // This makes many ties.
    std::vector<bool> positive;
    for (std::size_t i = 0; i < 80; ++i) positive.push_back(i % 3 == 0);
    double won = 0;
    double pairs = 0;
    for (std::size_t i = 0; i < 80; ++i) {
        for (std::size_t j = 0; j < 80; ++j) {
            if (!positive[i] || positive[j]) continue;
            pairs += 1;
            won += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
        }
    }
    EXPECT_NEAR(area_under_curve(scores, positive), won / pairs, 1e-14);
}

TEST(Metrics, AreaNeedsBothKinds) {
    EXPECT_TRUE(std::isnan(area_under_curve(std::vector<double>{1, 2}, {true, true})));
    EXPECT_TRUE(std::isnan(area_under_curve(std::vector<double>{1, 2}, {false, false})));
}

TEST(Metrics, AcceptanceErrorsByHand) {
    // Of 5 rows of the first class 2 are let in, of 4 of the second 1 is not.
    const auto two = acceptance_errors(std::vector<Index>{3, 2, 1, 3}, 2);
    EXPECT_NEAR(two.false_acceptance, 0.4, 1e-15);
    EXPECT_NEAR(two.false_rejection, 0.25, 1e-15);
    // Three classes of 4, 2 and 4 rows, each against the rest.
    const auto three = acceptance_errors(std::vector<Index>{3, 1, 0, 1, 1, 0, 0, 2, 2}, 3);
    EXPECT_NEAR(three.false_acceptance, (1.0 / 6 + 3.0 / 8 + 0) / 3, 1e-15);
    EXPECT_NEAR(three.false_rejection, (1.0 / 4 + 1.0 / 2 + 2.0 / 4) / 3, 1e-15);
    EXPECT_TRUE(std::isnan(acceptance_errors(std::vector<Index>{3, 2, 0, 0}, 2).false_acceptance));
}

TEST(Metrics, EqualErrorRateByHand) {
    const auto rate = [](const std::vector<double>& genuine, const std::vector<double>& impostors) {
        std::vector<double> scores = genuine;
        scores.insert(scores.end(), impostors.begin(), impostors.end());
        std::vector<bool> positive(genuine.size(), true);
        positive.resize(scores.size(), false);
        return equal_error_rate(scores, positive);
    };
    EXPECT_EQ(rate({0.9, 0.7}, {0.3, 0.1, 0.2}), 0);
    EXPECT_EQ(rate({0.1, 0.2}, {0.7, 0.9}), 1);
    // Above 0.4: 2 of 4 genuine rejected, 1 of 4 impostors accepted; with 0.4 itself 1 and 1 of 4.
    EXPECT_NEAR(rate({0.9, 0.8, 0.4, 0.1}, {0.5, 0.3, 0.2, 0.0}), 0.25, 1e-15);
    // From (FAR 0, FRR 1/3) to (1/2, 1/3): they meet at 1/3.
    EXPECT_NEAR(rate({0.9, 0.8, 0.1}, {0.5, 0.0}), 1.0 / 3, 1e-15);
    // All scores are one: the line from nothing to all accepted.
    EXPECT_NEAR(rate({1, 1, 1}, {1, 1}), 0.5, 1e-15);
    EXPECT_TRUE(std::isnan(rate({1, 2}, {})));
}

/// The example of the notes: five positives and six negatives.
struct Detections {
    std::vector<double> scores{.9, .8, .7, .55, .35, .6, .55, .3, .2, .1, .05};
    std::vector<bool> positive{true, true, true, true, true, false, false, false, false, false, false};
    double value(std::string_view metric) const {
        ClassPredictions rows{.classes = 2};
        for (const bool second : positive) rows.truth.push_back(second ? 1 : 0);
        std::vector<double> of_first;
        for (const double s : scores) of_first.push_back(-s);
        rows.scores = {of_first, scores};
        return metric_named(metric).of_classes(rows);
    }
};

TEST(Metrics, AreaUpToALimitOfFalseAlarms) {
    const Detections detections;
    EXPECT_NEAR(detections.value("auc"), .883333333333, 1e-12);
    EXPECT_NEAR(detections.value("nauc(1)"), .883333333333, 1e-12);
    EXPECT_NEAR(detections.value("nauc"), .6, 1e-12);
    EXPECT_NEAR(detections.value("nauc( .1 )"), .6, 1e-12);
    EXPECT_NEAR(detections.value("nauc(0.2)"), .603333333333, 1e-12);
    EXPECT_NEAR(detections.value("nauc(0.25)"), .616666666667, 1e-12);
    EXPECT_NEAR(detections.value("nauc(0.5)"), .766666666667, 1e-12);
    EXPECT_NEAR(detections.value("nauc(0.5, area=4)"), .65, 1e-12);
    EXPECT_NEAR(detections.value("nauc(2,area=4)"), .9125, 1e-12);
    EXPECT_NEAR(detections.value("eer"), .272727272727, 1e-12);
}

TEST(Metrics, AreaUpToALimitHearsOnlyTheOrderOfScores) {
    Detections detections;
    const double before = detections.value("nauc(0.4)");
    for (double& s : detections.scores) s = std::exp(3 * s);
    EXPECT_EQ(detections.value("nauc(0.4)"), before);
    std::ranges::fill(detections.scores, 7);
    EXPECT_NEAR(detections.value("nauc(1)"), 0.5, 1e-15);
    EXPECT_NEAR(detections.value("nauc(0.2)"), 0.1, 1e-15);
}

TEST(Metrics, TextsThatAreNoLimit) {
    for (const char* text :
         {"nauc(", "nauc()", "nauc(0)", "nauc(-1)", "nauc(1.5)", "nauc(nan)", "nauc(0.1", "nauc(0.1, 4)",
          "nauc(0.1, area=0)", "nauc(0.1, area=4) x", "nauc 0.1", "nauc(0.1,)", "nauc(1e999)", "auc(0.1)"}) {
        EXPECT_NE(message_of(Status::invalid_parameter, [&] { metric_named(text); }), "") << text;
    }
}

// Level 0.1: errors 1 and -2 cost 0.1 and 1.8; level 0.8: errors 0.5 and -3 cost 0.4 and 0.6.
TEST(Metrics, PinballLossByHand) {
    const std::vector<double> truth{1, 2};
    const std::vector<double> predicted{0, 0.5, 4, 5};
    const std::vector<double> levels{0.1, 0.8};
    EXPECT_NEAR(mean_pinball_loss(truth, predicted, levels), (0.1 + 1.8 + 0.4 + 0.6) / 4, 1e-15);
    const ValuePredictions rows{
        .truth = truth, .predicted = {0.5, 5}, .levels = levels, .at_levels = predicted};
    EXPECT_NEAR(metric_named("pinball").of_values(rows), 0.725, 1e-15);
    const ValuePredictions one{.truth = truth, .predicted = {0.5, 5}};
    EXPECT_NEAR(metric_named("pinball").of_values(one), 0.5 * (0.5 + 3) / 2, 1e-15);
}

TEST(Metrics, MeanAbsoluteError) {
    EXPECT_DOUBLE_EQ(mean_absolute_error(std::vector<double>{1, -2, 3}, std::vector<double>{2, 2, 3}),
                     5.0 / 3);
}

// By hand: -(log .8 + log .4 + log .5) / 3, and the squares of .2, .6 and .5.
TEST(ProbabilityLosses, OfTwoClassesAreThoseDerivedByHand) {
    const std::vector<Index> truth{1, 0, 1};
    const std::vector<double> p{0.2, 0.8, 0.4, 0.6, 0.5, 0.5};
    EXPECT_NEAR(logarithmic_loss(truth, p, 2), 0.610860488, 1e-9);
    EXPECT_NEAR(brier_loss(truth, p, 2), (0.04 + 0.36 + 0.25) / 3, 1e-15);
}

TEST(ProbabilityLosses, OfThreeClassesAddAllErrors) {
    const std::vector<Index> truth{2, 0};
    const std::vector<double> p{0.1, 0.2, 0.7, 0.5, 0.25, 0.25};
    EXPECT_NEAR(logarithmic_loss(truth, p, 3), -(std::log(0.7) + std::log(0.5)) / 2, 1e-15);
    EXPECT_NEAR(brier_loss(truth, p, 3), (0.01 + 0.04 + 0.09 + 0.25 + 0.0625 + 0.0625) / 2, 1e-15);
}

TEST(ProbabilityLosses, AreFiniteWhereACertaintyIsWrong) {
    const std::vector<Index> truth{0, 1};
    const std::vector<double> p{0, 1, 0, 1};
    EXPECT_NEAR(logarithmic_loss(truth, p, 2), 26 * std::log(2.0), 1e-12);
    EXPECT_EQ(brier_loss(truth, p, 2), 0.5);
}

}  // namespace
}  // namespace dk::test::metrics_test
