// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/distillation.hpp"

#include <cmath>
#include <limits>

#include "data/scaling/deviations.hpp"
#include "pipeline/prototypes/compress.hpp"
#include "trained.hpp"

namespace dk::test::distillation_test {
namespace {

Dataset normal_rows(Index rows, Index cols, std::uint64_t seed) {
    return Dataset(DenseMatrix{rows, cols, normal_values(rows * cols, seed, 1)});
}

TEST(Distillation, DeviationsLeaveOutWhatIsMissing) {
    BegunControl control;
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    const DenseMatrix matrix{4, 3, {1, 5, missing, 3, 5, missing, missing, 5, missing, 8, 5, missing}, true};
    const auto deviations = column_deviations(matrix, control);
    EXPECT_NEAR(deviations[0], std::sqrt((9.0 + 1 + 16) / 3),
                1e-14);  // The values are 1, 3, 8, with the mean 4.
    EXPECT_EQ(deviations[1], 0);
    EXPECT_EQ(deviations[2], 0);
}

TEST(Distillation, CopiesFollowTheirRowsWithHalfTheSpread) {
    BegunControl control;
    Dataset rows = normal_rows(500, 3, 7);
    DenseMatrix matrix = rows.dense();
    for (Index i = 0; i < 500; ++i) {
        matrix.values[3 * i + 1] *= 10;
        matrix.values[3 * i + 2] = 4;
    }
    rows = Dataset(matrix);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < 500; ++i) labels.push_back(i % 3);
    rows.labels = labels_from_integers(labels);
    const Dataset joined = with_perturbed_copies(rows, 4, 1, control);
    ASSERT_EQ(joined.rows(), 2500);
    const auto spreads = column_deviations(matrix, control);
    for (Index j = 0; j < 3; ++j) {
        double sum = 0;
        double squares = 0;
        for (Index i = 0; i < 2500; ++i) {
            const double moved = joined.dense().row(i)[j] - matrix.row(i % 500)[j];
            if (i < 500) {
                EXPECT_EQ(moved, 0);
            }
            sum += moved;
            squares += moved * moved;
        }
        const double expected = 0.5 * spreads[j];
        // Of 2000 draws, the mean is within 5 of its standard deviations, and the variance within 5 of its
        // own.
        EXPECT_NEAR(sum / 2000, 0, 5 * expected / std::sqrt(2000.0));
        EXPECT_NEAR(squares / 2000, expected * expected, 5 * expected * expected * std::sqrt(2 / 2000.0));
    }
    for (Index i = 0; i < 2500; ++i) EXPECT_EQ(joined.labels->of_rows[i], rows.labels->of_rows[i % 500]);
    const Dataset again = with_perturbed_copies(rows, 4, 1, control);
    EXPECT_EQ(again.dense().values, joined.dense().values);
    EXPECT_NE(with_perturbed_copies(rows, 4, 2, control).dense().values, joined.dense().values);
}

TEST(Distillation, CopiesUntilThreeRowsACoordinate) {
    const auto copies = [](Index rows, Index cols, SuperSparseOptions options) {
        return perturbed_copy_count(normal_rows(rows, cols, 1), options);
    };
    EXPECT_EQ(copies(100, 10, {.prototypes = 3}), 0);  // 90 rows are three for each of 3 x 10 coordinates.
    EXPECT_EQ(copies(90, 10, {.prototypes = 3}), 0);
    EXPECT_EQ(copies(89, 10, {.prototypes = 3}), 1);
    EXPECT_EQ(copies(10, 100, {.prototypes = 10}), 20);  // There are never more copies.
    EXPECT_EQ(copies(10, 100, {.prototypes = 10, .copies = 0}), 0);
    EXPECT_EQ(copies(100, 10, {.prototypes = 3, .copies = 7}), 7);
    EXPECT_EQ(copies(10, 100, {.prototypes = 10, .moves = false}), 0);
}

TEST(Distillation, WeightsFallWithTheMargin) {
    SuperSparseTargets one{.values = {0.5, -1.5, 0}, .functions = 1, .row_weights = {0.25, 0.25, 0.5}};
    // The margins are 1, 3 and 0, and the result is the root of (1 + 9) / 4.
    focus_on_boundary(one, DecisionRule::binary, 2);
    const double root = std::sqrt(2.5);
    const double first = 0.25 * std::exp(-2 / root);
    const double second = 0.25 * std::exp(-6 / root);
    const double sum = first + second + 0.5;
    EXPECT_NEAR(one.row_weights[0], first / sum, 1e-15);
    EXPECT_NEAR(one.row_weights[1], second / sum, 1e-15);
    EXPECT_NEAR(one.row_weights[2], 0.5 / sum, 1e-15);

    SuperSparseTargets three{.values = {3, 1, 2, -1, -1, -5},
                             .functions = 3,
                             .row_weights = {0.5, 0.5}};  // The margins are 1 and 0.
    focus_on_boundary(three, DecisionRule::largest, 1);
    const double less = std::exp(-1 / std::sqrt(0.5));
    EXPECT_NEAR(three.row_weights[0], less / (1 + less), 1e-15);
    EXPECT_NEAR(three.row_weights[1], 1 / (1 + less), 1e-15);
}

TEST(Distillation, WeightsStayWhereThereIsNoMargin) {
    const std::vector<double> weights{0.75, 0.25};
    const auto focused = [&](std::vector<double> values, DecisionRule rule, double focus) {
        SuperSparseTargets targets{.values = std::move(values), .functions = 1, .row_weights = weights};
        focus_on_boundary(targets, rule, focus);
        return targets.row_weights;
    };
    EXPECT_EQ(focused({1, 2}, DecisionRule::regression, 1), weights);
    EXPECT_EQ(focused({1, 2}, DecisionRule::one_vs_one, 1), weights);
    EXPECT_EQ(focused({1, 2}, DecisionRule::binary, 0), weights);
    EXPECT_EQ(focused({0, 0}, DecisionRule::binary, 1), weights);
    EXPECT_EQ(focused({1e200, 1}, DecisionRule::binary, 1), weights);  // The squares overflow.
}

/// There are few rows of many columns, so free prototypes can meet any values there.
TEST(Distillation, CopiesMakePrototypesAgreeBesideTheRows) {
    BegunControl control;
    const auto labelled = [](Index rows, std::uint64_t seed) {
        Dataset data = normal_rows(rows, 20, seed);
        std::vector<std::int64_t> labels;
        for (Index i = 0; i < rows; ++i) {
            const auto row = data.dense().row(i);
            labels.push_back(row[0] + row[1] * row[2] > 0 ? 1 : 0);
        }
        data.labels = labels_from_integers(labels);
        return data;
    };
    const Dataset fresh = labelled(2000, 99);
    double without = 0;
    double with = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Dataset data = labelled(60, seed);
        const Model teacher = trained("svm", data, {{"C", "10"}, {"kernel", "rbf(gamma=0.05)"}});
        const auto expected = decided(teacher, fresh);
        const auto error = [&](const std::string& copies) {
            auto settings = default_specification("super_sparse");
            set_parameter(settings, "prototypes", "6");
            set_parameter(settings, "copies", copies);
            const auto found = decided(compress(teacher, data, settings, control), fresh);
            double squares = 0;
            for (std::size_t i = 0; i < found.size(); ++i)
                squares += (found[i] - expected[i]) * (found[i] - expected[i]);
            return squares;
        };
        without += error("0");
        with += error("-1");
    }
    EXPECT_LT(with, 0.5 * without);
}

}  // namespace
}  // namespace dk::test::distillation_test
