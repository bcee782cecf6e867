// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <algorithm>

#include "trained.hpp"

namespace dk::test::fisher_test {
namespace {

/// Gives the normal vector in the input space, which is p+ - p- over t.
Eigen::VectorXd normal_of(const Model& model) {
    const Index cols = model.features;
    std::vector<double> points(2 * cols);
    model.predictor->prototype_coordinates(points.data());
    Eigen::VectorXd w(cols);
    for (Index j = 0; j < cols; ++j) {
        w(j) = (points[j] - points[cols + j]) / model.predictor->prototypes().scales[0];
    }
    return w;
}

struct Scatter {
    Eigen::VectorXd difference;  // the difference of the class means
    Eigen::VectorXd middle;      // the point halfway between them
    Eigen::MatrixXd within;
    Eigen::MatrixXd total;
};

Scatter scatter_of(const Dataset& data) {
    const Index n = data.rows();
    const Index d = data.cols();
    const Eigen::MatrixXd x =
        Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            data.dense().values.data(), n, d);
    Eigen::MatrixXd means = Eigen::MatrixXd::Zero(2, d);
    Eigen::Vector2d counts = Eigen::Vector2d::Zero();
    for (Index i = 0; i < n; ++i) {
        means.row(data.labels->of_rows[i]) += x.row(i);
        counts(data.labels->of_rows[i]) += 1;
    }
    means.row(0) /= counts(0);
    means.row(1) /= counts(1);
    Scatter scatter{(means.row(1) - means.row(0)).transpose(),
                    0.5 * (means.row(1) + means.row(0)).transpose(), Eigen::MatrixXd::Zero(d, d),
                    Eigen::MatrixXd::Zero(d, d)};
    const Eigen::RowVectorXd mean = x.colwise().mean();
    for (Index i = 0; i < n; ++i) {
        const Eigen::RowVectorXd inner = x.row(i) - means.row(data.labels->of_rows[i]);
        const Eigen::RowVectorXd outer = x.row(i) - mean;
        scatter.within += inner.transpose() * inner;
        scatter.total += outer.transpose() * outer;
    }
    return scatter;
}

/// The reference solves in the input space. In the dual, N = X_c S_w X_c' and m+ - m- = X_c (difference); (N
/// + r I) gamma = m+ - m- and w = X_c' gamma make (S_w + r S_t^-1) w = difference, with r = regularisation
/// tr(S_w S_t) / n.
TEST(Fisher, IsTheRegularisedDiscriminantOfTheInputSpace) {
    for (const double regularisation : {1e-6, 1e-3, 0.5}) {
        const Dataset data = blobs(70, 4, 2, 1.5, 1, true);
        const Model model = trained(
            "fisher", data, {{"kernel", "linear"}, {"regularisation", format_number(regularisation)}});
        const Scatter scatter = scatter_of(data);
        const double ridge = regularisation * (scatter.within * scatter.total).trace() / 70;
        const Eigen::VectorXd expected =
            (scatter.within + ridge * scatter.total.inverse()).ldlt().solve(scatter.difference);
        const Eigen::VectorXd found = normal_of(model);
        EXPECT_GT(found.dot(expected) / (found.norm() * expected.norm()), 1 - 1e-9);
        EXPECT_NEAR(found.norm() / expected.norm(), 1, 1e-7);
        // The boundary is halfway between the projected means.
        const Dataset middle = dense(1, 4, {scatter.middle.data(), scatter.middle.data() + 4});
        EXPECT_NEAR(decided(model, middle)[0], 0, 1e-9 * expected.norm());
    }
}

/// With hardly any regularisation the direction is that of the textbook, S_w^-1 (m+ - m-).
TEST(Fisher, TendsToTheTextbookDirection) {
    const Dataset data = blobs(70, 4, 2, 1.5, 2);
    const Scatter scatter = scatter_of(data);
    const Eigen::VectorXd expected = scatter.within.ldlt().solve(scatter.difference);
    const Eigen::VectorXd found =
        normal_of(trained("fisher", data, {{"kernel", "linear"}, {"regularisation", "1e-8"}}));
    EXPECT_GT(found.dot(expected) / (found.norm() * expected.norm()), 1 - 1e-9);
}

TEST(Fisher, ShiftingTheDataChangesNothing) {
    const Dataset data = blobs(60, 3, 2, 1.5, 3, true);
    auto moved_values = data.dense().values;
    for (double& v : moved_values) v += 50;
    Dataset moved = dense(60, 3, moved_values);
    moved.labels = data.labels;
    for (const char* kernel : {"linear", "rbf(gamma=0.3)"}) {
        const Model first = trained("fisher", data, {{"kernel", kernel}});
        const Model second = trained("fisher", moved, {{"kernel", kernel}});
        const auto a = coefficients(first);
        const auto b = coefficients(second);
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-8) << kernel;
        EXPECT_NEAR(first.predictor->prototypes().shifts[0], second.predictor->prototypes().shifts[0], 1e-7)
            << kernel;
        const auto left = decided(first, data);
        const auto right = decided(second, moved);
        const double scale =
            std::abs(*std::ranges::max_element(left, {}, [](double v) { return std::abs(v); }));
        for (std::size_t i = 0; i < left.size(); ++i) EXPECT_NEAR(left[i], right[i], 1e-7 * scale) << kernel;
    }
}

TEST(Fisher, CoefficientsSumToZero) {
    const Dataset data = blobs(50, 3, 2, 1, 4, true);
    for (const char* kernel : {"linear", "rbf", "arccos(1, 0)", "linear + 100"}) {
        const auto a = coefficients(trained("fisher", data, {{"kernel", kernel}}));
        double positive = 0;
        double negative = 0;
        for (std::size_t i = 0; i < 50; ++i) {
            positive += a[i];
            negative += a[50 + i];
        }
        EXPECT_NEAR(positive, 1, 1e-9) << kernel;
        EXPECT_NEAR(negative, 1, 1e-9) << kernel;
    }
}

TEST(Fisher, ProjectedClassMeansAreAtEqualDistances) {
    const Dataset data = blobs(55, 3, 2, 1, 5, true);
    for (const char* kernel : {"linear", "rbf(gamma=0.5)", "poly(degree=2)"}) {
        const auto values = decided(trained("fisher", data, {{"kernel", kernel}}), data);
        double sums[2] = {};
        double counts[2] = {};
        for (std::size_t i = 0; i < 55; ++i) {
            sums[data.labels->of_rows[i]] += values[i];
            counts[data.labels->of_rows[i]] += 1;
        }
        EXPECT_GT(sums[1], 0) << kernel;
        EXPECT_NEAR(sums[1] / counts[1], -sums[0] / counts[0], 1e-8 * std::abs(sums[1])) << kernel;
    }
}

TEST(Fisher, RowsThatCoincideWithinClassesSeparateByTheirMeans) {
    const Dataset data = with_labels(dense(4, 2, {1, 1, 1, 1, 3, 1, 3, 1}), {0, 0, 1, 1});
    const Model model = trained("fisher", data, {{"kernel", "linear"}});
    const Eigen::VectorXd w = normal_of(model);
    EXPECT_GT(w(0), 0);
    EXPECT_NEAR(w(1), 0, 1e-12);
    EXPECT_NEAR(decided(model, dense(1, 2, {2, 7}))[0], 0, 1e-12 * w(0));
}

/// The rows of each class coincide, but centring rounds them apart.
TEST(Fisher, RowsThatCoincideButForRounding) {
    const Dataset data =
        with_labels(dense(6, 2, {.1, .7, .1, .7, .1, .7, .3, .2, .3, .2, .3, .2}), {0, 0, 0, 1, 1, 1});
    const Model model = trained("fisher", data, {{"kernel", "linear"}});
    const Eigen::VectorXd w = normal_of(model);
    const Eigen::Vector2d expected(.2, -.5);
    EXPECT_GT(w.dot(expected) / (w.norm() * expected.norm()), 1 - 1e-9);
    for (const double a : coefficients(model))
        EXPECT_TRUE(std::abs(a) < 1e-6 || std::abs(a - 1.0 / 3) < 1e-6) << a;
}

TEST(Fisher, RefusesSampleWeights) {
    Dataset data = blobs(20, 2, 2, 1, 6);
    data.sample_weights.assign(20, 2.0);
    message_of(Status::unsupported, [&] { trained("fisher", data, {}); });
}

}  // namespace
}  // namespace dk::test::fisher_test
