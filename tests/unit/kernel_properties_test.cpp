// SPDX-License-Identifier: Apache-2.0
// These tests check what kernels claim of themselves: that they are positive semidefinite, that their
// diagonal is constant or one, and that their text parses to the same kernel.
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "kernel/algebra/algebra.hpp"
#include "support.hpp"

namespace dk::test::kernel_properties_test {
namespace {

/// Gives every kernel of the language, alone and combined.
const std::vector<std::string>& kernels() {
    static const std::vector<std::string> all{
        "linear",
        "poly",
        "poly(degree=2, gamma=0.3, coef0=0)",
        "poly(degree=5, gamma=1/d, coef0=2.5)",
        "poly(degree=3, coef0=-1)",
        "rbf",
        "rbf(gamma=0.1)",
        "rbf(gamma=30)",
        "laplacian",
        "laplacian(gamma=2)",
        "anova",
        "anova(gamma=3, degree=2)",
        "on(1:2, anova(gamma=0.5, degree=4))",
        "cauchy",
        "cauchy(gamma=3)",
        "rational_quadratic",
        "rational_quadratic(gamma=0.5, alpha=0.25)",
        "matern",
        "exponential",
        "exponential(gamma=0.3)",
        "bessel(gamma=2)",
        "on(0:1, bessel(order=0))",
        "bessel(gamma=median, order=12)",
        "spline",
        "on(1:3, spline)",
        "normalize(spline)",
        "constant",
        "rbf + constant(value=0.5)",
        "normalize(constant)",
        "exp(constant(value=0.5))",
        "2*constant*rbf",
        "matern(gamma=0.2, nu=0.5)",
        "matern(gamma=median, nu=2.5)",
        "circular",
        "spherical(gamma=mean)",
        "on(1:2, circular(gamma=0.1))",
        "on(0:1, circular)",
        "on(0, spherical(gamma=0.01))",
        "on(1:3, spherical)",
        "cosine",
        "on(0:1, cosine)",
        "rbf(gamma=median)",
        "rbf(gamma=0.5*mean)",
        "laplacian(gamma=2*median)",
        "(linear + 1)^3",
        "2*(rbf)^2 + (cosine)^4",
        "(poly)^2*laplacian",
        "sigmoid",
        "sigmoid(gamma=0.7, coef0=-0.3)",
        "arccos",
        "arccos(0)",
        "arccos(2)",
        "arccos(3)",
        "arccos(0, 1, 2, 3)",
        "arccos(1, 2)",
        "arccos(1, 0, bias_variance=0.3)",
        "normalize(arccos(2, 1, weight_variance=0.5, bias_variance=2))",
        "neural_tangent",
        "neural_tangent(depth=3, weight_variance=2, bias_variance=0.2)",
        "normalize(arccos(3, 2))",
        "normalize(linear)",
        "normalize(poly)",
        "normalize(rbf)",
        "normalize(3*linear*rbf)",
        "normalize(normalize(linear))",
        "exp(rbf)",
        "exp(0.1*linear)",
        "exp(normalize(linear))",
        "linear + rbf",
        "0.3*rbf(gamma=1) + 0.7*linear + 2",
        "linear*rbf",
        "linear*linear*arccos(0)",
        "2.5*(linear + rbf)*(laplacian + 1)",
        "0.1*(0.3*linear)",
        "(linear + 2) + rbf",
        "2*linear*(3*rbf)",
        "-1*linear",
        "linear + -0.25",
        "rbf + -0.125*linear",
        "4",
        "on(0:1, rbf)",
        "on(1, 3, linear) + on(0, rbf(gamma=2))",
        "on(0:2, normalize(arccos(1)))",
        "on(0, 2:3, 0.5*linear + exp(rbf))",
        "on(0:1, linear)*on(2:3, linear)",
    };
    return all;
}

/// Makes columns of different scales and offsets, with repeated and zero rows.
Dataset uneven_rows() {
    auto values = normal_values(60 * 4, 11);
    for (std::size_t e = 0; e < values.size(); ++e) {
        const auto column = static_cast<double>(e % 4);
        values[e] = values[e] * (0.5 + column) + column;
    }
    std::copy_n(values.begin(), 8, values.begin() + 40);
    std::fill_n(values.begin() + 80, 4, 0.0);
    return dense(60, 4, values);
}

TEST(KernelProperties, ClaimedPositiveSemidefiniteKernelsAre) {
    for (const Dataset& data : {random_dense(80, 4, 12), uneven_rows()}) {
        const Index n = data.rows();
        int claimed = 0;
        for (const auto& text : kernels()) {
            const auto kernel = make_kernel(text, data);
            if (!kernel->positive_semidefinite()) continue;
            ++claimed;
            const auto values = gram_matrix(kernel, data, data);
            const Eigen::Map<const Eigen::MatrixXd> matrix(values.data(), n, n);
            const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
            EXPECT_GE(solver.eigenvalues().minCoeff(), -1e-10 * solver.eigenvalues().maxCoeff()) << text;
        }
        EXPECT_GE(claimed, 55);
    }
}

TEST(KernelProperties, KernelsThatMayBeIndefiniteSayNo) {
    const Dataset data = random_dense(10, 4, 13);
    for (const char* text :
         {"sigmoid", "poly(coef0=-1)", "-1*linear", "linear + -2", "-2", "rbf + -0.1*linear",
          "normalize(sigmoid)", "exp(sigmoid)", "linear*sigmoid", "circular", "on(0:2, circular)",
          "spherical", "bessel(order=0)", "on(0:2, bessel(order=0))", "center(sigmoid)", "(sigmoid)^3"}) {
        EXPECT_FALSE(make_kernel(text, data)->positive_semidefinite()) << text;
    }
    for (const char* text : {"linear",
                             "poly",
                             "rbf",
                             "laplacian",
                             "anova(degree=3)",
                             "arccos(2)",
                             "linear + 2",
                             "0.5*linear*rbf",
                             "exp(linear)",
                             "normalize(poly)",
                             "3",
                             "cauchy",
                             "matern",
                             "rational_quadratic",
                             "chi_square",
                             "additive_chi_square",
                             "intersection",
                             "cosine",
                             "on(0:1, circular)",
                             "on(1:3, spherical)",
                             "bessel",
                             "on(0:1, bessel(order=0))",
                             "exponential",
                             "spline",
                             "constant",
                             "(poly)^2",
                             "center(rbf)",
                             "lowrank(sigmoid)"}) {
        EXPECT_TRUE(make_kernel(text, data)->positive_semidefinite()) << text;
    }
}

/// The circular kernel is the overlap of two discs. Some print it with acos(-u), which grows with the
/// distance; the points of a plane tell the two apart.
TEST(KernelProperties, CircularAndSphericalAreSemidefiniteInTheirDimensions) {
    for (const auto& [text, columns] : {std::pair<std::string, Index>{"circular", 2}, {"spherical", 3}}) {
        const Dataset data = random_dense(200, columns, 30);
        for (const char* gamma : {"(gamma=0.05)", "(gamma=1)", "(gamma=auto)"}) {
            const auto kernel = make_kernel(text + gamma, data);
            EXPECT_TRUE(kernel->positive_semidefinite());
            const auto values = gram_matrix(kernel, data, data);
            const Eigen::Map<const Eigen::MatrixXd> matrix(values.data(), 200, 200);
            const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
            EXPECT_GE(solver.eigenvalues().minCoeff(), -1e-10 * solver.eigenvalues().maxCoeff())
                << text << gamma;
        }
    }
}

TEST(KernelProperties, ClaimedDiagonalsAre) {
    for (const Dataset& data : {random_dense(30, 4, 14, 1, 3), uneven_rows()}) {
        for (const auto& text : kernels()) {
            const auto kernel = make_kernel(text, data);
            const auto self = GramEngine<double>(kernel, data, data).self(Side::left);
            const auto [lowest, highest] = std::ranges::minmax(self);
            if (kernel->constant_diagonal()) {
                EXPECT_LE(highest - lowest, 1e-14 * std::abs(highest)) << text;
            }
            if (!kernel->unit_diagonal()) continue;
            EXPECT_NEAR(lowest, 1, 1e-15) << text;
            EXPECT_NEAR(highest, 1, 1e-15) << text;
        }
    }
}

/// Training and predicting see the same function, so it cannot depend on whether both sides are one object.
TEST(KernelProperties, AnEqualCopyOfTheRowsHasTheSameValues) {
    const Dataset data = uneven_rows();
    const Dataset copy = data;
    for (const auto& text : kernels()) {
        const auto kernel = make_kernel(text, data);
        const auto symmetric = gram_matrix(kernel, data, data);
        const auto general = gram_matrix(kernel, data, copy);
        double worst = 0;
        for (std::size_t e = 0; e < symmetric.size(); ++e) {
            worst =
                std::max(worst, std::abs(symmetric[e] - general[e]) / std::max(1.0, std::abs(symmetric[e])));
        }
        EXPECT_LE(worst, 1e-12) << text;
    }
}

TEST(KernelProperties, DiagonalsThatDependOnTheRowAreNotClaimed) {
    const Dataset data = random_dense(30, 4, 15);
    for (const auto& text : kernels()) {
        const auto kernel = make_kernel(text, data);
        const auto self = GramEngine<double>(kernel, data, data).self(Side::left);
        const auto [lowest, highest] = std::ranges::minmax(self);
        const bool varies = highest - lowest > 1e-10;
        const bool unit = std::max(std::abs(highest - 1), std::abs(lowest - 1)) <= 1e-10;
        EXPECT_FALSE(varies && kernel->constant_diagonal()) << text;
        EXPECT_FALSE(!unit && kernel->unit_diagonal()) << text;
    }
}

TEST(KernelProperties, LinearKernelsAreThoseOfTheInputSpace) {
    const Dataset data = random_dense(5, 4, 16);
    for (const char* text : {"linear", "2*linear", "linear + 3", "0.5*linear + linear"}) {
        EXPECT_TRUE(make_kernel(text, data)->linear()) << text;
    }
    for (const char* text : {"rbf", "on(0:1, linear)", "linear*linear", "normalize(linear)", "poly(degree=1)",
                             "2", "-1*linear", "linear + rbf", "exp(linear)"}) {
        EXPECT_FALSE(make_kernel(text, data)->linear()) << text;
    }
}

TEST(KernelProperties, TextIsTheKernelAgain) {
    const Dataset left = random_dense(20, 4, 17, 0.5);
    const Dataset right = random_dense(15, 4, 18, 0.5);
    for (const auto& text : kernels()) {
        const auto kernel = make_kernel(text, left);
        // On these other data auto would be another number.
        const auto again = make_kernel(kernel->text(), right);
        const auto first = gram_matrix(kernel, left, right);
        const auto second = gram_matrix(again, left, right);
        for (std::size_t e = 0; e < first.size(); ++e) {
            ASSERT_NEAR(first[e], second[e], 1e-14 * std::max(1.0, std::abs(first[e])))
                << text << " | " << kernel->text();
        }
        EXPECT_EQ(again->positive_semidefinite(), kernel->positive_semidefinite()) << text;
        EXPECT_EQ(again->constant_diagonal(), kernel->constant_diagonal()) << text;
        EXPECT_EQ(again->unit_diagonal(), kernel->unit_diagonal()) << text;
        EXPECT_EQ(again->linear(), kernel->linear()) << text;
        // A text that was read and printed once is printed unchanged from then on.
        const auto third = make_kernel(again->text(), right);
        EXPECT_EQ(third->text(), again->text());
        EXPECT_EQ(gram_matrix(third, left, right), second) << again->text();
    }
}

TEST(KernelProperties, TextHasAllDigitsOfItsNumbers) {
    const Dataset data = random_dense(9, 3, 19);
    const auto kernel = make_kernel("0.1*rbf(gamma=0.30000000000000004) + 1e-300*linear", data);
    EXPECT_EQ(kernel->text(), "0.1*rbf(gamma=0.30000000000000004) + 1e-300*linear");
    EXPECT_EQ(make_kernel("rbf(gamma=1/d)", data)->text(), text("rbf(gamma=", 1.0 / 3, ")"));
    EXPECT_EQ(make_kernel("on(2, 0, 1, arccos(1))", data)->text(), "on(0:2, arccos(1))");
}

TEST(KernelProperties, NormalisedKernelsAreLeftAlone) {
    const Dataset data = random_dense(9, 3, 20);
    for (const char* text : {"rbf", "laplacian", "normalize(linear)", "normalize(arccos(1))"}) {
        const auto kernel = make_kernel(text, data);
        EXPECT_EQ(normalised(kernel), kernel) << text;
    }
}

TEST(KernelProperties, CombinationLeavesOutWeightZero) {
    const Dataset data = random_dense(9, 3, 21);
    const Bank bank = make_bank("[linear, rbf(gamma=1), arccos(1)]", data);
    EXPECT_EQ(combine(bank, {0.5, 0, 2})->text(), "0.5*linear + 2*arccos(1)");
    EXPECT_EQ(combine(bank, {0, 1, 0}), bank[1]);
}

}  // namespace
}  // namespace dk::test::kernel_properties_test
