// SPDX-License-Identifier: Apache-2.0
// The test for drift has the distance that its definition says, is silent where nothing changed, and tells
// what did.
#include <cmath>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "files.hpp"

namespace dk_test::drift_test {
namespace {

struct Drift {
    double distance = 0;
    double usual = 0;
    double p = 0;

    bool operator==(const Drift&) const = default;
};

Drift drift(const Model& model, const Data& data, const dk_data* reference, uint64_t seed = 1,
            int32_t threads = 0) {
    Drift found;
    check(dk_model_drift(&found.distance, &found.usual, &found.p, model.get(), data.get(), reference, seed,
                         control_with(threads).get()));
    return found;
}

/// Two columns of normal numbers around such a mean.
Problem cloud(int64_t rows, double mean, uint64_t seed) {
    Problem problem = make_problem(rows, 2, 2, 0, seed);
    for (double& value : problem.x) value += mean;
    return problem;
}

TEST(DriftTest, IsTheDistanceOfTheMeansWithALinearKernel) {
    const Problem known{4, 2, {0, 0, 2, 0, 0, 2, 2, 2}, {0, 1, 0, 1}};  // around (1, 1)
    const Problem added{3, 2, {4, 4, 4, 6, 4, 5}, {0, 1, 0}};           // around (4, 5)
    const Model model = train(dense(known), "svm", "kernel=linear scale=none");
    const Drift found = drift(model, unlabelled(added), unlabelled(known).get());
    EXPECT_NEAR(found.distance, 5, 1e-12);
    // Of the 35 ways to choose three of the seven rows none is as far apart as this one: about a permutation
    // of 35 is the same one.
    EXPECT_NEAR(found.p, 1.0 / 35, 0.02);
    EXPECT_LT(found.usual, 5);
}

TEST(DriftTest, OfTheSameRowsIsNone) {
    const Data rows = dense(cloud(100, 0, 1));
    const Drift found = drift(train(rows, "svm"), rows, rows.get());
    EXPECT_NEAR(found.distance, 0, 1e-7);
    EXPECT_GT(found.p, 0.99);
}

TEST(DriftTest, IsRarelySeenWhereNothingChanged) {
    constexpr int repetitions = 100;
    const Model model = train(dense(cloud(60, 0, 1)), "svm", "kernel=rbf(gamma=0.5) scale=none");
    double sum = 0;
    int below = 0;
    for (uint64_t r = 0; r < repetitions; ++r) {
        const Data reference = unlabelled(cloud(60, 0, 2 * r + 2));
        const double p = drift(model, unlabelled(cloud(50, 0, 2 * r + 3)), reference.get(), r).p;
        sum += p;
        below += p <= 0.05 ? 1 : 0;
    }
    // p is uniform: its mean over the repetitions deviates by 0.029, and the count of 5 by 2.2.
    EXPECT_NEAR(sum / repetitions, 0.5, 4 * 0.029);
    EXPECT_LE(below, 5 + 4 * 2.2);
}

TEST(DriftTest, SeesMeansAndSpreads) {
    const Data known = dense(cloud(300, 0, 1));
    const Model model = train(known, "svm", "kernel=rbf(gamma=0.5) scale=none");
    EXPECT_EQ(drift(model, unlabelled(cloud(200, 0.5, 2)), known.get()).p, 0.001);
    Problem wide = cloud(200, 0, 3);
    for (double& value : wide.x) value *= 2;
    EXPECT_EQ(drift(model, unlabelled(wide), known.get()).p, 0.001);
}

TEST(DriftTest, NeedsNoTrainingRowsOfAModelThatKeepsThem) {
    const Data known = dense(cloud(80, 0, 1));
    const Data fresh = unlabelled(cloud(50, 0.3, 2));
    for (const char* settings : {"kernel=rbf(gamma=0.5)", "scale=standard", "scale=ranks", "scale_rows=l2"}) {
        const Model model = train(known, "kelm", settings);
        const Drift with = drift(model, fresh, known.get());
        const Drift without = drift(model, fresh, nullptr);
        EXPECT_NEAR(without.distance, with.distance, 1e-9) << settings;
        EXPECT_EQ(without.p, with.p) << settings;
        const Model back = read_model(bytes_of(model.get()));
        EXPECT_TRUE(drift(back, fresh, nullptr) == without) << settings;
    }
}

TEST(DriftTest, IsTheSameForAnyNumberOfThreadsAndDrawsRowsBySeed) {
    const Data known = dense(cloud(2500, 0, 1));  // more than the 2000 that take part
    const Data fresh = unlabelled(cloud(2100, 0, 2));
    const Model model = train(known, "mean_of_class", "kernel=rbf(gamma=0.5)");
    const Drift one = drift(model, fresh, known.get(), 1, 1);
    EXPECT_TRUE(one == drift(model, fresh, known.get(), 1, 2));
    EXPECT_TRUE(one == drift(model, fresh, known.get(), 1, 5));
    EXPECT_NE(one.distance, drift(model, fresh, known.get(), 2).distance);
}

TEST(DriftTest, IsOfEveryKindOfRows) {
    const char* texts[] = {"aaab", "aaba", "abaa", "baaa", "bbba", "bbab"};
    const auto some = [&](int64_t first, int64_t count) {
        return create<Data>(dk_data_from_strings, texts + first, count);
    };
    Data known = some(0, 4);
    const int64_t labels[] = {0, 1, 0, 1};
    check(dk_data_set_labels(known.get(), labels, 4));
    const Model model = train(known, "svm", "kernel=spectrum(length=2)");
    EXPECT_GT(drift(model, some(4, 2), known.get()).distance, 0.1);
    const Problem problem = cloud(60, 0, 4);
    const Model of_sparse = train(sparse(problem), "svm", "kernel=rbf(gamma=0.5) scale=none");
    const Model of_dense = train(dense(problem), "svm", "kernel=rbf(gamma=0.5) scale=none");
    const Problem fresh = cloud(40, 0.5, 5);
    EXPECT_NEAR(drift(of_sparse, sparse(fresh), sparse(problem).get()).distance,
                drift(of_dense, dense(fresh), dense(problem).get()).distance, 1e-9);
}

TEST(DriftTest, SaysWhatItDoesNotKnow) {
    const Data known = dense(cloud(80, 0, 1));
    const Data fresh = unlabelled(cloud(50, 0, 2));
    const Model model = train(known, "svm");
    double out = -1;
    const auto ask = [&](const Model& of, const Data& data, const dk_data* reference) {
        return [&, reference] {
            return dk_model_drift(&out, &out, &out, of.get(), data.get(), reference, 1, nullptr);
        };
    };
    expect_failure(ask(model, fresh, nullptr), DK_ERR_UNSUPPORTED, {"80", "training rows"});
    // Layers know their own rows, and what was imported does not know how many there were.
    expect_failure(
        ask(train(known, "kelm", "layers=kernel_pca(rbf(gamma=0.5),components=3)"), fresh, nullptr),
        DK_ERR_UNSUPPORTED, {"layers", "not seen"});
    const TemporaryDirectory directory;
    check(dk_model_export(model.get(), directory.path("model").c_str(), "libsvm"));
    const Model imported = create<Model>(dk_model_import, directory.path("model").c_str(), "libsvm", nullptr);
    expect_failure(ask(imported, fresh, nullptr), DK_ERR_UNSUPPORTED, {"imported"});
    EXPECT_EQ(dk_model_drift(nullptr, nullptr, nullptr, imported.get(), fresh.get(), known.get(), 1, nullptr),
              DK_OK);
    const Data narrow = unlabelled({3, 1, {1, 2, 3}, {}});
    expect_failure(ask(model, narrow, known.get()), DK_ERR_DIMENSION, {"1", "2"});
    expect_failure(ask(model, fresh, narrow.get()), DK_ERR_DIMENSION, {"1", "2"});
    std::vector<double> similarities{1, 0, 0, 1};
    Data square = gram(similarities, 2, 2);
    const int64_t labels[] = {0, 1};
    check(dk_data_set_labels(square.get(), labels, 2));
    const Model of_square = train(square, "svm", "kernel=gram(0)");
    expect_failure(ask(of_square, square, square.get()), DK_ERR_UNSUPPORTED, {"similarities"});
    expect_failure(
        [&] { return dk_model_drift(&out, &out, &out, nullptr, fresh.get(), nullptr, 1, nullptr); },
        DK_ERR_INVALID_ARGUMENT, {"model"});
    expect_failure(
        [&] { return dk_model_drift(&out, &out, &out, model.get(), nullptr, nullptr, 1, nullptr); },
        DK_ERR_INVALID_ARGUMENT, {"data"});
    EXPECT_EQ(out, -1);
    EXPECT_EQ(dk_model_drift(nullptr, nullptr, nullptr, model.get(), fresh.get(), known.get(), 1, nullptr),
              DK_OK);
}

}  // namespace
}  // namespace dk_test::drift_test
