// SPDX-License-Identifier: Apache-2.0
// These tests check the generalised prototype view of every machine: p+ and p- are convex combinations of
// rows, and 2 t f(x) = |x - p-|^2 - |x - p+|^2 + S.
#include <algorithm>
#include <limits>
#include <numeric>

#include "prototype/nearest_rows.hpp"
#include "trained.hpp"

namespace dk::test::canonical_test {
namespace {

struct Way {
    std::string machine;
    std::vector<Setting> settings;
};

const std::vector<Way>& ways() {
    static const std::vector<Way> all{
        {"mean_of_class", {}},
        {"fisher", {}},
        {"kelm", {{"C", "10"}, {"offset", "yes"}}},
        {"rvm", {}},
        {"boosted", {}},
        {"svm", {{"C", "0.5"}, {"tolerance", "1e-8"}}},
        {"svm", {{"C", "2"}, {"loss", "squared_hinge"}, {"tolerance", "1e-8"}}},
        {"svm", {{"class_weight", "balanced"}, {"tolerance", "1e-8"}}},
    };
    return all;
}

const std::vector<std::string> kernels{"linear", "rbf(gamma=0.2)", "arccos(1, 2)", "poly(degree=2)",
                                       "[linear, rbf(gamma=1)]"};

std::vector<Setting> with_kernel(const Way& way, const std::string& kernel) {
    auto settings = way.settings;
    settings.emplace_back("kernel", kernel);
    return settings;
}

/// FeatureSpace computes distances in feature space from sums over kernel values.
class FeatureSpace {
  public:
    FeatureSpace(const Model& model, const Dataset& training, const Dataset& data)
        : rows_(training.rows()), weights_(coefficients(model)) {
        const auto kernel = make_kernel(model.kernel, training);
        training_ = gram_matrix(kernel, training, training);
        values_ = gram_matrix(kernel, data, training);
        self_ = GramEngine<double>(kernel, data, data).self(Side::left);
    }

    /// Gives a_p' K a_q.
    long double inner(Index p, Index q) const {
        long double sum = 0;
        for (Index i = 0; i < rows_; ++i) {
            for (Index j = 0; j < rows_; ++j) {
                sum += static_cast<long double>(weight(p, i)) * weight(q, j) * training_[i * rows_ + j];
            }
        }
        return sum;
    }

    /// Gives |x_i - p|^2.
    long double squared_distance(Index i, Index p) const {
        long double product = 0;
        for (Index j = 0; j < rows_; ++j)
            product += static_cast<long double>(weight(p, j)) * values_[i * rows_ + j];
        return self_[i] - 2 * product + inner(p, p);
    }

    double weight(Index p, Index i) const { return weights_[p * rows_ + i]; }

  private:
    Index rows_;
    std::vector<double> weights_;
    std::vector<double> training_;
    std::vector<double> values_;
    std::vector<double> self_;
};

void expect_canonical(const Model& model, const Dataset& training, const Dataset& data,
                      const std::string& what) {
    const FeatureSpace space(model, training, data);
    const auto& set = model.predictor->prototypes();
    const auto values = decided(model, data);
    ASSERT_EQ(set.count(), 2 * set.functions());
    for (Index f = 0; f < set.functions(); ++f) {
        const Index plus = 2 * f;
        const Index minus = 2 * f + 1;
        const double t = set.scales[f];
        for (const Index p : {plus, minus}) {
            double sum = 0;
            for (Index i = 0; i < training.rows(); ++i) {
                EXPECT_GE(space.weight(p, i), 0) << what;
                sum += space.weight(p, i);
            }
            EXPECT_NEAR(sum, 1, 1e-9) << what;
            const auto norm = static_cast<double>(space.inner(p, p));
            EXPECT_NEAR(set.squared_norms[p], norm, 1e-11 * norm) << what;
        }
        const auto positive = static_cast<double>(space.inner(plus, plus));
        const auto negative = static_cast<double>(space.inner(minus, minus));
        const auto apart = static_cast<double>(space.inner(plus, plus) + space.inner(minus, minus) -
                                               2 * space.inner(plus, minus));
        EXPECT_NEAR(set.norms[f], std::sqrt(apart) / t, 1e-6 * std::sqrt(apart) / t) << what;
        for (Index i = 0; i < data.rows(); ++i) {
            const auto left =
                static_cast<double>(space.squared_distance(i, minus) - space.squared_distance(i, plus)) +
                set.shifts[f];
            const double right = 2 * t * values[i * set.functions() + f];
            const double size = 1 + positive + negative + std::abs(right) + std::abs(set.shifts[f]);
            ASSERT_NEAR(left, right, 1e-11 * size) << what << ", row " << i;
        }
    }
}

TEST(Canonical, IdentityOfEveryMachineAndKernel) {
    const Dataset training = blobs(45, 3, 2, 2, 1, true);
    const Dataset data = random_dense(20, 3, 2, 1);
    for (const auto& way : ways()) {
        for (const auto& kernel : kernels) {
            expect_canonical(trained(way.machine, training, with_kernel(way, kernel)), training, data,
                             way.machine + " " + kernel);
        }
    }
}

TEST(Canonical, IdentityOfManyClasses) {
    const Dataset training = blobs(48, 3, 4, 3, 3);
    const Dataset data = random_dense(12, 3, 4, 1);
    for (const auto& way : ways()) {
        if (way.machine == "kelm") {  // It has one function for each class, even for two.
            const Model model = trained(way.machine, training, with_kernel(way, "rbf(gamma=0.1)"));
            EXPECT_EQ(model.predictor->decision_count(), 4);
            expect_canonical(model, training, data, way.machine);
            continue;
        }
        for (const char* multiclass : {"ovo", "ovr"}) {
            auto settings = with_kernel(way, "rbf(gamma=0.1)");
            settings.emplace_back("multiclass", multiclass);
            const Model model = trained(way.machine, training, settings);
            EXPECT_EQ(model.predictor->decision_count(), multiclass == std::string("ovo") ? 6 : 4);
            expect_canonical(model, training, data, way.machine + " " + multiclass);
        }
    }
}

TEST(Canonical, ShiftIsZeroForMeansOfClassAndHardMargins) {
    for (const bool uneven : {false, true}) {
        const Dataset training = blobs(40, 4, 2, 9, 5, uneven);
        for (const char* kernel : {"linear", "rbf(gamma=0.05)", "arccos(1, 1)"}) {
            const Model mean = trained("mean_of_class", training, {{"kernel", kernel}});
            const double scale = mean.predictor->prototypes().squared_norms[0];
            EXPECT_NEAR(mean.predictor->prototypes().shifts[0], 0, 1e-12 * scale) << kernel;
            const Model hard =
                trained("svm", training, {{"kernel", kernel}, {"loss", "hard"}, {"tolerance", "1e-10"}});
            EXPECT_NEAR(hard.predictor->prototypes().shifts[0], 0, 1e-9 * scale) << kernel;
        }
    }
}

/// For squared slack with ridge 1 / C, S = -(sum over p+ of a^2 - sum over p- of a^2) / C.
TEST(Canonical, ShiftOfSquaredSlack) {
    const Dataset training = blobs(50, 3, 2, 2, 6, true);
    for (const char* c : {"0.05", "1", "30"}) {
        for (const char* kernel : {"linear", "rbf(gamma=0.3)"}) {
            const Model model =
                trained("svm", training,
                        {{"kernel", kernel}, {"loss", "squared_hinge"}, {"C", c}, {"tolerance", "1e-11"}});
            const auto a = coefficients(model);
            double difference = 0;
            for (std::size_t i = 0; i < 50; ++i) difference += a[i] * a[i] - a[50 + i] * a[50 + i];
            EXPECT_NEAR(model.predictor->prototypes().shifts[0], -difference / *parse_number(c), 1e-8)
                << kernel << ", C=" << c;
        }
    }
}

TEST(Canonical, VanishingCostGivesTheMeansOfClass) {
    for (const char* kernel : {"linear", "rbf(gamma=0.3)"}) {
        const Dataset balanced = blobs(40, 3, 2, 1, 7);
        for (const char* loss : {"hinge", "squared_hinge"}) {
            const auto a = coefficients(trained(
                "svm", balanced, {{"kernel", kernel}, {"loss", loss}, {"C", "1e-7"}, {"tolerance", "1e-9"}}));
            for (std::size_t i = 0; i < 40; ++i)
                EXPECT_NEAR(a[i] + a[40 + i], 1.0 / 20, 1e-5) << kernel << ", " << loss;
        }
        // Squared slack does so for classes of any sizes, in the coefficients if not in the offset.
        const Dataset uneven = blobs(60, 3, 2, 1, 8, true);
        const auto a = coefficients(
            trained("svm", uneven,
                    {{"kernel", kernel}, {"loss", "squared_hinge"}, {"C", "1e-7"}, {"tolerance", "1e-9"}}));
        const auto positives = static_cast<double>(std::ranges::count(uneven.labels->of_rows, 1));
        for (std::size_t i = 0; i < 60; ++i) {
            const bool positive = uneven.labels->of_rows[i] == 1;
            EXPECT_NEAR(a[i], positive ? 1 / positives : 0, 1e-5) << kernel;
            EXPECT_NEAR(a[60 + i], positive ? 0 : 1 / (60 - positives), 1e-5) << kernel;
        }
    }
}

TEST(Canonical, MeanOfClassElectsTheNearestMean) {
    const Dataset training = blobs(60, 2, 2, 2, 9, true);
    const Dataset data = random_dense(200, 2, 10, 1, 2);
    const Model model = trained("mean_of_class", training, {{"kernel", "linear"}});
    double means[2][2] = {};
    double counts[2] = {};
    for (Index i = 0; i < 60; ++i) {
        const auto c = training.labels->of_rows[i];
        counts[c] += 1;
        for (std::size_t j = 0; j < 2; ++j) means[c][j] += training.dense().row(i)[j];
    }
    for (std::size_t c = 0; c < 2; ++c) {
        for (std::size_t j = 0; j < 2; ++j) means[c][j] /= counts[c];
    }
    const auto values = decided(model, data);
    BegunControl control;
    const auto elected = elected_classes(model, values, control);
    for (Index i = 0; i < 200; ++i) {
        double distances[2] = {};
        for (std::size_t c = 0; c < 2; ++c) {
            for (std::size_t j = 0; j < 2; ++j)
                distances[c] += std::pow(data.dense().row(i)[j] - means[c][j], 2);
        }
        EXPECT_EQ(elected[i], distances[1] < distances[0] ? 1 : 0);
        EXPECT_NEAR(values[i], 0.5 * (distances[0] - distances[1]), 1e-11);
    }
}

TEST(Canonical, DistanceToThePlane) {
    // The plane 3 x + 4 y = 5 is halfway between the classes' means (0.6, 0.8) -+ (0.6, 0.8).
    const Dataset training =
        with_labels(dense(4, 2, {0.4, -0.3, -0.4, 0.3, 1.6, 1.3, 0.8, 1.9}), {0, 0, 1, 1});
    const Model model = trained("mean_of_class", training, {{"kernel", "linear"}});
    const Dataset data = dense(3, 2, {0, 0, 3, 4, 1, 0.5});
    const auto values = decided(model, data);
    const double norm = model.predictor->prototypes().norms[0];
    EXPECT_NEAR(norm, 2, 1e-12);  // the length of (1.2, 1.6)
    EXPECT_NEAR(values[0] / norm, -1, 1e-12);
    EXPECT_NEAR(values[1] / norm, 4, 1e-12);
    EXPECT_NEAR(values[2] / norm, 0, 1e-12);
}

TEST(Canonical, ExplanationsSumToTheDecision) {
    const Dataset training = blobs(48, 3, 3, 2, 11);
    const Dataset data = random_dense(15, 3, 12, 1);
    for (const auto& way : ways()) {
        const Model model = trained(way.machine, training, with_kernel(way, "rbf(gamma=0.2)"));
        const auto& set = model.predictor->prototypes();
        const auto values = decided(model, data);
        const FeatureSpace space(model, training, data);
        std::vector<double> parts(15 * set.count());
        BegunControl control;
        explain(model, data, parts.data(), control);
        for (Index i = 0; i < 15; ++i) {
            for (Index f = 0; f < set.functions(); ++f) {
                const double t = set.scales[f];
                const double* part = parts.data() + i * set.count() + 2 * f;
                EXPECT_NEAR(part[0], -static_cast<double>(space.squared_distance(i, 2 * f)) / (2 * t),
                            1e-11 / t);
                EXPECT_NEAR(part[1], static_cast<double>(space.squared_distance(i, 2 * f + 1)) / (2 * t),
                            1e-11 / t);
                EXPECT_NEAR(part[0] + part[1] + set.shifts[f] / (2 * t), values[i * set.functions() + f],
                            1e-10 / t)
                    << way.machine;
            }
        }
    }
}

TEST(Canonical, NearestRowsByBruteForce) {
    const Dataset training = blobs(40, 3, 3, 1, 13);
    for (const char* neighbours : {"0", "1", "7", "1000"}) {
        const Model model =
            trained("svm", training, {{"kernel", "rbf(gamma=0.2)"}, {"neighbours", neighbours}});
        const auto& set = model.predictor->prototypes();
        const Index expected = std::min<Index>(40, *parse_integer(neighbours));
        ASSERT_EQ(set.neighbours, expected);
        const FeatureSpace space(model, training, training);
        for (Index p = 0; p < set.count(); ++p) {
            std::vector<double> distances;
            for (Index i = 0; i < 40; ++i) {
                distances.push_back(
                    std::sqrt(std::max(0.0, static_cast<double>(space.squared_distance(i, p)))));
            }
            auto sorted = distances;
            std::ranges::sort(sorted);
            std::vector<Index> seen;
            for (Index k = 0; k < expected; ++k) {
                const auto at = p * expected + k;
                EXPECT_NEAR(set.nearest_distances[at], sorted[k], 1e-7);
                EXPECT_NEAR(distances[set.nearest_rows[at]], sorted[k], 1e-7);
                seen.push_back(set.nearest_rows[at]);
            }
            std::ranges::sort(seen);
            EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
        }
    }
}

TEST(Canonical, NearestRowsHaveFiniteDistances) {
    BegunControl control;
    for (const double bad : {1e308, -1e308, std::numeric_limits<double>::quiet_NaN()}) {
        NearestRows nearest(1, 2);
        const std::vector<double> squares{1e308, 4, 1, 1e308};
        const std::vector<double> products{-1e308, 1, 0, bad};
        nearest.see(0, 4, squares, products.data(), control);
        std::vector<Index> rows;
        std::vector<double> distances;
        nearest.write(std::vector<double>{2.0}, rows, distances);
        EXPECT_EQ(rows, (std::vector<Index>{2, 1})) << bad;

        NearestRows more(1, 4);
        more.see(0, 4, squares, products.data(), control);
        EXPECT_THROW(more.write(std::vector<double>{2.0}, rows, distances), Error);
    }
}

TEST(Canonical, NeighboursChangeNothingElse) {
    Dataset training = blobs(30, 3, 2, 1, 18);
    auto values = training.dense().values;
    std::fill_n(values.begin() + 12, 3, 0.0);  // This row has no direction.
    Dataset with_zero = dense(30, 3, values);
    with_zero.labels = training.labels;
    for (const Dataset& data : {training, with_zero}) {
        for (const char* kernel : {"rbf(gamma=0.2)", "normalize(linear)", "arccos(1)"}) {
            const Model none = trained("mean_of_class", data, {{"kernel", kernel}, {"neighbours", "0"}});
            const Model some = trained("mean_of_class", data, {{"kernel", kernel}, {"neighbours", "5"}});
            EXPECT_NEAR(none.predictor->prototypes().shifts[0], some.predictor->prototypes().shifts[0], 1e-12)
                << kernel;
            EXPECT_NEAR(none.predictor->prototypes().norms[0], some.predictor->prototypes().norms[0], 1e-12)
                << kernel;
            EXPECT_NEAR(some.predictor->prototypes().shifts[0], 0, 1e-12) << kernel;
        }
    }
}

TEST(Canonical, SparseRowsMayLackTheLastColumns) {
    Dataset training = to_sparse(blobs(30, 3, 2, 1, 19));
    training.labels = blobs(30, 3, 2, 1, 19).labels;
    const Dataset full = to_sparse(dense(2, 3, {1, 2, 0, -1, 0.5, 0}));
    const Dataset lacking = to_sparse(dense(2, 2, {1, 2, -1, 0.5}));
    for (const char* kernel :
         {"linear", "rbf(gamma=0.3)", "on(0:1, rbf(gamma=0.3))", "on(2, linear) + linear"}) {
        const Model model = trained("svm", training, {{"kernel", kernel}});
        std::vector<double> found;
        EXPECT_NO_THROW(found = decided(model, lacking)) << kernel;
        EXPECT_EQ(found, decided(model, full)) << kernel;
    }
}

TEST(Canonical, CoordinatesOfLinearKernels) {
    const Dataset training = blobs(30, 3, 2, 1, 14, true);
    for (const Dataset& set : {training, [&] {
                                   Dataset sparse = to_sparse(training);
                                   sparse.labels = training.labels;
                                   return sparse;
                               }()}) {
        for (const char* kernel : {"linear", "3*linear + 1"}) {
            const Model model = trained("svm", set, {{"kernel", kernel}});
            const auto a = coefficients(model);
            std::vector<double> points(6);
            model.predictor->prototype_coordinates(points.data());
            for (std::size_t p = 0; p < 2; ++p) {
                for (std::size_t j = 0; j < 3; ++j) {
                    double expected = 0;
                    for (Index i = 0; i < 30; ++i) expected += a[p * 30 + i] * training.dense().row(i)[j];
                    EXPECT_NEAR(points[p * 3 + j], expected, 1e-13) << kernel;
                }
            }
        }
    }
    const Model curved = trained("svm", training, {{"kernel", "rbf"}});
    std::vector<double> points(6);
    message_of(Status::unsupported, [&] { curved.predictor->prototype_coordinates(points.data()); });
}

TEST(Canonical, PrototypesOfClasses) {
    const Dataset training = blobs(30, 3, 3, 2, 15);
    const auto classes = [&](const char* multiclass) {
        return trained("mean_of_class", training, {{"multiclass", multiclass}})
            .predictor->prototypes()
            .classes;
    };
    EXPECT_EQ(classes("ovo"), (std::vector<Index>{0, 1, 0, 2, 1, 2}));
    EXPECT_EQ(classes("ovr"), (std::vector<Index>{0, -1, 1, -1, 2, -1}));
    EXPECT_EQ(trained("mean_of_class", blobs(10, 2, 2, 1, 16), {}).predictor->prototypes().classes,
              (std::vector<Index>{1, 0}));
}

TEST(Canonical, SampleWeightsMakeWeightedMeans) {
    Dataset training = blobs(20, 2, 2, 1, 17);
    for (int i = 0; i < 20; ++i) training.sample_weights.push_back(0.25 * (i % 5));
    const auto a = coefficients(trained("mean_of_class", training, {{"kernel", "linear"}}));
    double totals[2] = {};
    for (std::size_t i = 0; i < 20; ++i) totals[training.labels->of_rows[i]] += training.sample_weights[i];
    for (std::size_t i = 0; i < 20; ++i) {
        const auto c = training.labels->of_rows[i];
        EXPECT_NEAR(a[(1 - c) * 20 + i], training.sample_weights[i] / totals[c], 1e-15);
        EXPECT_EQ(a[c * 20 + i], 0);
    }
}

TEST(Canonical, EqualClassesHaveNoPrototypes) {
    const Dataset training = with_labels(dense(4, 1, {1, 2, 1, 2}), {0, 0, 1, 1});
    message_of(Status::numerical, [&] {
        trained("svm", training, {{"loss", "hard"}, {"kernel", "linear"}});
    });
}

TEST(Canonical, CoefficientsWithoutAnInverseAreRefused) {
    // The targets are so small that 1 over the sum of the coefficients overflows.
    Dataset training = dense(2, 1, {0.25, 4});
    training.targets = {1e-312, -1e-312};
    const auto message = message_of(Status::numerical, [&] {
        trained("kernel_ridge", training, {{"kernel", "rbf(gamma=1)"}});
    });
    EXPECT_NE(message.find("scale"), std::string::npos) << message;
}

}  // namespace
}  // namespace dk::test::canonical_test
