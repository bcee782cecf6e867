// SPDX-License-Identifier: Apache-2.0
// These tests look at support vector machines that keep few support vectors, or free vectors in their place.
#include <Eigen/Dense>
#include <nlohmann/json.hpp>
#include <numeric>

#include "prototype/reduced_set.hpp"
#include "prototype/support_selection.hpp"
#include "trained.hpp"

namespace dk::test::reduction_test {
namespace {

using Json = nlohmann::json;

Matrix kernel_matrix(const std::string& kernel, const Dataset& left, const Dataset& right) {
    BegunControl control;
    const auto values = gram_matrix(make_bank(kernel, left, &control).front(), left, right);
    return view(values.data(), left.rows(), right.rows());
}

Matrix kernel_matrix(const std::string& kernel, const Dataset& data) {
    return kernel_matrix(kernel, data, data);
}

Matrix inverse(const Matrix& K) {
    return Eigen::MatrixXd(K).fullPivLu().inverse();
}

Vector random_weights(Index count, std::uint64_t seed) {
    const auto values = normal_values(count, seed);
    return as_vector(values);
}

Dataset four_numbers() {
    return dense(4, 1, {0, 0.5, 1, 3});
}

TEST(SupportSelection, FourNumbers) {
    BegunControl control;
    const Matrix K = kernel_matrix("rbf(gamma=0.5)", four_numbers());
    const Vector alpha{{1, -0.5, 0.8, -1.2}};
    const Vector exact = exact_deletion_costs(inverse(K), alpha);
    const Vector bounds = deletion_cost_bounds(semidefinite_spectrum(K, control), alpha);
    const Vector exact_expected{{0.084671169948, 0.007271896726, 0.052081473997, 1.339133569307}};
    const Vector bounds_expected{{0.096277623564, 0.007303951184, 0.058815912984, 1.486579943754}};
    EXPECT_LE((exact - exact_expected).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LE((bounds - bounds_expected).cwiseAbs().maxCoeff(), 1e-11);
    const Vector weights{{0.727445692233, 0.521527022153, -1.181253442620}};
    for (const DeletionCost cost : {DeletionCost::bound, DeletionCost::exact}) {
        const SupportSelection found = select_support(K, alpha, 3, cost, control);
        EXPECT_EQ(found.rows, (std::vector<Index>{0, 2, 3}));
        EXPECT_LE((found.weights - weights).cwiseAbs().maxCoeff(), 1e-8);  // 1e-10 is added to the diagonal.
        EXPECT_NEAR(found.lost, 0.007271896726, 1e-9);
        EXPECT_NEAR(found.squared_norm, alpha.dot(K * alpha), 1e-14);
    }
}

/// The loss of a subset of rows with their best weights, by its definition.
double loss_of(const Matrix& K, const Vector& alpha, const std::vector<Index>& rows) {
    const Vector image = K * alpha;
    const Vector wanted = image(rows);
    const Eigen::MatrixXd own = K(rows, rows);
    const Vector beta = own.fullPivLu().solve(wanted);
    return alpha.dot(image) - beta.dot(wanted);
}

TEST(SupportSelection, ExactCostsAreTheLossAndBoundsAreAbove) {
    BegunControl control;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Index n = 12;
        const Matrix K = kernel_matrix("rbf(gamma=0.4)", random_dense(n, 3, seed));
        const Vector alpha = random_weights(n, seed + 100);
        const Vector exact = exact_deletion_costs(inverse(K), alpha);
        const Vector bounds = deletion_cost_bounds(semidefinite_spectrum(K, control), alpha);
        for (Index i = 0; i < n; ++i) {
            std::vector<Index> others;
            for (Index j = 0; j < n; ++j) {
                if (j != i) others.push_back(j);
            }
            EXPECT_NEAR(exact[i], loss_of(K, alpha, others), 1e-10);
            EXPECT_GE(bounds[i], exact[i] * (1 - 1e-9));
        }
    }
}

TEST(SupportSelection, LosesAsMuchAsTheRowsThatAreLeftAllow) {
    BegunControl control;
    for (const DeletionCost cost : {DeletionCost::bound, DeletionCost::exact}) {
        double before = 0;
        const Matrix K = kernel_matrix("rbf(gamma=0.3)", random_dense(25, 3, 7));
        const Vector alpha = random_weights(25, 8);
        for (Index count = 25; count >= 1; --count) {
            const SupportSelection found = select_support(K, alpha, count, cost, control);
            EXPECT_EQ(std::ssize(found.rows), count);
            EXPECT_NEAR(found.lost, loss_of(K, alpha, found.rows), 1e-7);
            EXPECT_GE(found.lost, before - 1e-9);
            before = found.lost;
        }
    }
}

TEST(SupportSelection, RowsThatDependOnOthersGoFirst) {
    BegunControl control;
    const Matrix K = kernel_matrix("rbf(gamma=0.5)", dense(5, 1, {0, 2, 0, 4, 2}));
    const Vector alpha{{0.3, 0.7, 0.5, -1, 0.4}};
    for (const DeletionCost cost : {DeletionCost::bound, DeletionCost::exact}) {
        const SupportSelection found = select_support(K, alpha, 3, cost, control);
        EXPECT_NEAR(found.lost, 0, 1e-8);
        EXPECT_EQ(std::ssize(found.rows), 3);
        EXPECT_NEAR(found.weights.sum(), 0.9, 1e-6);
    }
}

TEST(SupportSelection, IndefiniteMatricesAreRefusedByTheirEigenvalue) {
    BegunControl control;
    const Matrix K{{1, 2}, {2, 1}};
    const std::string message = message_of(Status::numerical, [&] {
        select_support(K, Vector{{1, 1}}, 1, DeletionCost::exact, control);
    });
    EXPECT_NE(message.find("eigenvalue -"), std::string::npos) << message;
}

ReducedSet reduced(const std::string& kernel, const Dataset& data, const Vector& alpha,
                   ReducedSetOptions options, int threads = 1) {
    BegunControl control(threads);
    return reduced_set(make_bank(kernel, data, &control).front(), data, alpha, options, control);
}

/// A sum of the same kernels is the same function, but is not known to be Gaussian: L-BFGS takes the place of
/// the fixed point.
TEST(ReducedSet, TwoNumbers) {
    for (const char* kernel : {"rbf(gamma=0.5)", "0.5*rbf(gamma=0.5) + 0.5*rbf(gamma=0.5)"}) {
        const bool fixed_point = kernel[0] == 'r';
        const ReducedSet found = reduced(kernel, dense(2, 1, {0, 1}), Vector{{1, 0.5}}, {.vectors = 1});
        ASSERT_EQ(found.points.rows(), 1);
        EXPECT_NEAR(found.points(0, 0), 0.287992326241, fixed_point ? 1e-9 : 1e-5);
        EXPECT_NEAR(found.weights[0], 1.347426935262, 1e-9);
        EXPECT_NEAR(found.squared_norm, 1.856530659713, 1e-11);
        EXPECT_NEAR(found.left.back(), 0.040971313844, 1e-9);
    }
}

TEST(ReducedSet, EqualSupportVectorsAreOne) {
    const ReducedSet found =
        reduced("rbf(gamma=0.5)", dense(2, 2, {1, -2, 1, -2}), Vector{{0.7, 0.3}}, {.vectors = 5});
    ASSERT_EQ(found.points.rows(), 1);
    EXPECT_NEAR(found.points(0, 0), 1, 1e-9);
    EXPECT_NEAR(found.points(0, 1), -2, 1e-9);
    EXPECT_NEAR(found.weights[0], 1, 1e-9);
    EXPECT_NEAR(found.left.back(), 0, 1e-9);
}

/// |w - w'|^2 by its definition.
double distance(const std::string& kernel, const Dataset& data, const Vector& alpha,
                const ReducedSet& found) {
    const Dataset z = dense(found.points.rows(), found.points.cols(),
                            {found.points.data(), found.points.data() + found.points.size()});
    return alpha.dot(kernel_matrix(kernel, data) * alpha) -
           2 * found.weights.dot(kernel_matrix(kernel, z, data) * alpha) +
           found.weights.dot(kernel_matrix(kernel, z) * found.weights);
}

TEST(ReducedSet, EachVectorLeavesLess) {
    for (const char* kernel : {"rbf(gamma=0.2)", "poly(degree=3, coef0=1, gamma=0.3)", "linear",
                               "rbf(gamma=0.1) + 0.1*poly(degree=2, coef0=1)", "matern(nu=2.5, gamma=0.5)",
                               "arccos(1)", "laplacian(gamma=0.2)"}) {
        const Dataset data = random_dense(40, 3, 5);
        const Vector alpha = random_weights(40, 6);
        const ReducedSet found = reduced(kernel, data, alpha, {.vectors = 6});
        double before = found.squared_norm;
        for (const double left : found.left) {
            EXPECT_LE(left, before * (1 + 1e-9)) << kernel;
            before = left;
        }
        EXPECT_LT(before, 0.9 * found.squared_norm) << kernel;
        EXPECT_NEAR(distance(kernel, data, alpha, found), before, 1e-6 * found.squared_norm) << kernel;
        if (kernel == std::string("linear")) {
            EXPECT_EQ(found.points.rows(), 1) << "one vector is enough for a linear function";
        }
    }
}

/// The row with the largest f(x) alone takes f(x)^2 from the squared length of a function of a Gaussian
/// kernel, so that the first vector takes as much at least, however rough the function is.
TEST(ReducedSet, RoughFunctionsHaveAVectorThatHelps) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Dataset data = random_dense(40, 3, seed);
        Vector alpha = random_weights(40, seed + 100);
        alpha.array() -= alpha.mean();  // as those of a support vector machine, whose sum is zero
        const double largest = (kernel_matrix("rbf(gamma=0.5)", data) * alpha).cwiseAbs().maxCoeff();
        const ReducedSet found = reduced("rbf(gamma=0.5)", data, alpha, {.vectors = 1});
        EXPECT_LE(found.left.front(), found.squared_norm - largest * largest + 1e-9) << seed;
    }
}

TEST(ReducedSet, MovingAllTogetherLeavesLess) {
    for (const char* kernel : {"rbf(gamma=0.2)", "poly(degree=3, coef0=1, gamma=0.3)", "arccos(1)"}) {
        const Dataset data = random_dense(40, 3, 5);
        const Vector alpha = random_weights(40, 6);
        const ReducedSet still = reduced(kernel, data, alpha, {.vectors = 4});
        const ReducedSet moved = reduced(kernel, data, alpha, {.vectors = 4, .polish = true});
        EXPECT_EQ(moved.left.size(), 5);
        EXPECT_LT(moved.left.back(), 0.99 * still.left.back()) << kernel;
        EXPECT_NEAR(distance(kernel, data, alpha, moved), moved.left.back(), 1e-6 * moved.squared_norm);
    }
}

TEST(ReducedSet, ThreadsDoNotMatter) {
    for (const char* kernel : {"rbf(gamma=0.2)", "poly(degree=2, coef0=1)"}) {
        const Dataset data = random_dense(300, 4, 15);
        const Vector alpha = random_weights(300, 16);
        const ReducedSet one = reduced(kernel, data, alpha, {.vectors = 3, .polish = true}, 1);
        const ReducedSet three = reduced(kernel, data, alpha, {.vectors = 3, .polish = true}, 3);
        EXPECT_EQ(one.points, three.points);
        EXPECT_EQ(one.weights, three.weights);
    }
}

TEST(ReducedSet, RowsThatAreNoVectorsAreRefused) {
    Dataset data = gram_data(4, {4, 1, 0, 0, 1, 4, 0, 0, 0, 0, 4, 1, 0, 0, 1, 4});
    data.labels = labels_from_integers(std::vector<std::int64_t>{0, 0, 1, 1});
    const std::string message = message_of(Status::unsupported, [&] {
        trained("reduced_svm", data, {{"kernel", "gram(0)"}});
    });
    EXPECT_NE(message.find("selected_svm"), std::string::npos);
    EXPECT_EQ(trained("selected_svm", data, {{"kernel", "gram(0)"}, {"prototypes", "2"}})
                  .predictor->support_count(),
              2);
}

Index agreeing(const std::vector<double>& a, const std::vector<double>& b, Index functions) {
    Index count = 0;
    for (std::size_t i = 0; i < a.size(); i += functions) {
        const auto winner = [&](const std::vector<double>& values) {
            const auto begin = values.begin() + i;
            return functions == 1 ? (*begin > 0 ? 1 : 0) : std::max_element(begin, begin + functions) - begin;
        };
        count += winner(a) == winner(b) ? 1 : 0;
    }
    return count;
}

TEST(ReducedMachines, DecideLikeTheSupportVectorMachine) {
    for (const Index classes : {2, 4}) {
        const Dataset data = blobs(200, 3, classes, 1.5, 3);
        const Dataset others = blobs(200, 3, classes, 1.5, 4);
        const std::vector<Setting> svm{{"C", "3"}, {"kernel", "rbf(gamma=0.2)"}, {"multiclass", "ovr"}};
        const auto expected = decided(trained("svm", data, svm), others);
        for (const char* machine : {"selected_svm", "reduced_svm"}) {
            const Model model =
                trained(machine, data, {{"C", "3"}, {"kernel", "rbf(gamma=0.2)"}, {"prototypes", "12"}});
            const Index functions = classes == 2 ? 1 : classes;
            EXPECT_LE(model.predictor->support_count(), 12 * functions);
            const auto found = decided(model, others);
            EXPECT_GE(agreeing(found, expected, functions), 180) << machine << " " << classes;
            const Json report = Json::parse(model.training_report);
            ASSERT_EQ(report["functions"].size(), functions);
            for (const Json& function : report["functions"]) {
                EXPECT_GT(function["support_vectors"], 12);
                EXPECT_LE(function["prototypes"], 12);
                EXPECT_GE(function["share_lost"], 0);
                EXPECT_LT(function["share_lost"], 0.5);
            }
            // Each function's mean over the training rows is that of the whole machine.
            const auto at_training = decided(model, data);
            const auto of_svm = decided(trained("svm", data, svm), data);
            for (Index c = 0; c < functions; ++c) {
                double sum = 0;
                for (Index i = 0; i < 200; ++i)
                    sum += at_training[i * functions + c] - of_svm[i * functions + c];
                EXPECT_NEAR(sum / 200, 0, 1e-10);
            }
        }
    }
}

TEST(ReducedMachines, KeepAllWhereThereAreNoMore) {
    const Dataset data = blobs(40, 2, 2, 2, 5);
    const std::vector<Setting> settings{{"C", "1"}, {"kernel", "rbf(gamma=0.3)"}};
    const auto expected = decided(trained("svm", data, settings), data);
    auto more = settings;
    more.emplace_back("prototypes", "40");
    const auto found = decided(trained("selected_svm", data, more), data);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

TEST(ReducedMachines, IndefiniteKernelsAreRefusedAndCorrectedOnesAreNot) {
    const Dataset data = blobs(60, 2, 2, 1, 5);
    const std::vector<Setting> settings{{"kernel", "sigmoid(gamma=2, coef0=-1)"}, {"prototypes", "5"}};
    for (const char* machine : {"selected_svm", "reduced_svm"}) {
        const std::string message = message_of(Status::numerical, [&] { trained(machine, data, settings); });
        EXPECT_NE(message.find("eigenvalue -"), std::string::npos) << message;
    }
    auto corrected = settings;
    corrected.emplace_back("spectrum", "clip");
    EXPECT_EQ(trained("selected_svm", data, corrected).predictor->support_count(), 5);
}

TEST(ReducedMachines, PassParametersOfTheSupportVectorMachine) {
    const Dataset data = blobs(60, 2, 2, 1, 5, true);
    const auto found = [&](const std::vector<Setting>& more) {
        std::vector<Setting> settings{{"kernel", "rbf(gamma=0.3)"}, {"prototypes", "5"}};
        settings.insert(settings.end(), more.begin(), more.end());
        return decided(trained("selected_svm", data, settings), data);
    };
    EXPECT_NE(found({}), found({{"C", "7"}}));
    EXPECT_NE(found({}), found({{"class_weight", "balanced"}}));
    EXPECT_NE(found({}), found({{"loss", "squared_hinge"}}));
}

}  // namespace
}  // namespace dk::test::reduction_test
