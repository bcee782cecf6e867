// SPDX-License-Identifier: Apache-2.0
// These tests check what dk.h promises of models: which class a decision elects, and that prototypes, offsets
// and explanations add up to the decision, for every machine and for two and three classes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::model_behaviour_test {
namespace {

struct Case {
    std::string machine;
    std::string settings;
    int64_t classes;
    int64_t functions;

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.machine << " " << one.settings; }
};

class ModelBehaviour : public testing::TestWithParam<Case> {
  protected:
    const Problem problem = make_problem(36, 3, GetParam().classes, 3.0, 11);
    const Problem others = make_problem(15, 3, GetParam().classes, 3.0, 12);
    const Data data = dense(problem);
    const Data test = dense(others);

    Model trained(const std::string& more = "kernel=[rbf(gamma=0.3),linear]") const {
        return train(data, GetParam().machine.c_str(), GetParam().settings + " " + more);
    }
};

TEST_P(ModelBehaviour, CountsAndClasses) {
    const Model model = trained();
    const int64_t classes = GetParam().classes;
    EXPECT_EQ(dk_model_class_count(model.get()), classes);
    EXPECT_EQ(dk_model_task(model.get()), DK_TASK_CLASSIFICATION);
    EXPECT_EQ(dk_model_fills_missing(model.get()), 0);
    EXPECT_EQ(dk_model_feature_count(model.get()), 3);
    EXPECT_EQ(dk_model_decision_count(model.get()), GetParam().functions);
    EXPECT_EQ(dk_model_prototype_count(model.get()), 2 * GetParam().functions);
    EXPECT_EQ(dk_model_kernel_count(model.get()), 2);
    EXPECT_EQ(dk_model_training_rows(model.get()), 36);
    EXPECT_EQ(dk_model_prototype_neighbours(model.get()), 5);
    const auto labels = values_of<int64_t>(classes, dk_model_classes, model.get());
    for (int64_t position = 0; position < classes; ++position) {
        EXPECT_EQ(labels[static_cast<std::size_t>(position)], label_of_class(position));
        EXPECT_EQ(text_of(dk_model_class_name, model.get(), position),
                  std::to_string(label_of_class(position)));
    }
}

bool one_a_class(const Case& which) {
    return which.settings.find("ovr") != std::string::npos;
}

/// Gives the class that the decisions of one row elect, by the rules in dk.h.
int64_t elected(const double* decision, const Case& which) {
    if (which.classes == 2) return decision[0] > 0.0 ? 1 : 0;
    if (one_a_class(which)) return std::max_element(decision, decision + which.classes) - decision;
    std::vector<int> votes(static_cast<std::size_t>(which.classes));
    const double* value = decision;
    for (int64_t a = 0; a < which.classes; ++a) {
        for (int64_t b = a + 1; b < which.classes; ++b)
            ++votes[static_cast<std::size_t>(*value++ > 0.0 ? a : b)];
    }
    return std::max_element(votes.begin(), votes.end()) - votes.begin();
}

TEST_P(ModelBehaviour, DecisionsElectThePrediction) {
    const Model model = trained();
    const auto decision = decisions(model, test);
    const auto prediction = predictions(model, test);
    for (int64_t row = 0; row < 15; ++row) {
        const double* values = &decision[static_cast<std::size_t>(row * GetParam().functions)];
        const int64_t label = label_of_class(elected(values, GetParam()));
        EXPECT_EQ(prediction[static_cast<std::size_t>(row)], static_cast<double>(label)) << row;
    }
}

TEST_P(ModelBehaviour, WellSeparatedRowsAreLearned) {
    const Data easy = dense(make_problem(36, 3, GetParam().classes, 8.0, 13));
    const Model model = train(easy, GetParam().machine.c_str(), GetParam().settings + " kernel=linear");
    double accuracy = 0.0;
    check(dk_score(&accuracy, model.get(), easy.get(), "accuracy", nullptr));
    EXPECT_EQ(accuracy, 1.0);
}

TEST_P(ModelBehaviour, ExplanationsAddUpToTheDecision) {
    const Model model = trained();
    const int64_t functions = GetParam().functions;
    const auto decision = decisions(model, test);
    const auto entries = explanations(model, test);
    std::vector<double> shift(static_cast<std::size_t>(functions)), offset(shift);
    check(dk_model_prototype_offsets(shift.data(), offset.data(), functions, model.get()));
    std::vector<double> sums;
    for (std::size_t i = 0; i < decision.size(); ++i) {
        EXPECT_LE(entries[2 * i], 1e-12) << "the term of p+ is a negative squared distance";
        EXPECT_GE(entries[2 * i + 1], -1e-12) << "the term of p- is a squared distance";
        sums.push_back(entries[2 * i] + entries[2 * i + 1] + offset[i % offset.size()]);
    }
    EXPECT_TRUE(nearly_equal(sums, decision, 1e-8));
}

TEST_P(ModelBehaviour, CoefficientsAreConvexCombinations) {
    const Model model = trained();
    const int64_t prototypes = 2 * GetParam().functions;
    const auto coefficients =
        values_of<double>(prototypes * 36, dk_model_prototype_coefficients, model.get());
    for (int64_t p = 0; p < prototypes; ++p) {
        double sum = 0.0;
        for (int64_t row = 0; row < 36; ++row) {
            const double coefficient = coefficients[static_cast<std::size_t>(p * 36 + row)];
            EXPECT_GE(coefficient, 0.0);
            sum += coefficient;
        }
        EXPECT_NEAR(sum, 1.0, 1e-12) << "prototype " << p;
    }
}

TEST_P(ModelBehaviour, CoordinatesAreTheCoefficientsTimesTheRows) {
    const int64_t prototypes = 2 * GetParam().functions;
    for (const char* scale : {"none", "standard", "minmax", "robust"}) {
        const Model model = trained(std::string("kernel=linear scale=") + scale);
        const auto coefficients =
            values_of<double>(prototypes * 36, dk_model_prototype_coefficients, model.get());
        const auto points = values_of<double>(prototypes * 3, dk_model_prototype_coordinates, model.get());
        std::vector<double> expected(points.size());
        for (std::size_t p = 0; p < static_cast<std::size_t>(prototypes); ++p) {
            for (std::size_t row = 0; row < 36; ++row) {
                for (std::size_t col = 0; col < 3; ++col) {
                    expected[3 * p + col] += coefficients[36 * p + row] * problem.x[3 * row + col];
                }
            }
        }
        EXPECT_TRUE(nearly_equal(points, expected, 1e-9)) << scale;
    }
}

TEST_P(ModelBehaviour, CoordinatesNeedALinearKernel) {
    const Model model = trained("kernel=rbf(gamma=0.3)");
    std::vector<double> out(static_cast<std::size_t>(6 * GetParam().functions));
    expect_failure(
        [&] { return dk_model_prototype_coordinates(out.data(), 6 * GetParam().functions, model.get()); },
        DK_ERR_UNSUPPORTED, {"linear"});
}

TEST_P(ModelBehaviour, NearestRowsAreInOrderAndDistancesInFeatureSpace) {
    const Model model = trained("kernel=linear neighbours=36");
    const int64_t prototypes = 2 * GetParam().functions;
    const int64_t neighbours = dk_model_prototype_neighbours(model.get());
    ASSERT_EQ(neighbours, 36);
    const auto points = values_of<double>(prototypes * 3, dk_model_prototype_coordinates, model.get());
    std::vector<int64_t> rows(static_cast<std::size_t>(prototypes * neighbours));
    std::vector<double> distances(rows.size());
    check(dk_model_prototype_nearest(rows.data(), distances.data(), prototypes * neighbours, model.get()));
    for (std::size_t p = 0; p < static_cast<std::size_t>(prototypes); ++p) {
        EXPECT_TRUE(std::is_sorted(&distances[p * 36], &distances[p * 36] + 36)) << p;
        for (std::size_t i = p * 36; i < (p + 1) * 36; ++i) {
            const auto row = static_cast<std::size_t>(rows[i]);
            ASSERT_LT(row, 36U);
            const double* x = &problem.x[3 * row];
            const double* point = &points[3 * p];
            EXPECT_NEAR(distances[i], std::hypot(x[0] - point[0], x[1] - point[1], x[2] - point[2]), 1e-9);
        }
    }
}

TEST_P(ModelBehaviour, PrototypeClassesFollowTheFunctions) {
    const Model model = trained();
    const auto classes =
        values_of<int64_t>(2 * GetParam().functions, dk_model_prototype_classes, model.get());
    std::vector<int64_t> expected{1, 0};
    if (GetParam().classes == 3) expected = {0, 1, 0, 2, 1, 2};
    if (GetParam().classes == 3 && one_a_class(GetParam())) {
        expected = {0, -1, 1, -1, 2, -1};
    }
    EXPECT_EQ(classes, expected);
}

TEST_P(ModelBehaviour, ProbabilitiesAreDistributionsAndElectThePredictionWhereAsked) {
    const int64_t classes = GetParam().classes;
    std::vector<double> out(static_cast<std::size_t>(15 * classes));
    expect_failure(
        [&] { return dk_probability(out.data(), 15 * classes, trained().get(), test.get(), nullptr); },
        DK_ERR_UNSUPPORTED, {"probability"});
    const Model model = trained("probability=yes elect=probability folds=3");
    const auto p = probabilities(model, test);
    const auto prediction = predictions(model, test);
    for (int64_t row = 0; row < 15; ++row) {
        const double* first = &p[static_cast<std::size_t>(row * classes)];
        double sum = 0.0;
        for (int64_t position = 0; position < classes; ++position) {
            EXPECT_GE(first[position], 0.0);
            EXPECT_LE(first[position], 1.0);
            sum += first[position];
        }
        EXPECT_NEAR(sum, 1.0, 1e-12);
        const int64_t best = std::max_element(first, first + classes) - first;
        EXPECT_EQ(prediction[static_cast<std::size_t>(row)], static_cast<double>(label_of_class(best)))
            << row;
    }
}

TEST_P(ModelBehaviour, ConfusionAndScoresCountThePredictions) {
    const Model model = trained();
    const int64_t classes = GetParam().classes;
    const auto counts = values_of<int64_t>(classes * classes, dk_confusion, model.get(), test.get(), nullptr);
    const auto prediction = predictions(model, test);
    std::vector<int64_t> expected(counts.size());
    int64_t right = 0;
    for (std::size_t row = 0; row < 15; ++row) {
        const auto truth = (others.labels[row] + 2) / 5;
        const auto guess = (static_cast<int64_t>(prediction[row]) + 2) / 5;
        ++expected[static_cast<std::size_t>(truth * classes + guess)];
        if (truth == guess) ++right;
    }
    EXPECT_EQ(counts, expected);
    double accuracy = 0.0;
    check(dk_score(&accuracy, model.get(), test.get(), "accuracy", nullptr));
    EXPECT_DOUBLE_EQ(accuracy, static_cast<double>(right) / 15.0);
    for (const char* metric : {"precision", "recall", "f1", "auc"}) {
        double score = -1.0;
        check(dk_score(&score, model.get(), test.get(), metric, nullptr));
        EXPECT_GE(score, 0.0) << metric;
        EXPECT_LE(score, 1.0) << metric;
    }
}

TEST_P(ModelBehaviour, KernelNamesAndWeightsMakeTheCombinedKernel) {
    const Model model = trained("kernel=[rbf(gamma=auto),poly(degree=2)] weights=fixed(0.3,0.7)");
    const auto weights = values_of<double>(2, dk_model_kernel_weights, model.get());
    EXPECT_TRUE(nearly_equal(weights, {0.3, 0.7}, 1e-15));
    for (int64_t kernel = 0; kernel < 2; ++kernel) {
        const std::string name = text_of(dk_model_kernel_name, model.get(), kernel);
        EXPECT_EQ(name.find("auto"), std::string::npos) << name;
        int64_t count = 0;
        EXPECT_EQ(dk_kernel_count(&count, data.get(), name.c_str()), DK_OK) << name;
        EXPECT_EQ(count, 1) << name;
    }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
    std::string name = info.param.machine + "_" + std::to_string(info.param.classes);
    if (one_a_class(info.param)) name += "_ovr";
    return name;
}

INSTANTIATE_TEST_SUITE_P(Machines, ModelBehaviour,
                         testing::Values(Case{"svm", "", 2, 1}, Case{"svm", "multiclass=ovo", 3, 3},
                                         Case{"svm", "multiclass=ovr", 3, 3}, Case{"fisher", "", 2, 1},
                                         Case{"fisher", "multiclass=ovo", 3, 3},
                                         Case{"fisher", "multiclass=ovr", 3, 3},
                                         Case{"mean_of_class", "", 2, 1},
                                         Case{"mean_of_class", "multiclass=ovo", 3, 3},
                                         Case{"mean_of_class", "multiclass=ovr", 3, 3}),
                         name_of);

TEST(ModelOfAllClasses, ItsLargestDecisionElects) {
    const Problem problem = make_problem(90, 3, 3, 1.0, 14);
    const Data data = dense(problem);
    const Model model = train(data, "mcvm", "kernel=rbf(gamma=0.5)");
    const auto functions = static_cast<std::size_t>(dk_model_decision_count(model.get()));
    ASSERT_EQ(functions, 3U);
    std::vector<int64_t> classes(3);
    check(dk_model_classes(classes.data(), 3, model.get()));
    const auto decision = decisions(model, data);
    const auto prediction = predictions(model, data);
    for (std::size_t row = 0; row < 90; ++row) {
        const auto values = decision.begin() + static_cast<std::ptrdiff_t>(functions * row);
        const auto elected = static_cast<std::size_t>(std::max_element(values, values + 3) - values);
        EXPECT_EQ(prediction[row], static_cast<double>(classes[elected])) << row;
    }
}

/// Graf et al. 2009, Figure 4: the distances of rows and prototypes from the boundary, by hand for two
/// machines.
TEST(Normals, SignedDistances) {
    const Problem problem{7, 2, {2, 0, 3, 1, 2, 2, 0, 0, -1, 1, -1, -1, .5, 3}, {1, 1, 1, -1, -1, -1, -1}};
    const Data data = dense(problem);
    const auto distances = [&](const char* machine, const std::string& settings) {
        const Model model = train(data, machine, "kernel=linear " + settings);
        auto values = values_of<double>(7, dk_decision, model.get(), data.get(), nullptr);
        const double normal = values_of<double>(1, dk_model_normals, model.get()).front();
        EXPECT_GT(normal, 0);
        for (double& value : values) value /= normal;
        return values;
    };
    EXPECT_NEAR(distances("mean_of_class", "").front(), .9360845095, 1e-9);
    const auto hard = distances("svm", "loss=hard tolerance=1e-8");
    const auto [least, most] = std::minmax_element(
        hard.begin(), hard.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    EXPECT_NEAR(std::abs(*least), .8219949365, 1e-6);
    EXPECT_GT(std::abs(*most), std::abs(*least));
}

}  // namespace
}  // namespace dk_test::model_behaviour_test
