// SPDX-License-Identifier: Apache-2.0
// Rules of what is nearest: training rows that vote, and the prototypes of classes against the rest.
#include <Eigen/Dense>
#include <map>

#include "model/neighbour_votes.hpp"
#include "trained.hpp"

namespace dk::test::nearest_rules_test {
namespace {

Dataset three_pairs() {
    return with_labels(dense(6, 2, {0, 0, 1, 0, 4, 0, 5, 1, 2, 4, 3, 5}), {1, 1, 2, 2, 3, 3});
}

std::vector<Index> elected(const Model& model, const Dataset& data) {
    BegunControl control;
    return elected_classes(model, decided(model, data), control);
}

Vector row_of(const Dataset& data, Index i) {
    const auto row = data.dense().row(i);
    return Eigen::Map<const Vector>(row.data(), std::ssize(row));
}

// The values are those of the golden example: scores 2 a_c' k - |p_c|^2 of (1.75, -0.5, 1.5), where the
// signed distances from the boundaries elect the third class.
TEST(NearestPrototypeRule, ElectsTheNearestMeanWhereBoundariesElectAnother) {
    const Dataset x = dense(1, 2, {2, 2});
    const Model nearest =
        trained("mean_of_class", three_pairs(), {{"kernel", "linear"}, {"multiclass", "nearest"}});
    const auto values = decided(nearest, x);
    const double square = 8;
    EXPECT_NEAR(values[0] + square, 1.75, 1e-12);
    EXPECT_NEAR(values[1] + square, -0.5, 1e-12);
    EXPECT_NEAR(values[2] + square, 1.5, 1e-12);
    EXPECT_EQ(elected(nearest, x).front(), 0);
    const Model rest = trained("mean_of_class", three_pairs(), {{"kernel", "linear"}, {"multiclass", "ovr"}});
    EXPECT_EQ(elected(rest, x).front(), 2);
    const auto f = decided(rest, x);
    const auto& norms = rest.predictor->prototypes().norms;
    EXPECT_NEAR(f[0] / norms[0], -0.480138300, 1e-9);
    EXPECT_NEAR(f[1] / norms[1], -1.178698292, 1e-9);
    EXPECT_NEAR(f[2] / norms[2], -0.375, 1e-9);
}

TEST(NearestPrototypeRule, OfTheMeanOfClassIsTheNearestCentroid) {
    const Dataset data = blobs(90, 3, 4, 1.5, 7, true);
    const Dataset others = blobs(60, 3, 4, 1.5, 8);
    const Model model = trained("mean_of_class", data, {{"kernel", "linear"}, {"multiclass", "nearest"}});
    Matrix means = Matrix::Zero(4, 3);
    Vector counts = Vector::Zero(4);
    for (Index i = 0; i < data.rows(); ++i) {
        means.row(data.labels->of_rows[i]) += row_of(data, i).transpose();
        counts[data.labels->of_rows[i]] += 1;
    }
    std::vector<double> coordinates(4 * 3);
    prototype_coordinates(model, coordinates);
    for (Index c = 0; c < 4; ++c) {
        for (Index k = 0; k < 3; ++k) EXPECT_NEAR(coordinates[c * 3 + k], means(c, k) / counts[c], 1e-12);
    }
    const auto found = elected(model, others);
    for (Index i = 0; i < others.rows(); ++i) {
        Vector distances(4);
        for (Index c = 0; c < 4; ++c)
            distances[c] = (row_of(others, i).transpose() - means.row(c) / counts[c]).norm();
        Index nearest = 0;
        distances.minCoeff(&nearest);
        EXPECT_EQ(found[i], nearest) << "row " << i;
    }
}

// In canonical scale |x - p-|^2 - |x - p+|^2 = 2 t f(x) - S.
TEST(NearestPrototypeRule, OfTwoClassesIsTheFunctionWithoutItsShift) {
    const Dataset data = blobs(80, 3, 2, 1.0, 9);
    const std::vector<Setting> settings{{"kernel", "rbf(gamma=0.3)"}, {"C", "2"}};
    auto by_prototypes = settings;
    by_prototypes.emplace_back("multiclass", "nearest");
    const Model function = trained("svm", data, settings);
    const Model nearest = trained("svm", data, by_prototypes);
    const auto& set = function.predictor->prototypes();
    const auto f = decided(function, data);
    const auto values = decided(nearest, data);
    for (Index i = 0; i < data.rows(); ++i)
        EXPECT_NEAR(values[2 * i + 1] - values[2 * i], 2 * set.scales[0] * f[i] - set.shifts[0], 1e-9);
    // Rows of the first class have the prototype p-.
    const auto both = coefficients(nearest);
    const auto canonical = coefficients(function);
    for (Index i = 0; i < data.rows(); ++i) {
        EXPECT_NEAR(both[i], canonical[data.rows() + i], 1e-12);
        EXPECT_NEAR(both[data.rows() + i], canonical[i], 1e-12);
    }
}

TEST(NearestPrototypeRule, OfManyClassesHasThePrototypesOfTheRest) {
    const Dataset data = blobs(90, 3, 3, 1.0, 11);
    const std::vector<Setting> settings{{"kernel", "rbf(gamma=0.3)"}, {"C", "2"}};
    auto by_prototypes = settings;
    by_prototypes.emplace_back("multiclass", "nearest");
    auto by_functions = settings;
    by_functions.emplace_back("multiclass", "ovr");
    const auto own = coefficients(trained("svm", data, by_prototypes));
    const auto canonical = coefficients(trained("svm", data, by_functions));
    for (Index c = 0; c < 3; ++c) {
        for (Index i = 0; i < data.rows(); ++i)
            EXPECT_NEAR(own[c * data.rows() + i], canonical[2 * c * data.rows() + i], 1e-12);
    }
}

TEST(Votes, CountAndTheNearerClassWinsTies) {
    std::vector<double> scores(3);
    count_votes(std::vector<Index>{2, 0, 0, 2}, scores);
    EXPECT_DOUBLE_EQ(scores[0], 0.5 + 0.125 / 2);
    EXPECT_DOUBLE_EQ(scores[1], 0);
    EXPECT_DOUBLE_EQ(scores[2], 0.5 + 0.125);
    // Votes count first, however near the others are.
    count_votes(std::vector<Index>{1, 2, 2}, scores);
    EXPECT_GT(scores[2], scores[1]);
}

/// Elects by counting, from distances that are sorted whole.
Index counted(const Matrix& squares, Index row, const Labels& labels, Index voters) {
    std::vector<std::pair<double, Index>> order;
    for (Index j = 0; j < squares.cols(); ++j) order.emplace_back(squares(row, j), j);
    std::ranges::sort(order);
    std::map<Index, Index> votes;
    for (Index k = 0; k < voters; ++k) ++votes[labels.of_rows[order[k].second]];
    Index most = 0;
    for (const auto& [c, count] : votes) most = std::max(most, count);
    for (const auto& [square, j] : order) {
        if (votes[labels.of_rows[j]] == most) return labels.of_rows[j];
    }
    return -1;
}

TEST(NearestNeighbours, AreThoseOfAllDistances) {
    const Dataset data = blobs(120, 4, 3, 0.8, 21);
    const Dataset others = blobs(70, 4, 3, 0.8, 22);
    Matrix squares(others.rows(), data.rows());
    for (Index i = 0; i < others.rows(); ++i) {
        for (Index j = 0; j < data.rows(); ++j)
            squares(i, j) = (row_of(others, i) - row_of(data, j)).squaredNorm();
    }
    for (const Index voters : {1, 2, 4, 5, 120}) {
        // Distances in the space of a Gaussian kernel have the order of those between rows.
        for (const char* kernel : {"linear", "rbf(gamma=0.1)"}) {
            const Model model =
                trained("nearest_neighbours", data, {{"kernel", kernel}, {"voters", std::to_string(voters)}});
            const auto found = elected(model, others);
            for (Index i = 0; i < others.rows(); ++i)
                EXPECT_EQ(found[i], counted(squares, i, *data.labels, voters)) << kernel << ", " << voters;
        }
    }
}

TEST(NearestNeighbours, OfOneVoterTellEveryTrainingRow) {
    const Dataset data = blobs(60, 3, 3, 0.1, 23);
    for (const char* precision : {"double", "single"}) {
        const Model model =
            trained("nearest_neighbours", data,
                    {{"kernel", "rbf(gamma=0.5)"}, {"voters", "1"}, {"precision", precision}});
        EXPECT_EQ(elected(model, data), data.labels->of_rows);
    }
}

TEST(NearestNeighbours, AreTheirOwnPrototypesWithCoordinates) {
    const Dataset data = blobs(20, 3, 2, 1, 24);
    const Model model = trained("nearest_neighbours", data, {{"kernel", "rbf"}, {"voters", "100"}});
    std::vector<double> coordinates(20 * 3);
    prototype_coordinates(model, coordinates);
    for (Index i = 0; i < 20; ++i) {
        for (Index c = 0; c < 3; ++c) EXPECT_NEAR(coordinates[i * 3 + c], data.dense().row(i)[c], 1e-12);
    }
    // More voters than rows are all rows, and classes have half of them each: the nearer row decides.
    const auto values = decided(model, data);
    for (Index i = 0; i < 20; ++i) {
        const Index own = data.labels->of_rows[i];
        EXPECT_NEAR(values[2 * i + own], 0.5 + 0.5 / 20, 1e-12);
        EXPECT_LT(values[2 * i + 1 - own], values[2 * i + own]);
    }
}

}  // namespace
}  // namespace dk::test::nearest_rules_test
