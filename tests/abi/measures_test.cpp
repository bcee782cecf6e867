// SPDX-License-Identifier: Apache-2.0
// Learners compared and prototypes measured: values by hand, and what is refused. The statistics themselves
// are tested in tests/unit.
#include <cmath>
#include <limits>

#include "expectations.hpp"

namespace dk_test::measures_test {
namespace {

constexpr dk_status invalid = DK_ERR_INVALID_ARGUMENT;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Comparison, RanksAndTheirCriticalDifference) {
    const std::vector<double> scores{0.9, 0.8, 0.7,  //
                                     0.5, 0.5, 0.6};
    std::vector<double> ranks(3);
    check(dk_mean_ranks(ranks.data(), 3, scores.data(), 2, 3, nullptr));
    EXPECT_EQ(ranks, (std::vector<double>{1.75, 2.25, 2}));
    double difference = 0;
    // The quantile of two normal numbers' range is sqrt(2) times that of one, whose 0.975 is 1.959964.
    check(dk_critical_difference(&difference, 2, 6, 0.05));
    EXPECT_NEAR(difference, 1.959964 / std::sqrt(6), 1e-6);
}

TEST(Comparison, ResampledTest) {
    // The mean is 2 and s^2 = 1, so t = 2 / sqrt(1/3 + 1/2); with 2 degrees p = 1 - t / sqrt(2 + t^2).
    const std::vector<double> differences{1, 2, 3};
    double mean = 0;
    double t = 0;
    double p = 0;
    check(dk_resampled_test(&mean, &t, &p, differences.data(), 3, 0.5));
    EXPECT_DOUBLE_EQ(mean, 2);
    EXPECT_NEAR(t, 2 / std::sqrt(5.0 / 6), 1e-12);
    EXPECT_NEAR(p, 1 - t / std::sqrt(2 + t * t), 1e-12);
    check(dk_resampled_test(nullptr, nullptr, nullptr, differences.data(), 3, 0.5));
}

TEST(Comparison, Stabilities) {
    const std::vector<int64_t> selected{1,  1, 0, -1,  //
                                        -1, 1, 1, 0};
    double stability = 0;
    check(dk_jaccard_stability(&stability, selected.data(), 2, 4, nullptr));
    EXPECT_DOUBLE_EQ(stability, 0.5);
    check(dk_jaccard_stability(&stability, selected.data(), 1, 4, nullptr));
    EXPECT_TRUE(std::isnan(stability));
    const std::vector<int64_t> subsets{1, 1, 0, 1, 1, 0, 1, 0, 0};
    check(dk_selection_stability(&stability, subsets.data(), 3, 3));
    EXPECT_NEAR(stability, 0.55, 1e-15);
}

TEST(Comparison, RefusesWhatMakesNoSense) {
    std::vector<double> out(3);
    const std::vector<double> scores{1, 2, 3, 4, nan, 6};
    const auto ranks = [&](double* to, int64_t length, const double* from, int64_t sets, int64_t learners) {
        return dk_mean_ranks(to, length, from, sets, learners, nullptr);
    };
    expect_failure([&] { return ranks(nullptr, 3, scores.data(), 1, 3); }, invalid, {"out"});
    expect_failure([&] { return ranks(out.data(), 3, nullptr, 1, 3); }, invalid, {"scores"});
    expect_failure([&] { return ranks(out.data(), 2, scores.data(), 1, 3); }, invalid, {"2", "3"});
    expect_failure([&] { return ranks(out.data(), 3, scores.data(), 0, 3); }, invalid, {"sets", "0"});
    expect_failure([&] { return ranks(out.data(), 1, scores.data(), 1, 1); }, invalid, {"learners", "1"});
    expect_failure([&] { return ranks(out.data(), 3, scores.data(), 2, 3); }, DK_ERR_INVALID_DATA,
                   {"score", "4"});
    double one = 0;
    for (const double level : {0.0, 0.6, -1.0, nan})
        expect_failure([&] { return dk_critical_difference(&one, 3, 3, level); }, invalid, {"level"});
    expect_failure([&] { return dk_critical_difference(nullptr, 3, 3, 0.05); }, invalid, {"out"});
    expect_failure([&] { return dk_critical_difference(&one, 100001, 3, 0.05); }, invalid, {"learners"});
    const auto test = [&](const double* differences, int64_t folds, double share) {
        return dk_resampled_test(&one, nullptr, nullptr, differences, folds, share);
    };
    expect_failure([&] { return test(nullptr, 3, 0.1); }, invalid, {"differences"});
    expect_failure([&] { return test(scores.data(), 1, 0.1); }, invalid, {"folds", "1"});
    expect_failure([&] { return test(scores.data(), 3, -0.1); }, invalid, {"share"});
    expect_failure([&] { return test(scores.data(), 3, nan); }, invalid, {"share"});
    expect_failure([&] { return test(scores.data(), 6, 0.1); }, DK_ERR_INVALID_DATA, {"difference", "4"});
}

TEST(Comparison, RefusesOtherSelections) {
    const std::vector<int64_t> selected{1, 0, -1, 2};
    double out = 0;
    const auto jaccard = [&](double* to, const int64_t* from, int64_t sets, int64_t members) {
        return dk_jaccard_stability(to, from, sets, members, nullptr);
    };
    expect_failure([&] { return jaccard(nullptr, selected.data(), 1, 3); }, invalid, {"out"});
    expect_failure([&] { return jaccard(&out, nullptr, 1, 3); }, invalid, {"selected"});
    expect_failure([&] { return jaccard(&out, selected.data(), 0, 3); }, invalid, {"sets", "0"});
    expect_failure([&] { return jaccard(&out, selected.data(), 1, -1); }, invalid, {"members", "-1"});
    expect_failure([&] { return jaccard(&out, selected.data(), 2, 2); }, invalid, {"3", "2"});
    const auto selection = [&](double* to, const int64_t* from, int64_t sets, int64_t members) {
        return dk_selection_stability(to, from, sets, members);
    };
    expect_failure([&] { return selection(nullptr, selected.data(), 1, 2); }, invalid, {"out"});
    expect_failure([&] { return selection(&out, nullptr, 1, 2); }, invalid, {"selected"});
    expect_failure([&] { return selection(&out, selected.data(), 1, 3); }, invalid, {"2", "-1"});
    expect_failure([&] { return selection(&out, selected.data(), 1, 0); }, invalid, {"members", "0"});
}

struct Measured {
    std::vector<double> purity;
    std::vector<double> compactness;
};

Measured measured(const Model& model, const Data& training) {
    const auto count = static_cast<std::size_t>(dk_model_prototype_count(model.get()));
    Measured measures{std::vector<double>(count), std::vector<double>(count)};
    check(dk_prototype_measures(measures.purity.data(), measures.compactness.data(),
                                dk_model_prototype_count(model.get()), model.get(), training.get(), nullptr));
    return measures;
}

/// The prototypes are the classes' means m, so that compactness is exp(-2 (1 / |m|^2 - 1)) with the mean
/// kernel value |m|^2 of the class.
TEST(PrototypeMeasures, OfMeansAreThoseOfTheClasses) {
    const Problem problem = make_problem(40, 3, 2, 2.0, 5);
    const Data data = dense(problem);
    const Model model = train(data, "mean_of_class", "kernel=rbf(gamma=0.2) scale=none");
    const auto K = values_of<double>(40 * 40, dk_gram, data.get(), nullptr, "rbf(gamma=0.2)", nullptr);
    const auto position = values_of<int64_t>(2, dk_model_prototype_classes, model.get());
    const auto classes = values_of<int64_t>(2, dk_model_classes, model.get());
    const Measured measures = measured(model, data);
    for (std::size_t p = 0; p < 2; ++p) {
        const int64_t label = classes[static_cast<std::size_t>(position[p])];
        double sum = 0;
        for (std::size_t i = 0; i < 40; ++i) {
            for (std::size_t j = 0; j < 40; ++j)
                sum += problem.labels[i] == label && problem.labels[j] == label ? K[40 * i + j] : 0;
        }
        EXPECT_NEAR(measures.purity[p], 1, 1e-12);
        EXPECT_NEAR(measures.compactness[p], std::exp(-2 * (400 / sum - 1)), 1e-9);
    }
}

TEST(PrototypeMeasures, DoNotExistForRowsOfOtherLengthsAndFreeVectors) {
    const Data data = dense(make_problem(40, 3, 2, 2.0, 5));
    const Measured linear = measured(train(data, "mean_of_class", "kernel=linear"), data);
    const Measured vectors = measured(train(data, "reduced_svm", "kernel=rbf(gamma=0.2) prototypes=3"), data);
    EXPECT_NEAR(linear.purity[0], 1, 1e-12);
    EXPECT_TRUE(std::isnan(linear.compactness[0]));
    EXPECT_TRUE(std::isnan(vectors.purity[0]));
    EXPECT_TRUE(std::isnan(vectors.compactness[0]));
}

TEST(PrototypeMeasures, OfSingleRowsAreOne) {
    const Data data = dense(make_problem(40, 3, 2, 2.0, 5));
    const Measured rows = measured(train(data, "nearest_neighbours", "kernel=linear"), data);
    EXPECT_EQ(rows.purity, std::vector<double>(40, 1.0));
    EXPECT_EQ(rows.compactness, std::vector<double>(40, 1.0));
}

TEST(PrototypeMeasures, RefusesOtherRows) {
    const Problem problem = make_problem(40, 3, 2, 2.0, 5);
    const Data data = dense(problem);
    const Model model = train(data, "mean_of_class", "kernel=rbf(gamma=0.2)");
    std::vector<double> out(2);
    const auto measure = [&](int64_t length, const dk_model* of, const dk_data* training) {
        return dk_prototype_measures(out.data(), nullptr, length, of, training, nullptr);
    };
    check(measure(2, model.get(), data.get()));
    check(dk_prototype_measures(nullptr, out.data(), 2, model.get(), data.get(), nullptr));
    expect_failure([&] { return measure(2, nullptr, data.get()); }, invalid, {"model"});
    expect_failure([&] { return measure(2, model.get(), nullptr); }, invalid, {"training"});
    expect_failure([&] { return measure(3, model.get(), data.get()); }, invalid, {"3", "2"});
    const Data fewer = dense(make_problem(30, 3, 2, 2.0, 5));
    expect_failure([&] { return measure(2, model.get(), fewer.get()); }, DK_ERR_DIMENSION, {"30", "40"});
    const Data without = unlabelled(problem);
    expect_failure([&] { return measure(2, model.get(), without.get()); }, DK_ERR_INVALID_DATA, {"labels"});
}

}  // namespace
}  // namespace dk_test::measures_test
