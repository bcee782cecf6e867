// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "kernel/engine/gram_engine.hpp"
#include "kernel/engine/symmetric_product.hpp"
#include "support.hpp"

namespace dk::test::rounding_bounds_test {
namespace {

std::string text_of(double number) {
    std::ostringstream out;
    out << number;
    return out.str();
}

/// Gives the largest error of a value in single precision, as a share of what the bounds allow.
double largest_share(const std::string& text, const Dataset& data) {
    BegunControl control;
    const auto kernel = make_kernel(text, data);
    const Index n = data.rows();
    std::vector<double> wide(n * n);
    std::vector<float> narrow(n * n);
    const GramEngine<float> engine(kernel, data, data);
    GramEngine<double>(kernel, data, data).matrices(wide.data(), control);
    engine.matrices(narrow.data(), control);
    const auto bounds = engine.rounding_bounds(Side::left);
    EXPECT_EQ(std::ssize(bounds), n) << text;
    if (bounds.empty()) return 0;
    double share = 0;
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j)
            share = std::max(share, std::abs(narrow[i * n + j] - wide[i * n + j]) / (bounds[i] + bounds[j]));
    }
    return share;
}

TEST(RoundingBounds, HoldForRadialKernels) {
    for (const Index depth : {1, 3, 20, 32, 33, 100, 700}) {
        for (const double deviation : {1e-3, 1.0, 50.0}) {
            for (const double mean : {0.0, 5.0}) {
                const Dataset data = random_dense(60, depth, depth, mean * deviation, deviation);
                for (const double width : {0.01, 1.0, 30.0}) {
                    const std::string gamma =
                        text_of(width / (static_cast<double>(depth) * deviation * deviation));
                    for (const std::string begin :
                         {"rbf(", "cauchy(", "rational_quadratic(", "matern(nu=1.5,", "matern(nu=2.5,"}) {
                        const std::string text = begin + "gamma=" + gamma + ")";
                        EXPECT_LE(largest_share(text, data), 1) << text << " " << depth << " " << deviation;
                    }
                }
            }
        }
    }
}

TEST(RoundingBounds, HoldForSparseRows) {
    for (const Index depth : {20, 400}) {
        auto values = normal_values(60 * depth, depth, 0, 3);
        for (std::size_t e = 0; e < values.size(); ++e) values[e] *= e % 7 == 0 ? 1 : 0;
        const Dataset data = to_sparse(dense(60, depth, values));
        for (const char* text : {"rbf(gamma=0.01)", "rbf(gamma=10)", "cauchy(gamma=0.1)"})
            EXPECT_LE(largest_share(text, data), 1) << text << " " << depth;
    }
}

TEST(RoundingBounds, AreUnknownOfNumbersThatSinglePrecisionCannotHold) {
    const Dataset data = random_dense(20, 4, 1, 0, 1e12);
    const Dataset tiny = random_dense(20, 4, 1, 0, 1e-20);
    const auto bounds = [](const char* text, const Dataset& rows) {
        return GramEngine<float>(make_kernel(text, rows), rows, rows).rounding_bounds(Side::left);
    };
    EXPECT_TRUE(bounds("matern(gamma=1e14)", data).empty());
    EXPECT_TRUE(bounds("rbf(gamma=1e38)", tiny).empty());
    EXPECT_TRUE(bounds("rbf(gamma=1e-40)", data).empty());
    EXPECT_TRUE(bounds("rational_quadratic(gamma=1,alpha=1e-30)", data).empty());
    EXPECT_TRUE(bounds("rational_quadratic(gamma=1e-20,alpha=1e30)", tiny).empty());
    EXPECT_FALSE(bounds("rational_quadratic(gamma=1e-20,alpha=2)", data).empty());
    EXPECT_FALSE(bounds("rbf(gamma=1e-24)", data).empty());
}

TEST(RoundingBounds, AreNotFarFromTheErrors) {
    // A bound that no error comes near would make every row decide.
    EXPECT_GE(largest_share("rbf(gamma=0.05)", random_dense(200, 10, 3)), 0.02);
}

TEST(RoundingBounds, AreUnknownElsewhere) {
    const Dataset data = random_dense(20, 4, 1);
    for (const std::string text :
         {"linear", "poly(degree=3)", "laplacian", "matern(nu=0.5)", "arccos", "rbf + linear"}) {
        const GramEngine<float> engine(make_kernel(text, data), data, data);
        EXPECT_TRUE(engine.rounding_bounds(Side::left).empty()) << text;
    }
}

TEST(SymmetricProduct, IsTheProduct) {
    for (const Index n : {1, 2, 47, 73, 144, 145, 400, 1151, 1152, 1300}) {
        const Dataset data = random_dense(n, 6, n);
        for (const std::string text : {"rbf(gamma=0.3)", "poly(degree=2)", "arccos"}) {
            const GramEngine<double> engine(make_kernel(text, data), data, data);
            const auto v = normal_values(n, 5);
            std::vector<double> expected(n);
            std::vector<double> one(n);
            std::vector<double> three(n);
            BegunControl control(1);
            BegunControl threads(3);
            engine.product(v.data(), 1, expected.data(), control);
            symmetric_product(engine, v, one, control);
            symmetric_product(engine, v, three, threads);
            EXPECT_EQ(one, three) << text << " " << n;
            double size = 0;
            for (const double value : expected) size = std::max(size, std::abs(value));
            for (Index i = 0; i < n; ++i)
                EXPECT_NEAR(one[i], expected[i], 1e-13 * n * size) << text << " " << i;
        }
    }
}

}  // namespace
}  // namespace dk::test::rounding_bounds_test
