// SPDX-License-Identifier: Apache-2.0
//
// Whatever judges by rows that it holds out keeps the rows of a group together.
#include <limits>
#include <nlohmann/json.hpp>

#include "machine/super_sparse/distillation.hpp"
#include "pipeline/search/cross_validate.hpp"
#include "trained.hpp"

namespace dk::test::groups_test {
namespace {

using Ids = std::vector<std::int64_t>;

/// Makes groups of copies of one point, whose class is a matter of chance: what is learned of one group says
/// nothing of another, but everything of the group's other rows.
Dataset copies_of_points(Index groups, Index copies) {
    const auto points = normal_values(3 * groups, 21);
    std::vector<double> values;
    Ids labels;
    Ids ids;
    std::mt19937_64 random(22);
    for (Index g = 0; g < groups; ++g) {
        const std::int64_t label = random() % 2 == 0 ? 1 : 0;
        for (Index copy = 0; copy < copies; ++copy) {
            values.insert(values.end(), points.begin() + 3 * g, points.begin() + 3 * g + 3);
            labels.push_back(label);
            ids.push_back(g);
        }
    }
    Dataset data = with_labels(dense(groups * copies, 3, values), labels);
    data.groups = ids;
    return data;
}

Dataset without_groups(Dataset data) {
    data.groups.clear();
    return data;
}

nlohmann::json training_report(const Model& model) {
    return nlohmann::json::parse(model.training_report);
}

double validated_accuracy(const Dataset& data, const std::string& folds) {
    BegunControl control;
    auto chosen = default_specification("svm");
    set_parameter(chosen, "kernel", "rbf(gamma=20)");
    set_parameter(chosen, "folds", folds);
    set_parameter(chosen, "repeats", "2");
    const Model model = cross_validate(data, chosen, control);
    return nlohmann::json::parse(model.validation_report)["metrics"]["accuracy"]["mean"];
}

TEST(Groups, CrossValidationDoesNotKnowARowByItsCopies) {
    const Dataset data = copies_of_points(20, 5);
    EXPECT_GT(validated_accuracy(without_groups(data), "5"), 0.99);
    EXPECT_LT(validated_accuracy(data, "5"), 0.75);
    const std::string message =
        message_of(Status::invalid_parameter, [&] { validated_accuracy(data, "21"); });
    EXPECT_NE(message.find("21"), std::string::npos) << message;
    EXPECT_NE(message.find("20 groups"), std::string::npos) << message;
}

/// Gives the mean probability that a model with a sigmoid, fitted on held-out rows, gives the class of a row.
double probability_of_truth(const Dataset& data) {
    BegunControl control;
    const Model model =
        trained("svm", data, {{"kernel", "rbf(gamma=2)"}, {"probability", "yes"}, {"C", "10"}});
    const auto chances = probabilities(model, decisions(model, data, control), control);
    double sum = 0;
    for (Index i = 0; i < data.rows(); ++i) sum += chances[2 * i + data.labels->of_rows[i]];
    return sum / static_cast<double>(data.rows());
}

TEST(Groups, CalibrationKeepsThemTogether) {
    const Dataset data = copies_of_points(40, 5);
    EXPECT_GT(probability_of_truth(without_groups(data)), 0.95);
    EXPECT_LT(probability_of_truth(data), 0.7);
}

TEST(Groups, CalibrationTakesFewerFoldsWhereThereAreFewerGroups) {
    Dataset data = blobs(40, 2, 2, 3.0, 5);
    for (Index i = 0; i < 40; ++i) data.groups.push_back(i / 20);
    trained("svm", data, {{"probability", "yes"}});
    data.groups.assign(40, 3);
    message_of(Status::invalid_data, [&] { trained("svm", data, {{"probability", "yes"}}); });
}

TEST(Groups, ChoosingPrototypesKeepsThemTogether) {
    const Dataset data = copies_of_points(12, 6);
    const auto error_of_most = [](const Dataset& rows) -> double {
        const Model model = trained("super_sparse", rows,
                                    {{"kernel", "rbf(gamma=20)"},
                                     {"prototypes", "12"},
                                     {"choose_prototypes", "yes"},
                                     {"max_iterations", "20"}});
        return training_report(model)["errors_held_out"][0];
    };
    EXPECT_GT(error_of_most(data), 3 * error_of_most(without_groups(data)));
    Dataset two = data;
    for (auto& id : two.groups) id /= 6;
    EXPECT_GT(error_of_most(two), 0);
    two.groups.assign(72, 0);
    message_of(Status::invalid_data, [&] { error_of_most(two); });
}

TEST(Groups, TuningWeightsKeepsThemTogether) {
    const Dataset data = copies_of_points(20, 5);
    const auto accuracy_of_first = [](const Dataset& rows) -> double {
        const Model model = trained(
            "imkpl", rows,
            {{"kernel", "[rbf(gamma=20), rbf(gamma=10)]"}, {"prototypes", "10"}, {"choose_weights", "yes"}});
        return training_report(model)["tuning"]["candidates"][0]["accuracy"];
    };
    EXPECT_GT(accuracy_of_first(without_groups(data)), 0.85);
    EXPECT_LT(accuracy_of_first(data), 0.7);
    Dataset classes = data;  // Each class is one group, so that no fold may lack it.
    for (Index i = 0; i < 100; ++i) classes.groups[i] = classes.labels->of_rows[i];
    message_of(Status::invalid_data, [&] { accuracy_of_first(classes); });
}

TEST(Groups, StayWithTheirRows) {
    Dataset data = random_dense(4, 2, 6);
    data.groups = {std::numeric_limits<std::int64_t>::min(), 7, 7, std::numeric_limits<std::int64_t>::max()};
    const std::vector<Index> rows{3, 1, 1};
    EXPECT_EQ(data.select(rows).groups, (Ids{data.groups[3], 7, 7}));
    EXPECT_EQ(data.with_features(DenseMatrix{4, 0}).groups, data.groups);
    EXPECT_TRUE(features_only(data).groups.empty());
    BegunControl control;
    const Dataset copies = with_perturbed_copies(data, 2, 1, control);
    ASSERT_EQ(copies.rows(), 12);
    for (Index i = 0; i < 12; ++i) EXPECT_EQ(copies.groups[i], data.groups[i % 4]);
}

}  // namespace
}  // namespace dk::test::groups_test
