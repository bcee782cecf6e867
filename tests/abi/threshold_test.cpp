// SPDX-License-Identifier: Apache-2.0
// Thresholds of models are moved without anything else that they say, and keep false alarms bounded.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"

namespace dk_test::threshold_test {
namespace {

using nlohmann::json;

Model moved(const Model& model, const Data& data, const char* goal, int32_t threads = 0) {
    return create<Model>(dk_move_threshold, model.get(), data.get(), goal, control_with(threads).get());
}

/// One column: normal numbers of the first class around 0, and of the second around 1.5.
Problem numbers(int64_t rows, uint64_t seed) {
    Problem problem{rows, 1, {}, {}};
    Random random(seed);
    for (int64_t i = 0; i < rows; ++i) {
        problem.labels.push_back(i % 2);
        problem.x.push_back(random.normal() + (i % 2 == 0 ? 0 : 1.5));
    }
    return problem;
}

/// The share of all rows of the first class that a model of a linear kernel takes for the second.
double false_alarms_of(const Model& model) {
    const Data two = unlabelled({2, 1, {0, 1}, {}});
    const auto values = decisions(model, two);
    const double boundary = -values[0] / (values[1] - values[0]);
    return std::erfc(boundary / std::sqrt(2.0)) / 2;
}

TEST(Thresholds, KeepFalseAlarmsBelowTheirBound) {
    constexpr int repetitions = 200;
    const Model plain = train(dense(numbers(60, 1)), "svm", "kernel=linear");
    int broken = 0;
    for (uint64_t r = 0; r < repetitions; ++r) {
        const Model model = moved(plain, dense(numbers(400, r + 2)), "false_alarms=0.05");
        broken += false_alarms_of(model) > 0.05 ? 1 : 0;
    }
    // With 200 rows of the first class it is broken with probability 0.0264: five times of 200 on average,
    // with a deviation of 2.3.
    EXPECT_LE(broken, 14);
}

TEST(Thresholds, OfTrainingKeepFalseAlarmsBelowTheirBoundToo) {
    constexpr int repetitions = 100;
    for (const char* machine : {"svm", "kelm", "fisher"}) {
        int broken = 0;
        double sum = 0;
        for (uint64_t r = 0; r < repetitions; ++r) {
            const Model model =
                train(dense(numbers(400, 3 * r + 1)), machine, "kernel=linear false_alarms=0.05");
            broken += false_alarms_of(model) > 0.05 ? 1 : 0;
            sum += false_alarms_of(model);
        }
        EXPECT_LE(broken, 5) << machine;
        EXPECT_GE(sum / repetitions, 0.01) << machine;
    }
}

class OfMachine : public testing::TestWithParam<const char*> {};

TEST_P(OfMachine, MovesDecisionsAndNothingElse) {
    const Data data = dense(make_problem(80, 3, 2, 1, 5));
    const Data fresh = unlabelled(make_problem(9000, 3, 2, 1, 6));  // more than a piece of 8192
    const Model plain = train(data, GetParam(), "kernel=rbf(gamma=0.3) probability=yes");
    const Model model = moved(plain, dense(make_problem(300, 3, 2, 1, 7)), "false_alarms=0.1 sure=0.9");
    const json report = json::parse(text_of(dk_model_info, model.get())).at("threshold");
    const double threshold = report.at("moved_by");
    EXPECT_NE(threshold, 0);
    EXPECT_LE(report.at("false_alarms"), 0.1);
    EXPECT_EQ(report.at("rows"), 300);

    const auto before = decisions(plain, fresh);
    auto shifted = before;
    for (double& value : shifted) value -= threshold;
    EXPECT_TRUE(nearly_equal(decisions(model, fresh), shifted, 1e-12));
    EXPECT_TRUE(nearly_equal(probabilities(model, fresh), probabilities(plain, fresh), 1e-12));
    std::vector<int64_t> labels(2);
    check(dk_model_classes(labels.data(), 2, model.get()));
    const auto values = decisions(model, fresh);
    const auto predicted = predictions(model, fresh);
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(predicted[i], static_cast<double>(labels[values[i] > 0 ? 1 : 0]));

    // The prototypes' entries still sum to the decision, with the new offset.
    const auto said = explanations(model, fresh);
    double offset = 0;
    check(dk_model_prototype_offsets(nullptr, &offset, 1, model.get()));
    std::vector<double> sums;
    const auto count = said.size() / values.size();
    for (std::size_t i = 0; i < values.size(); ++i)
        sums.push_back(std::accumulate(&said[i * count], &said[i * count] + count, offset));
    EXPECT_TRUE(nearly_equal(sums, values, 1e-9));

    const Model back = read_model(bytes_of(model.get()));
    expect_same_answers(model, back, fresh, true);
    // Moved once more to where it was, it is the old one.
    const Model again = moved(moved(plain, data, "miss_cost=1000"), data, "miss_cost=1000");
    EXPECT_EQ(json::parse(text_of(dk_model_info, again.get())).at("threshold").at("moved_by"), 0);
}

INSTANTIATE_TEST_SUITE_P(Thresholds, OfMachine,
                         testing::Values("svm", "cvm", "kelm", "fisher", "mean_of_class", "super_sparse",
                                         "similarity_ridge"));

TEST(Thresholds, AreTheSameForAnyNumberOfThreads) {
    const Data data = dense(make_problem(200, 3, 2, 1, 8));
    const auto trained = [&](int32_t threads) {
        return create<Model>(dk_train, data.get(),
                             parameters("svm", "miss_cost=7 probability=yes confidence=0.8").get(),
                             control_with(threads).get());
    };
    const Model one = trained(1);
    EXPECT_EQ(bytes_of(one.get()), bytes_of(trained(5).get()));
    const Model plain = train(data, "svm");
    EXPECT_EQ(bytes_of(moved(plain, data, "miss_cost=7", 1).get()),
              bytes_of(moved(plain, data, "miss_cost=7", 5).get()));
}

TEST(Thresholds, AreOfTheModelThatAutoChooses) {
    const Data data = dense(make_problem(200, 3, 2, 1, 9));
    const Model model = train(data, "auto", "false_alarms=0.05 candidates=4");
    const json info = json::parse(text_of(dk_model_info, model.get()));
    EXPECT_EQ(info.at("threshold").at("rows"), 200);
    EXPECT_LE(info.at("threshold").at("false_alarms"), 0.05);
}

TEST(Thresholds, SayWhatCannotBeMoved) {
    const Data two = dense(make_problem(80, 2, 2, 1, 10));
    const Data three = dense(make_problem(90, 2, 3, 1, 10));
    const auto move = [](const Model& model, const Data& data, const char* goal) {
        return [&, goal](dk_model** out) {
            return dk_move_threshold(out, model.get(), data.get(), goal, nullptr);
        };
    };
    const Model plain = train(two, "svm");
    const auto refused = [&](const Model& model, const Data& data, const char* goal, dk_status status,
                             const Words& words) {
        expect_no_handle<dk_model>(move(model, data, goal), status, words);
    };
    refused(plain, two, "", DK_ERR_INVALID_PARAMETER, {"false_alarms", "miss_cost"});
    refused(plain, two, nullptr, DK_ERR_INVALID_ARGUMENT, {"goal"});
    refused(plain, two, "false_alarms=0.7", DK_ERR_INVALID_PARAMETER, {"0.7", "0.5"});
    refused(plain, two, "misscost=1", DK_ERR_INVALID_PARAMETER, {"misscost", "miss_cost"});
    refused(plain, two, "false_alarms=0.05", DK_ERR_UNSUPPORTED, {"0.05", "59", "40"});
    refused(plain, unlabelled(make_problem(80, 2, 2, 1, 10)), "miss_cost=2", DK_ERR_INVALID_DATA, {"labels"});
    refused(plain, three, "miss_cost=2", DK_ERR_INVALID_DATA, {"8"});
    refused(train(three, "svm"), three, "miss_cost=2", DK_ERR_UNSUPPORTED, {"3 classes"});
    refused(train(two, "one_class_svm"), two, "miss_cost=2", DK_ERR_UNSUPPORTED, {"novelty"});
    refused(train(two, "svm", "confidence=0.8"), two, "miss_cost=2", DK_ERR_UNSUPPORTED, {"calibrate"});
    refused(train(two, "nearest_neighbours"), two, "miss_cost=2", DK_ERR_UNSUPPORTED, {"threshold"});

    dk_model* none = nullptr;
    const auto training = [&](const char* machine, const char* settings, const Data& rows) {
        return [&none, &rows, set = std::shared_ptr(parameters(machine, settings))] {
            return dk_train(&none, rows.get(), set.get(), nullptr);
        };
    };
    expect_failure(training("svm", "miss_cost=2", three), DK_ERR_UNSUPPORTED, {"3 classes"});
    expect_failure(training("svm", "false_alarms=0.05", two), DK_ERR_UNSUPPORTED, {"59", "40"});
    expect_failure(training("auto", "miss_cost=2", three), DK_ERR_UNSUPPORTED, {"3 classes"});
    expect_failure(training("auto", "false_alarms=0.05", two), DK_ERR_UNSUPPORTED, {"59", "40"});
    for (const char* machine : {"svm", "rvm", "auto"})
        expect_failure(training(machine, "probability=yes elect=probability miss_cost=2", two),
                       DK_ERR_UNSUPPORTED, {"elect=probability", "threshold"});
    Problem one_class = make_problem(80, 2, 2, 1, 10);
    one_class.labels.assign(80, label_of_class(0));
    refused(plain, dense(one_class), "miss_cost=2", DK_ERR_INVALID_DATA, {"one class"});
    expect_failure(training("one_class_svm", "miss_cost=2", two), DK_ERR_UNSUPPORTED, {"one_class_svm"});
    EXPECT_EQ(none, nullptr);
}

}  // namespace
}  // namespace dk_test::threshold_test
