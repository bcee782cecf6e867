// SPDX-License-Identifier: Apache-2.0
// These tests compare gradients of kernels with central differences of their values.
#include "support.hpp"

namespace dk::test::gradient_test {
namespace {

const std::vector<std::string>& differentiable_kernels() {
    static const std::vector<std::string> all{
        "linear",
        "poly(degree=3, gamma=0.5, coef0=1)",
        "sigmoid(gamma=0.3, coef0=-0.2)",
        "rbf(gamma=0.2)",
        "cauchy(gamma=0.3)",
        "rational_quadratic(gamma=0.3, alpha=1.7)",
        "bessel(gamma=0.4)",
        "bessel(gamma=3, order=0)",
        "constant + bessel(gamma=9, order=4)",
        "matern(gamma=0.2, nu=1.5)",
        "matern(gamma=0.2, nu=2.5)",
        "on(1, 3, rbf(gamma=0.4))",
        "on(0:1, linear)*on(2:3, rbf(gamma=0.1))",
        "0.3*rbf(gamma=1) + 2*linear + 0.5",
        "exp(0.1*linear)",
        "(linear + 1)^3",
        "2.5*(linear + rbf(gamma=0.2))*(cauchy(gamma=0.2) + 1)",
    };
    return all;
}

/// Gives sum_j coefficients(i, j) k(x_i, z_j) for every row i.
std::vector<double> weighted_values(const std::string& text, const Dataset& left, const Dataset& right,
                                    const std::vector<double>& coefficients) {
    const auto values = gram_matrix(make_kernel(text, right), left, right);
    std::vector<double> sums(left.rows());
    for (Index i = 0; i < left.rows(); ++i) {
        for (Index j = 0; j < right.rows(); ++j) {
            const auto e = i * right.rows() + j;
            sums[i] += coefficients[e] * values[e];
        }
    }
    return sums;
}

std::vector<double> gradient(const std::string& text, const Dataset& left, const Dataset& right,
                             const std::vector<double>& coefficients, int threads = 1) {
    BegunControl control(threads);
    std::vector<double> out(left.rows() * left.cols());
    GramEngine<double>(make_kernel(text, right), left, right)
        .gradient(coefficients.data(), out.data(), control);
    return out;
}

void expect_central_differences(Index columns) {
    constexpr double step = 1e-5;
    const Dataset left = random_dense(7, columns, 41, 0.1, 0.8);
    const Dataset right = random_dense(150, columns, 42, 0, 0.8);  // These are more rows than one tile has.
    const auto coefficients = normal_values(7 * 150, 43);
    for (const auto& text : differentiable_kernels()) {
        const auto analytic = gradient(text, left, right, coefficients);
        for (Index column = 0; column < columns; column += std::max<Index>(1, columns / 4)) {
            const auto moved = [&](double by) {
                auto values = left.dense().values;
                for (Index i = 0; i < left.rows(); ++i) values[i * columns + column] += by;
                return weighted_values(text, dense(left.rows(), columns, values), right, coefficients);
            };
            const auto above = moved(step);
            const auto below = moved(-step);
            for (Index i = 0; i < left.rows(); ++i) {
                const double difference = (above[i] - below[i]) / (2 * step);
                EXPECT_NEAR(analytic[i * columns + column], difference,
                            2e-7 * (1 + std::abs(difference)) * static_cast<double>(columns))
                    << text << ", row " << i << ", column " << column;
            }
        }
    }
}

TEST(Gradient, OfFewColumnsIsTheDerivative) {
    expect_central_differences(4);
}

TEST(Gradient, OfManyColumnsIsTheDerivative) {
    expect_central_differences(40);
}

TEST(Gradient, AtARowItselfIsThatOfTheKernel) {
    const Dataset data = random_dense(3, 4, 44);
    // The distance is 0 there, and no direction is preferred.
    std::vector<double> identity(9);
    for (std::size_t i = 0; i < 3; ++i) identity[4 * i] = 1;
    for (const char* text : {"rbf(gamma=2)", "matern(gamma=2, nu=1.5)", "matern(gamma=2, nu=2.5)"}) {
        for (const double value : gradient(text, data, data, identity)) EXPECT_EQ(value, 0) << text;
    }
}

TEST(Gradient, HasTheSameBitsForAnyNumberOfThreads) {
    const Dataset left = random_dense(300, 5, 45);
    const Dataset right = random_dense(200, 5, 46);
    const auto coefficients = normal_values(300 * 200, 47);
    const auto one = gradient("rbf(gamma=0.3)*linear", left, right, coefficients, 1);
    EXPECT_EQ(gradient("rbf(gamma=0.3)*linear", left, right, coefficients, 3), one);
}

TEST(Gradient, IsRefusedWhereThereIsNone) {
    const Dataset data = random_dense(4, 3, 48);
    const std::vector<double> coefficients(16, 1.0);
    for (const char* text : {"laplacian", "exponential", "spline", "anova", "matern(nu=0.5)", "circular",
                             "rbf*laplacian", "normalize(linear)", "chi_square"}) {
        EXPECT_FALSE(make_kernel(text, data)->differentiable()) << text;
    }
    const auto message =
        message_of(Status::unsupported, [&] { gradient("laplacian(gamma=1)", data, data, coefficients); });
    EXPECT_NE(message.find("laplacian(gamma=1)"), std::string::npos) << message;
    message_of(Status::unsupported, [&] {
        const Dataset rows = to_sparse(data);
        gradient("rbf", rows, rows, coefficients);
    });
}

}  // namespace
}  // namespace dk::test::gradient_test
