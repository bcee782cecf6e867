// SPDX-License-Identifier: Apache-2.0
// Learning vector quantisation in feature space against values derived by hand, its gradient, and the same
// method in the coordinates of the rows.
#include <numeric>

#include "base/random.hpp"
#include "kernel/gram/training_gram.hpp"
#include "machine/lvq/kernel_vector_quantisation.hpp"
#include "machine/lvq/sparse_prototypes.hpp"
#include "prototype/kernel_k_means.hpp"
#include "solve/squares/orthogonal_pursuit.hpp"
#include "trained.hpp"

namespace dk::test::kernel_vector_quantisation_test {
namespace {

std::unique_ptr<TrainingGram> gram_of(const std::string& kernel, const Dataset& data) {
    return make_training_gram(make_kernel(kernel, data), data, Precision::real64, MemoryBudget(0));
}

/// Four points of two classes, whose prototypes are the means of the classes.
class FourPoints : public testing::Test {
  protected:
    FourPoints() {
        Matrix coefficients(2, 4);
        coefficients << 0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5;
        learning.initialise(coefficients, {0, 1});
    }

    double distance(Index row, Index k) const {
        const auto& now = learning.prototypes();
        return gram->diagonal()[row] - 2 * now.products(k, row) + now.squares[k];
    }

    Dataset data = dense(4, 2, {0, 0, 1, 0, 4, 0, 4, 2});
    std::vector<Index> class_of{0, 0, 1, 1};
    std::unique_ptr<TrainingGram> gram = gram_of("linear", data);
    BegunControl control;
    KernelVectorQuantisation learning{*gram, class_of, control};
};

TEST_F(FourPoints, DistancesAndCostAreThoseDerivedByHand) {
    const double expected[4][2] = {{.25, 17}, {.25, 10}, {12.25, 1}, {16.25, 1}};
    for (Index i = 0; i < 4; ++i) {
        for (Index k = 0; k < 2; ++k) EXPECT_NEAR(distance(i, k), expected[i][k], 1e-12);
    }
    EXPECT_NEAR(learning.cost(), 1.145286340626, 1e-12);
}

TEST_F(FourPoints, AnUpdateMovesBothPrototypesAsDerivedByHand) {
    learning.update(1, 0.5);
    const Matrix& G = learning.prototypes().coefficients;
    EXPECT_NEAR(G(0, 1), (1 - 0.038262860398) * 0.5 + 0.038262860398, 1e-12);
    EXPECT_NEAR(G(1, 1), -0.000956571510, 1e-12);
    const Matrix w = G * view(data.dense().values.data(), 4, 2);
    EXPECT_NEAR(w(0, 0), 0.519131430199, 1e-12);
    EXPECT_NEAR(w(0, 1), 0, 1e-15);
    EXPECT_NEAR(w(1, 0), 4.002869714530, 1e-12);
    EXPECT_NEAR(w(1, 1), 1.000956571510, 1e-12);
}

TEST_F(FourPoints, WhatIsKeptOfPrototypesFollowsTheirCoefficients) {
    for (const Index row : {1, 3, 0, 2, 1}) learning.update(row, 0.7);
    const auto& now = learning.prototypes();
    const ConstMatrixView X = view(std::as_const(data.dense().values).data(), 4, 2);
    const Matrix K = X * X.transpose();
    EXPECT_LT((now.products - now.coefficients * K).cwiseAbs().maxCoeff(), 1e-12);
    for (Index k = 0; k < 2; ++k) {
        EXPECT_NEAR(now.coefficients.row(k).sum(), 1, 1e-14);
        EXPECT_NEAR(now.squares[k], now.coefficients.row(k).dot(K * now.coefficients.row(k).transpose()),
                    1e-12);
    }
}

double sigmoid_cost(double own, double other) {
    return 1 / (1 + std::exp(-(own - other) / (own + other)));
}

/// With the nearest prototypes held, the cost of a row falls by (a+ / eta) d+ for each unit of the way of w+
/// towards the row, and rises by (a- / eta) d- on the way of w-.
TEST_F(FourPoints, StepsAreThoseOfTheGradient) {
    const Index row = 1;
    const double own = distance(row, 0);
    const double other = distance(row, 1);
    learning.update(row, 1e-3);
    const double own_share = (learning.prototypes().coefficients(0, row) - 0.5) / (1 - 0.5);
    const double other_share = -learning.prototypes().coefficients(1, row);
    const double h = 1e-6;
    const auto squared = [](double d, double share) { return d * (1 - share) * (1 - share); };
    const double along_own =
        (sigmoid_cost(squared(own, h), other) - sigmoid_cost(squared(own, -h), other)) / (2 * h);
    const double along_other =
        (sigmoid_cost(own, squared(other, h)) - sigmoid_cost(own, squared(other, -h))) / (2 * h);
    EXPECT_NEAR(along_own, -own_share / 1e-3 * own, 1e-8);
    EXPECT_NEAR(along_other, other_share / 1e-3 * other, 1e-8);
}

/// Generalised learning vector quantisation in coordinates, written for this test alone.
void update_coordinates(Matrix& w, const std::vector<Index>& classes, const Vector& x, Index c, double rate) {
    Index own = -1, other = -1;
    double own_distance = infinity, other_distance = infinity;
    for (Index k = 0; k < w.rows(); ++k) {
        const double d = (x.transpose() - w.row(k)).squaredNorm();
        if (classes[k] == c && d < own_distance) own_distance = d, own = k;
        if (classes[k] != c && d < other_distance) other_distance = d, other = k;
    }
    const double sum = own_distance + other_distance;
    const double s = sigmoid_cost(own_distance, other_distance);
    const double factor = rate * s * (1 - s) * 4 / (sum * sum);
    w.row(own) += std::min(0.5, factor * other_distance) * (x.transpose() - w.row(own));
    w.row(other) -= std::min(0.5, factor * own_distance) * (x.transpose() - w.row(other));
}

TEST(KernelVectorQuantisation, WithTheLinearKernelIsThatOfCoordinates) {
    const Index n = 60;
    const Dataset data = blobs(n, 3, 3, 2, 5);
    const ConstMatrixView X = view(std::as_const(data.dense().values).data(), n, 3);
    const auto gram = gram_of("linear", data);
    BegunControl control;
    KernelVectorQuantisation learning(*gram, data.labels->of_rows, control);
    learning.initialise(2, 3);
    Matrix w = learning.prototypes().coefficients * X;
    const std::vector<Index> classes = learning.prototypes().classes;
    ASSERT_EQ(classes.size(), 6U);
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), Index{0});
    Random random(3);
    for (int epoch = 0; epoch < 5; ++epoch) {
        random.shuffle(std::span(order));
        for (const Index i : order) {
            learning.update(i, 0.5);
            update_coordinates(w, classes, X.row(i), data.labels->of_rows[i], 0.5);
        }
    }
    EXPECT_LT((learning.prototypes().coefficients * X - w).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(KernelVectorQuantisation, KeepsTheEpochOfLeastCost) {
    const Dataset data = blobs(90, 2, 3, 1, 8);
    const auto gram = gram_of("rbf(gamma=0.5)", data);
    for (const double rate : {0.5, 20.0}) {
        BegunControl control;
        KernelVectorQuantisation learning(*gram, data.labels->of_rows, control);
        learning.initialise(3, 3);
        learning.learn({.prototypes = 3, .rate = rate});
        const auto& costs = learning.costs();
        EXPECT_DOUBLE_EQ(learning.cost(), *std::min_element(costs.begin(), costs.end()));
        if (rate < 1) {
            EXPECT_LT(learning.cost(), costs.front());
        }
    }
}

/// Five points on a line and a prototype between them.
class SparsePrototype : public testing::Test {
  protected:
    SparsePrototype() {
        const double x[5] = {0, 1, 2, 3, 5};
        for (Index i = 0; i < 5; ++i) {
            for (Index j = 0; j < 5; ++j) K(i, j) = std::exp(-(x[i] - x[j]) * (x[i] - x[j]) / 2);
        }
        prototype.coefficients = g.transpose();
        prototype.products = (K * g).transpose();
        prototype.squares = Vector::Constant(1, g.dot(K * g));
    }

    void expect(SparseForm form, Index limit, const Vector& expected, double error) {
        BegunControl control;
        const Matrix found = sparse_coefficients(K, prototype, form, limit, control);
        EXPECT_LT((found.row(0).transpose() - expected).cwiseAbs().maxCoeff(), 1e-11);
        const Vector difference = g - found.row(0).transpose();
        EXPECT_NEAR(difference.dot(K * difference), error, 1e-11);
    }

    Matrix K{5, 5};
    Vector g = (Vector(5) << .4, .35, .2, -.05, .1).finished();
    QuantisationPrototypes prototype;
};

TEST_F(SparsePrototype, FormsAreThoseDerivedByHand) {
    expect(SparseForm::nearest, 2, (Vector(5) << .5, .5, 0, 0, 0).finished(), .050482043516);
    expect(SparseForm::hull, 2, (Vector(5) << .533333333333, .466666666667, 0, 0, 0).finished(),
           .055915584331);
    expect(SparseForm::omp, 2, (Vector(5) << .413096827959, .586903172041, 0, 0, 0).finished(),
           .044538955659);
    expect(SparseForm::omp, 3, (Vector(5) << .432818459498, .367509519866, .199672020636, 0, 0).finished(),
           .013470637738);
    expect(SparseForm::omp, 5, g, 0);
}

TEST(SparsePrototypes, TheErrorOfPursuitFallsWithEveryPoint) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const Index n = 25;
        const Dataset data = dense(n, 3, normal_values(3 * n, seed));
        const auto gram = gram_of("rbf(gamma=0.3)", data);
        BegunControl control;
        const ConstMatrixView K = view(gram->whole(0, control), n, n);
        Vector g = as_vector(normal_values(n, seed + 100, 1, 2));
        g /= g.sum();
        const Vector products = K * g;
        double before = infinity;
        for (Index most = 1; most <= 12; ++most) {
            const SparseCode code = affine_pursuit(K, products, g.dot(products), most);
            ASSERT_LE(std::ssize(code.support), most);
            EXPECT_NEAR(std::accumulate(code.values.begin(), code.values.end(), 0.0), 1, 1e-9);
            const double error = approximation_error(K, g, code);
            EXPECT_LE(error, before * (1 + 1e-9));
            before = error;
        }
    }
}

TEST(OrthogonalPursuit, FindsTheLeastSquaresOfItsSupport) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const std::vector<double> values = normal_values(12 * 9, seed);
        const Matrix A = view(values.data(), 12, 9);
        const Vector y = as_vector(normal_values(12, seed + 1000));
        const Matrix H = A.transpose() * A;
        const SparseCode code = orthogonal_pursuit(H, A.transpose() * y, 4);
        ASSERT_EQ(code.support.size(), 4U);
        Vector x = Vector::Zero(9);
        for (std::size_t k = 0; k < 4; ++k) x[code.support[k]] = code.values[k];
        const Vector gradient = A.transpose() * (A * x - y);
        EXPECT_LT(gradient(code.support).cwiseAbs().maxCoeff(), 1e-10);
    }
}

TEST(KernelKMeans, NoRoundRaisesTheEnergy) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Index n = 40;
        const Dataset data = dense(n, 2, normal_values(2 * n, seed));
        const auto gram = gram_of("rbf(gamma=1)", data);
        BegunControl control;
        const ConstMatrixView K = view(gram->whole(0, control), n, n);
        double before = infinity;
        for (Index rounds = 1; rounds <= 8; ++rounds) {
            const auto clusters = kernel_k_means(K, 5, rounds, control);
            double energy = 0;
            Index rows = 0;
            for (const auto& own : clusters) {
                rows += std::ssize(own);
                const Matrix block = K(own, own);
                energy += block.trace() - block.sum() / static_cast<double>(own.size());
            }
            EXPECT_EQ(rows, n);
            EXPECT_LE(energy, before + 1e-12);
            before = energy;
        }
    }
}

TEST(KernelKMeans, HasOneClusterForRowsThatAreTheSame) {
    BegunControl control;
    const Matrix K = Matrix::Ones(6, 6);
    EXPECT_EQ(kernel_k_means(K, 3, 5, control).size(), 1U);
}

// With a linear kernel and the lengths that rows have, prototypes are points among them, and the decision of
// a prototype is minus the squared distance from it, whatever the unit of the columns.
TEST(PlainQuantisation, IsThatOfTheRowsThemselves) {
    const Dataset data = blobs(120, 2, 3, 3.0, 5);
    const auto learn = [&](const char* kernel) {
        return trained("kglvq", data,
                       {{"kernel", kernel}, {"normalize", "no"}, {"prototypes", "2"}, {"scale", "none"}});
    };
    const Model model = learn("linear");
    const auto found = coefficients(model);
    const Index count = model.predictor->prototypes().count();
    const Matrix points = view(found.data(), count, 120) * view(data.dense().values.data(), 120, 2);
    const auto decisions_of_rows = decided(model, data);
    const Index classes = 3;
    for (Index i = 0; i < 120; ++i) {
        Vector nearest = Vector::Constant(classes, -infinity);
        for (Index k = 0; k < count; ++k) {
            double& best = nearest[model.predictor->prototypes().classes[k]];
            const auto row = view(data.dense().values.data(), 120, 2).row(i);
            best = std::max(best, -(row - points.row(k)).squaredNorm());
        }
        for (Index c = 0; c < classes; ++c)
            EXPECT_NEAR(decisions_of_rows[i * classes + c], nearest[c], 1e-9) << i;
    }
    const auto in_other_units = decided(learn("10000*linear"), data);
    for (std::size_t i = 0; i < in_other_units.size(); ++i)
        EXPECT_NEAR(in_other_units[i], 10000 * decisions_of_rows[i],
                    1e-5 * std::abs(in_other_units[i]) + 1e-6);
}

}  // namespace
}  // namespace dk::test::kernel_vector_quantisation_test
