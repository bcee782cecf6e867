// SPDX-License-Identifier: Apache-2.0
// Logistic regression by svm with loss=logistic, in all of its feature spaces.
#include <cmath>
#include <nlohmann/json.hpp>

#include "trained.hpp"

namespace dk::test::logistic_test {
namespace {

using Settings = std::vector<Setting>;

Model logistic(const Dataset& data, Settings settings) {
    settings.insert(settings.begin(), {{"loss", "logistic"}, {"tolerance", "1e-5"}});
    return trained("svm", data, settings);
}

double of_function(const Model& model, const char* key) {
    return nlohmann::json::parse(model.training_report).at("functions").at(0).at(key).get<double>();
}

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

/// Expects the conditions of the optimum: f = K v + b with v_i = C_i y_i / (1 + exp(y_i f_i)), whose sum is
/// 0.
void expect_optimal(const Dataset& data, const Settings& settings, const char* kernel, double cost) {
    const Model model = logistic(data, settings);
    const std::vector<double> f = decided(model, data);
    const auto K = gram_matrix(make_kernel(kernel, data), data, data);
    Vector v(data.rows());
    for (Index i = 0; i < data.rows(); ++i) {
        const double sign = data.labels->of_rows[i] == 1 ? 1 : -1;
        const double weight = data.sample_weights.empty() ? 1 : data.sample_weights[i];
        v[i] = cost * weight * sign * sigmoid(-sign * f[i]);
    }
    const double bound = 1e-4 * v.cwiseAbs().maxCoeff();
    EXPECT_NEAR(v.sum(), 0, 1e-4 * v.cwiseAbs().sum());
    const double b = of_function(model, "offset");
    for (Index i = 0; i < data.rows(); ++i) {
        double expected = b;
        for (Index j = 0; j < data.rows(); ++j) expected += K[i * data.rows() + j] * v[j];
        EXPECT_NEAR(f[i], expected, bound * std::sqrt(data.rows())) << "row " << i;
    }
    EXPECT_LE(of_function(model, "gap"), 1e-11 * std::abs(of_function(model, "objective")));
}

TEST(Logistic, FulfilsTheConditionsOfTheOptimum) {
    const Dataset data = blobs(120, 3, 2, 0.8, 61, true);
    for (const char* cost : {"0.1", "1", "30"})
        expect_optimal(data, {{"kernel", "rbf(gamma=0.4)"}, {"C", cost}}, "rbf(gamma=0.4)", std::stod(cost));
}

TEST(Logistic, RowsCountByTheirWeights) {
    Dataset data = blobs(90, 3, 2, 0.8, 62);
    for (Index i = 0; i < data.rows(); ++i) data.sample_weights.push_back(static_cast<double>(i % 3));
    expect_optimal(data, {{"kernel", "rbf(gamma=0.4)"}, {"C", "2"}}, "rbf(gamma=0.4)", 2);
}

TEST(Logistic, IsTheSameInFeaturesAndByTheMatrix) {
    // A sum with a kernel that has no features has none.
    const Dataset data = blobs(200, 3, 2, 0.8, 63, true);
    const auto decisions_of = [&](const char* kernel) {
        return decided(logistic(data, {{"kernel", kernel}, {"C", "3"}}), data);
    };
    const auto streamed = decisions_of("lowrank(rbf(gamma=0.4),rank=40)");
    const auto by_matrix = decisions_of("lowrank(rbf(gamma=0.4),rank=40) + 1e-12*rbf(gamma=0.4)");
    for (std::size_t i = 0; i < streamed.size(); ++i) EXPECT_NEAR(streamed[i], by_matrix[i], 1e-4);
}

TEST(Logistic, SparseRowsAreTheSameAsDenseOnes) {
    const Dataset rows = blobs(150, 6, 2, 0.8, 64, true);
    const Settings settings{{"kernel", "linear"}, {"C", "5"}, {"scale", "none"}};
    const auto dense_rows = decided(logistic(rows, settings), rows);
    Dataset sparse = to_sparse(rows);
    sparse.labels = rows.labels;
    const auto sparse_rows = decided(logistic(sparse, settings), sparse);
    for (std::size_t i = 0; i < dense_rows.size(); ++i) EXPECT_NEAR(sparse_rows[i], dense_rows[i], 1e-4);
}

TEST(Logistic, DecisionsAreLogOdds) {
    const Dataset data = blobs(150, 3, 2, 0.8, 65, true);
    const Model model = logistic(data, {{"kernel", "rbf(gamma=0.4)"}});
    BegunControl control;
    const auto f = decided(model, data);
    const auto p = probabilities(model, f, control);
    for (std::size_t i = 0; i < f.size(); ++i) {
        EXPECT_NEAR(p[2 * i + 1], sigmoid(f[i]), 1e-12);
        EXPECT_NEAR(p[2 * i] + p[2 * i + 1], 1, 1e-12);
    }
    // Over the training rows, probabilities are calibrated: their sum is the number of rows of the class.
    double sum = 0;
    for (std::size_t i = 0; i < f.size(); ++i) sum += p[2 * i + 1];
    EXPECT_NEAR(sum, std::ranges::count(data.labels->of_rows, 1), 1e-3);
}

TEST(Logistic, ClassesAreToldByPairsOrAgainstTheRest) {
    const Dataset data = blobs(240, 3, 3, 2, 66, true);
    BegunControl control;
    for (const char* way : {"ovo", "ovr"}) {
        const Model model = logistic(data, {{"kernel", "rbf(gamma=0.4)"}, {"multiclass", way}});
        const auto f = decided(model, data);
        const auto p = probabilities(model, f, control);
        const auto elected = elected_classes(model, f, control);
        Index right = 0;
        for (Index i = 0; i < data.rows(); ++i) {
            EXPECT_NEAR(p[3 * i] + p[3 * i + 1] + p[3 * i + 2], 1, 1e-9);
            right += elected[i] == data.labels->of_rows[i] ? 1 : 0;
        }
        EXPECT_GE(right, 210) << way;
    }
    const Model nearest = logistic(data, {{"kernel", "rbf(gamma=0.4)"}, {"multiclass", "nearest"}});
    message_of(Status::unsupported, [&] { probabilities(nearest, decided(nearest, data), control); });
}

// Rows of classes that lie apart have next to no curvature, so that steps are long.
TEST(Logistic, SeparableClassesConvergeAtALargeC) {
    const Dataset data = blobs(100, 2, 2, 8, 67);
    for (const char* kernel : {"rbf(gamma=0.1)", "linear", "lowrank(rbf(gamma=0.1),rank=20)"}) {
        const Model model = logistic(data, {{"kernel", kernel}, {"C", "1e6"}});
        EXPECT_LE(of_function(model, "gap"), 1e-6 * std::abs(of_function(model, "objective"))) << kernel;
    }
}

/// The cost of the rows by the decisions of a model, without the length of its function.
double row_costs(const Model& model, const Dataset& data) {
    const std::vector<double> f = decided(model, data);
    double sum = 0;
    for (Index i = 0; i < data.rows(); ++i) {
        const double m = data.labels->of_rows[i] == 1 ? f[i] : -f[i];
        sum += std::max(-m, 0.0) + std::log1p(std::exp(-std::abs(m)));
    }
    return sum;
}

// The function that is kept is the one that was judged, also where C or values are so large that next to
// nothing is left of a row's coefficient. More C never costs the rows more.
TEST(Logistic, LargeCostsAreNoWorse) {
    const Dataset data = blobs(300, 5, 2, 0.5, 71);
    for (const char* kernel : {"rbf(gamma=0.05)", "linear", "lowrank(rbf(gamma=0.05),rank=30)"}) {
        double last = infinity;
        for (const char* cost : {"1", "1e3", "1e6", "1e9"}) {
            const double now = row_costs(logistic(data, {{"kernel", kernel}, {"C", cost}}), data);
            EXPECT_LE(now, last * 1.001) << kernel << " C=" << cost;
            last = now;
        }
    }
}

TEST(Logistic, RowsMayLieFarFromTheOrigin) {
    Dataset data = blobs(300, 3, 2, 3, 72);
    const double near_origin = row_costs(logistic(data, {{"kernel", "linear"}}), data);
    const Index cols = data.cols();
    std::vector<std::int64_t> labels;
    std::vector<double> far;
    for (Index i = 0; i < 300; ++i) {
        for (Index j = 0; j < cols; ++j) far.push_back(data.dense().row(i)[j] + 1e5);
        labels.push_back(data.labels->of_rows[i]);
    }
    const Dataset moved = with_labels(dense(300, cols, far), labels);
    const Model model = logistic(moved, {{"kernel", "linear"}});
    EXPECT_NEAR(row_costs(model, moved), near_origin, 0.02 * near_origin);
}

TEST(Logistic, PairsLearnInAnyMemoryThatHoldsTheirMatrices) {
    const Dataset data = blobs(1200, 3, 3, 1, 73);
    for (const char* memory : {"150", "170", "200", "240"})
        EXPECT_LE(of_function(logistic(data, {{"kernel", "rbf"}, {"memory_mb", memory}}), "gap"), 1e-6);
}

TEST(Logistic, ThreadsDoNotMatter) {
    const Dataset data = blobs(600, 4, 2, 0.7, 68, true);
    for (const char* kernel : {"rbf(gamma=0.3)", "linear", "lowrank(rbf(gamma=0.3),rank=50)"}) {
        std::vector<std::vector<double>> found;
        for (const int threads : {1, 3}) {
            BegunControl control(threads);
            auto settings = default_specification("svm");
            set_parameter(settings, "loss", "logistic");
            set_parameter(settings, "kernel", kernel);
            found.push_back(decided(train(data, settings, control), data));
        }
        EXPECT_EQ(found[0], found[1]) << kernel;
    }
}

// So many rows begin with the function of every fourth.
TEST(Logistic, ManyRowsBeginWithFew) {
    const Dataset data = blobs(200000, 2, 2, 0.8, 69);
    const Model model = logistic(
        data,
        {{"kernel", "lowrank(rbf(gamma=0.3),rank=8,method=uniform)"}, {"neighbours", "0"}, {"C", "0.01"}});
    EXPECT_LE(of_function(model, "gap"), 1e-11 * std::abs(of_function(model, "objective")));
    EXPECT_LE(of_function(model, "iterations"), 5);
}

TEST(Logistic, AMatrixThatDoesNotFitIsRefused) {
    const Dataset data = blobs(3000, 3, 2, 0.8, 70);
    message_of(Status::memory_budget, [&] { logistic(data, {{"kernel", "rbf"}, {"memory_mb", "40"}}); });
}

}  // namespace
}  // namespace dk::test::logistic_test
