// SPDX-License-Identifier: Apache-2.0
// Sets of answers hold the truth as often as they promise, are what their definition says to the last bit,
// and say clearly what they cannot promise.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"

namespace dk_test::prediction_sets_test {
namespace {

using nlohmann::json;

std::vector<double> targets_of(const Problem& problem) {
    std::vector<double> targets;
    Random random(static_cast<uint64_t>(problem.rows) + 77);
    for (int64_t i = 0; i < problem.rows; ++i)
        targets.push_back(std::sin(problem.x[static_cast<std::size_t>(2 * i)]) + random.uniform());
    return targets;
}

Data with_targets(const Problem& problem) {
    Data data = unlabelled(problem);
    const auto targets = targets_of(problem);
    check(dk_data_set_targets(data.get(), targets.data(), problem.rows));
    return data;
}

Problem rows_of(int64_t rows, uint64_t seed) {
    return make_problem(rows, 2, 3, 1.2, seed);
}

Model calibrated(const Model& model, const Data& data, int32_t by_class = 0, int32_t threads = 0) {
    return create<Model>(dk_calibrate, model.get(), data.get(), by_class, control_with(threads).get());
}

std::vector<double> sets_of(const Model& model, const Data& data, double confidence, int32_t threads = 0) {
    const int64_t classes = dk_model_class_count(model.get());
    return values_of<double>(dk_data_rows(data.get()) * (classes > 0 ? classes : 2), dk_predict_set,
                             model.get(), data.get(), confidence, control_with(threads).get());
}

/// Counts the rows whose sets hold the truth.
double covered(const Model& model, const Problem& problem, const Data& data, double confidence) {
    const auto sets = sets_of(model, data, confidence);
    const auto targets = targets_of(problem);
    const int64_t classes = dk_model_class_count(model.get());
    std::vector<int64_t> labels(static_cast<std::size_t>(classes));
    if (classes > 0) check(dk_model_classes(labels.data(), classes, model.get()));
    double count = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (classes == 0) {
            count += sets[2 * i] <= targets[i] && targets[i] <= sets[2 * i + 1] ? 1 : 0;
            continue;
        }
        const auto own = std::ranges::find(labels, problem.labels[i]) - labels.begin();
        count += sets[i * labels.size() + static_cast<std::size_t>(own)];
    }
    return count;
}

bool is_regression(const std::string& machine) {
    return dk_params_task(parameters(machine.c_str()).get()) == DK_TASK_REGRESSION;
}

/// The mean over the repetitions of a share that has this deviation in each.
struct Bounds {
    double lowest;
    double highest;
};

/// With n = 99 rows of calibration and confidence 0.9, the share of new rows covered has a Beta(90, 10)
/// distribution, of deviation 0.03, and that of 50 of them is off by another 0.042. Four deviations are
/// allowed.
Bounds bounds_of(int repetitions) {
    const double deviation = std::sqrt(0.03 * 0.03 + 0.9 * 0.1 / 50) / std::sqrt(repetitions);
    return {0.9 - 4 * deviation, 0.9 + 4 * deviation};
}

class EachMachine : public testing::TestWithParam<const char*> {};

TEST_P(EachMachine, HoldsTheTruthAsOftenAsItPromises) {
    constexpr int repetitions = 200;
    const bool regression = is_regression(GetParam());
    double sum = 0;
    for (uint64_t r = 0; r < repetitions; ++r) {
        const Problem training = rows_of(45, 3 * r + 1);
        const Problem calibration = rows_of(99, 3 * r + 2);
        const Problem fresh = rows_of(50, 3 * r + 3);
        const auto data = [&](const Problem& p) { return regression ? with_targets(p) : dense(p); };
        const Model model =
            calibrated(train(data(training), GetParam(), "kernel=rbf(gamma=0.5)"), data(calibration));
        sum += covered(model, fresh, data(fresh), 0.9) / 50;
    }
    const Bounds bounds = bounds_of(repetitions);
    EXPECT_GE(sum / repetitions, bounds.lowest);
    // The predicted class is always in a set, so that these may hold the truth more often.
    if (regression) {
        EXPECT_LE(sum / repetitions, bounds.highest);
    }
}

INSTANTIATE_TEST_SUITE_P(PredictionSets, EachMachine,
                         testing::Values("svm", "cvm", "kelm", "fisher", "mean_of_class",
                                         "nearest_neighbours", "svr", "kernel_ridge", "quantile_regression",
                                         "similarity_ridge_regression"));

TEST(PredictionSets, OfCrossValidationHoldTheTruth) {
    for (const char* machine : {"svm", "kernel_ridge"}) {
        const bool regression = is_regression(machine);
        double sum = 0;
        for (uint64_t r = 0; r < 30; ++r) {
            const Problem training = rows_of(99, 2 * r + 1);
            const Problem fresh = rows_of(50, 2 * r + 2);
            const auto data = [&](const Problem& p) { return regression ? with_targets(p) : dense(p); };
            const Model model = train(data(training), machine, "confidence=0.9 kernel=rbf(gamma=0.5)");
            sum += covered(model, fresh, data(fresh), 0) / 50;
        }
        EXPECT_GE(sum / 30, bounds_of(30).lowest) << machine;
    }
}

TEST(PredictionSets, OfARegressionAreByHand) {
    const Model plain = train(with_targets(rows_of(40, 1)), "kernel_ridge", "kernel=rbf(gamma=0.5)");
    const Problem known = rows_of(9, 2);
    const auto predicted = predictions(plain, with_targets(known));
    const auto targets = targets_of(known);
    std::vector<double> distances;
    for (std::size_t i = 0; i < 9; ++i) distances.push_back(std::abs(targets[i] - predicted[i]));
    std::ranges::sort(distances);
    const Model model = calibrated(plain, with_targets(known));
    const Data fresh = with_targets(rows_of(20, 3));
    const auto values = predictions(model, fresh);
    EXPECT_TRUE(same_bits(values, predictions(plain, fresh)));
    // The places are ceil(10 * 0.9) = 9, ceil(10 * 0.5) = 5 and ceil(10 * 0.11) = 2.
    for (const auto& [confidence, place] : {std::pair(0.9, 9), std::pair(0.5, 5), std::pair(0.11, 2)}) {
        const auto sets = sets_of(model, fresh, confidence);
        const double bound = distances[static_cast<std::size_t>(place) - 1];
        for (std::size_t i = 0; i < 20; ++i) {
            EXPECT_EQ(sets[2 * i], values[i] - bound);
            EXPECT_EQ(sets[2 * i + 1], values[i] + bound);
        }
    }
    expect_failure_in(
        [&] {
            double out[40];
            return dk_predict_set(out, 40, model.get(), fresh.get(), 0.91, nullptr);
        },
        {DK_ERR_UNSUPPORTED}, {"0.91", "9 rows", "0.9 at most"});
}

TEST(PredictionSets, OfTwoClassesAreByHandForEachClass) {
    const Model plain = train(dense(make_problem(60, 2, 2, 1, 4)), "svm");
    const Problem known = make_problem(80, 2, 2, 1, 5);
    const Model model = calibrated(plain, dense(known), 1);
    std::vector<int64_t> labels(2);
    check(dk_model_classes(labels.data(), 2, model.get()));
    const auto decided = decisions(plain, dense(known));
    std::vector<double> scores[2];
    for (std::size_t i = 0; i < decided.size(); ++i) {
        if (known.labels[i] == labels[1]) scores[1].push_back(-decided[i]);
        if (known.labels[i] == labels[0]) scores[0].push_back(decided[i]);
    }
    double bounds[2];
    for (int c = 0; c < 2; ++c) {
        std::ranges::sort(scores[c]);
        const double place = std::ceil(0.8 * (static_cast<double>(scores[c].size()) + 1));
        bounds[c] = scores[c][static_cast<std::size_t>(place) - 1];
    }
    const Data fresh = dense(make_problem(70, 2, 2, 1, 6));
    const auto values = decisions(model, fresh);
    const auto sets = sets_of(model, fresh, 0.8);
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(sets[2 * i], values[i] <= bounds[0] || !(values[i] > 0) ? 1 : 0) << i;
        EXPECT_EQ(sets[2 * i + 1], -values[i] <= bounds[1] || values[i] > 0 ? 1 : 0) << i;
    }
    const json info = json::parse(text_of(dk_model_info, model.get()));
    EXPECT_EQ(info.at("confidence").at("by_class"), true);
    EXPECT_EQ(info.at("confidence").at("rows"),
              (std::vector<std::size_t>{scores[0].size(), scores[1].size()}));
}

TEST(PredictionSets, OfLevelsAreAroundTheLowestAndTheHighest) {
    const Model plain =
        train(with_targets(rows_of(80, 7)), "quantile_regression", "levels=0.2,0.8 kernel=rbf(gamma=0.5)");
    const Problem known = rows_of(19, 8);
    const auto levels = decisions(plain, with_targets(known));
    const auto targets = targets_of(known);
    std::vector<double> scores;
    for (std::size_t i = 0; i < 19; ++i)
        scores.push_back(std::max(levels[2 * i] - targets[i], targets[i] - levels[2 * i + 1]));
    std::ranges::sort(scores);
    const Model model = calibrated(plain, with_targets(known));
    const Data fresh = with_targets(rows_of(10, 9));
    const auto values = decisions(model, fresh);
    const auto sets = sets_of(model, fresh, 0.8);
    for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_EQ(sets[2 * i], values[2 * i] - scores[15]);
        EXPECT_EQ(sets[2 * i + 1], values[2 * i + 1] + scores[15]);
    }
    // However narrow, an interval is one.
    const auto narrow = sets_of(model, fresh, 0.01);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_LE(narrow[2 * i], narrow[2 * i + 1]);
}

TEST(PredictionSets, AreKeptInFilesAndTheSameForAnyNumberOfThreads) {
    const Data training = dense(rows_of(90, 10));
    const Data fresh = dense(rows_of(9000, 11));  // more than one piece of 8192
    const auto made = [&](int32_t threads) {
        return create<Model>(dk_train, training.get(), parameters("svm", "confidence=0.8").get(),
                             control_with(threads).get());
    };
    const Model model = made(1);
    const auto sets = sets_of(model, fresh, 0);
    EXPECT_TRUE(same_bits(sets, sets_of(model, fresh, 0.8)));
    for (const int32_t threads : {2, 5}) {
        EXPECT_EQ(bytes_of(made(threads).get()), bytes_of(model.get()));
        EXPECT_TRUE(same_bits(sets, sets_of(model, fresh, 0, threads)));
    }
    const Model back = read_model(bytes_of(model.get()));
    EXPECT_TRUE(same_bits(sets, sets_of(back, fresh, 0)));
    const Data known = dense(rows_of(60, 12));
    EXPECT_EQ(bytes_of(calibrated(model, known, 1, 1).get()), bytes_of(calibrated(model, known, 1, 5).get()));
}

TEST(PredictionSets, OfModelsThatWereChosen) {
    const Data training = dense(rows_of(90, 13));
    const Data fresh = dense(rows_of(50, 14));
    const Model chosen = create<Model>(dk_cross_validate, training.get(),
                                       parameters("svm", "confidence=0.8 grid=C=1:10").get(), nullptr);
    const Model plain =
        create<Model>(dk_cross_validate, training.get(), parameters("svm", "grid=C=1:10").get(), nullptr);
    EXPECT_TRUE(same_bits(decisions(chosen, fresh), decisions(plain, fresh)));
    EXPECT_EQ(sets_of(chosen, fresh, 0).size(), 150u);
    EXPECT_EQ(sets_of(train(training, "auto", "confidence=0.8"), fresh, 0).size(), 150u);
}

TEST(PredictionSets, SayWhatCannotBePromised) {
    const Problem problem = rows_of(30, 15);
    const Data data = dense(problem);
    const Model plain = train(data, "svm");
    std::vector<double> out(90);
    const auto ask = [&](const Model& model, double confidence) {
        return [&, confidence] {
            return dk_predict_set(out.data(), 90, model.get(), data.get(), confidence, nullptr);
        };
    };
    expect_failure_in(ask(plain, 0.9), {DK_ERR_UNSUPPORTED}, {"confidence=0.9", "calibrate"});
    const Model model = calibrated(plain, data);
    expect_failure_in(ask(model, 0), {DK_ERR_INVALID_ARGUMENT}, {"confidence is 0", "trained without"});
    for (const double confidence : {1.0, -0.1, 2.0, std::nan(""), HUGE_VAL})
        expect_failure_in(ask(model, confidence), {DK_ERR_INVALID_ARGUMENT}, {"confidence is", "below 1"});
    expect_failure_in(ask(model, 0.99), {DK_ERR_UNSUPPORTED}, {"0.99", "30 rows"});

    dk_model* none = nullptr;
    const auto train_with = [&](const char* machine, const char* settings, const Data& rows) {
        return [&none, &rows, set = std::shared_ptr(parameters(machine, settings))] {
            return dk_train(&none, rows.get(), set.get(), nullptr);
        };
    };
    expect_failure_in(train_with("svm", "confidence=0.99", data), {DK_ERR_UNSUPPORTED}, {"0.99", "30 rows"});
    expect_failure_in(train_with("one_class_svm", "confidence=0.9", data), {DK_ERR_UNSUPPORTED},
                      {"one_class_svm", "confidence"});
    const Data values = with_targets(problem);
    expect_failure_in(train_with("svr", "confidence=0.5 confidence_by_class=yes", values),
                      {DK_ERR_UNSUPPORTED}, {"svr", "classes"});
    const auto calibrate = [&](const Model& of, const Data& rows, int32_t by_class) {
        return [&, by_class] { return dk_calibrate(&none, of.get(), rows.get(), by_class, nullptr); };
    };
    expect_failure_in(calibrate(plain, unlabelled(problem), 0), {DK_ERR_INVALID_DATA}, {"labels"});
    expect_failure_in(calibrate(plain, data, 2), {DK_ERR_INVALID_ARGUMENT}, {"by_class is 2"});
    const Model regression = train(values, "svr", "epsilon=0.01");
    expect_failure_in(calibrate(regression, values, 1), {DK_ERR_UNSUPPORTED}, {"svr", "classes"});
    const Model novelty = train(data, "one_class_svm");
    expect_failure_in(calibrate(novelty, data, 0), {DK_ERR_UNSUPPORTED}, {"one_class_svm"});
    expect_failure_in([&] { return dk_calibrate(nullptr, plain.get(), data.get(), 0, nullptr); },
                      {DK_ERR_INVALID_ARGUMENT}, {"out"});
    expect_failure_in([&] { return dk_predict_set(out.data(), 89, model.get(), data.get(), 0.5, nullptr); },
                      {DK_ERR_DIMENSION, DK_ERR_INVALID_ARGUMENT}, {"89", "90"});
    EXPECT_EQ(none, nullptr);
}

}  // namespace
}  // namespace dk_test::prediction_sets_test
