// SPDX-License-Identifier: Apache-2.0
// These tests check what dk.h promises of kernel matrices: values, exact symmetry, order of a bank, single
// precision and products.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::kernel_behaviour_test {
namespace {

class KernelBehaviour : public testing::Test {
  protected:
    const Problem left_problem = make_problem(17, 4, 2, 1.0, 21);
    const Problem right_problem = make_problem(11, 4, 2, 1.0, 22);
    const Data left = dense(left_problem);
    const Data right = dense(right_problem);
    const std::vector<std::string> kernels{"linear",
                                           "poly(degree=3,gamma=0.5,coef0=1)",
                                           "rbf(gamma=0.3)",
                                           "laplacian(gamma=0.2)",
                                           "sigmoid(gamma=0.1,coef0=0.5)",
                                           "arccos(0)",
                                           "arccos(1,2)",
                                           "arccos(3)",
                                           "arccos(1,2,bias_variance=0.5)",
                                           "neural_tangent(depth=2,bias_variance=0.1)",
                                           "0.5*rbf(gamma=1) + 2*linear",
                                           "rbf(gamma=0.1)*linear",
                                           "linear + 2",
                                           "exp(0.1*linear)",
                                           "normalize(poly(degree=2,coef0=1))",
                                           "on(1:2, rbf(gamma=1))"};

    std::vector<double> matrix(const std::string& kernel) const {
        return values_of<double>(17 * 11, dk_gram, left.get(), right.get(), kernel.c_str(), nullptr);
    }
};

TEST_F(KernelBehaviour, ValuesFollowTheirFormulas) {
    const auto linear = matrix("linear");
    const auto rbf = matrix("rbf(gamma=0.3)");
    const auto poly = matrix("poly(degree=3,gamma=0.5,coef0=1)");
    const auto mixed = matrix("0.5*rbf(gamma=0.3) + 2*linear");
    const auto product = matrix("rbf(gamma=0.3)*linear");
    const auto exponential = matrix("exp(0.1*linear)");
    const auto shifted = matrix("linear + 2");
    for (std::size_t i = 0; i < 17; ++i) {
        for (std::size_t j = 0; j < 11; ++j) {
            double inner = 0.0;
            double squared = 0.0;
            for (std::size_t col = 0; col < 4; ++col) {
                const double a = left_problem.x[4 * i + col];
                const double b = right_problem.x[4 * j + col];
                inner += a * b;
                squared += (a - b) * (a - b);
            }
            const std::size_t at = 11 * i + j;
            EXPECT_NEAR(linear[at], inner, 1e-12);
            EXPECT_NEAR(rbf[at], std::exp(-0.3 * squared), 1e-12);
            EXPECT_NEAR(poly[at], std::pow(0.5 * inner + 1.0, 3), 1e-10);
            EXPECT_NEAR(mixed[at], 0.5 * std::exp(-0.3 * squared) + 2.0 * inner, 1e-12);
            EXPECT_NEAR(product[at], std::exp(-0.3 * squared) * inner, 1e-12);
            EXPECT_NEAR(exponential[at], std::exp(0.1 * inner), 1e-11);
            EXPECT_NEAR(shifted[at], inner + 2.0, 1e-12);
        }
    }
}

TEST_F(KernelBehaviour, MatrixOfItselfIsExactlySymmetric) {
    for (const std::string& kernel : kernels) {
        const auto k = values_of<double>(17 * 17, dk_gram, left.get(), nullptr, kernel.c_str(), nullptr);
        for (std::size_t i = 0; i < 17; ++i) {
            for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(k[17 * i + j], k[17 * j + i]) << kernel;
        }
        const auto both =
            values_of<double>(17 * 17, dk_gram, left.get(), left.get(), kernel.c_str(), nullptr);
        EXPECT_TRUE(nearly_equal(k, both, 1e-13)) << kernel;
    }
}

TEST_F(KernelBehaviour, EveryKernelIsOneEveryBankItsLength) {
    const auto count = [&](const std::string& kernel) {
        int64_t kernels_made = -1;
        check(dk_kernel_count(&kernels_made, left.get(), kernel.c_str()));
        return kernels_made;
    };
    for (const std::string& kernel : kernels) EXPECT_EQ(count(kernel), 1) << kernel;
    EXPECT_EQ(count("[linear]"), 1);
    EXPECT_EQ(count("[linear, rbf(gamma=1), arccos(1,0)]"), 3);
    EXPECT_EQ(count("grid(rbf, gamma=0.002:1/d:5/d)"), 3);
    EXPECT_EQ(count("each_feature(rbf(gamma=auto))"), 4);
    EXPECT_EQ(count("[linear, grid(rbf, gamma=1:2), each_feature(linear)]"), 7);
}

TEST_F(KernelBehaviour, BankIsItsMatricesOneAfterTheOther) {
    const std::string bank = "[linear, rbf(gamma=0.3), arccos(1,2)]";
    const auto all = values_of<double>(3 * 17 * 11, dk_gram, left.get(), right.get(), bank.c_str(), nullptr);
    std::vector<double> expected;
    for (const char* kernel : {"linear", "rbf(gamma=0.3)", "arccos(1,2)"}) {
        const auto one = matrix(kernel);
        expected.insert(expected.end(), one.begin(), one.end());
    }
    EXPECT_TRUE(same_bits(all, expected));
}

TEST_F(KernelBehaviour, FeaturesOfTheirOwnAndNumberOfColumns) {
    const auto each =
        values_of<double>(4 * 17 * 11, dk_gram, left.get(), right.get(), "each_feature(linear)", nullptr);
    for (std::size_t i = 0; i < 17; ++i) {
        const double product = left_problem.x[4 * i + 2] * right_problem.x[4 * 5 + 2];
        EXPECT_DOUBLE_EQ(each[2 * 17 * 11 + 11 * i + 5], product);
    }
    EXPECT_TRUE(nearly_equal(matrix("rbf(gamma=1/d)"), matrix("rbf(gamma=0.25)"), 1e-15));
}

TEST_F(KernelBehaviour, AutomaticParametersAreResolvedOnTheRight) {
    const auto right_only =
        values_of<double>(11 * 11, dk_gram, right.get(), nullptr, "rbf(gamma=auto)", nullptr);
    // This finds gamma by the first row of one side and the second row of the other: -log k / |a - b|^2.
    const auto gamma = [](const std::vector<double>& k, const Problem& a, const Problem& b) {
        double squared = 0.0;
        for (std::size_t col = 0; col < 4; ++col) squared += std::pow(a.x[col] - b.x[4 + col], 2);
        return -std::log(k[1]) / squared;
    };
    EXPECT_NEAR(gamma(matrix("rbf(gamma=auto)"), left_problem, right_problem),
                gamma(right_only, right_problem, right_problem), 1e-9);
}

TEST_F(KernelBehaviour, SinglePrecisionIsNear) {
    for (const std::string& kernel : kernels) {
        const auto single =
            values_of<float>(17 * 11, dk_gram_f32, left.get(), right.get(), kernel.c_str(), nullptr);
        const std::vector<double> widened(single.begin(), single.end());
        EXPECT_TRUE(nearly_equal(widened, matrix(kernel), 1e-4)) << kernel;
    }
}

TEST_F(KernelBehaviour, ProductNeedsNoMatrix) {
    Random random(5);
    std::vector<double> v(11 * 3);
    for (double& value : v) value = random.normal();
    for (const std::string& kernel : kernels) {
        const auto k = matrix(kernel);
        const auto product = values_of<double>(17 * 3, dk_gram_product, left.get(), right.get(),
                                               kernel.c_str(), v.data(), int64_t{3}, nullptr);
        std::vector<double> expected(17 * 3);
        for (std::size_t i = 0; i < 17; ++i) {
            for (std::size_t j = 0; j < 11; ++j) {
                for (std::size_t col = 0; col < 3; ++col)
                    expected[3 * i + col] += k[11 * i + j] * v[3 * j + col];
            }
        }
        EXPECT_TRUE(nearly_equal(product, expected, 1e-12)) << kernel;
    }
}

TEST_F(KernelBehaviour, SizesAroundATileAgreeWithTheirParts) {
    // The sizes are on both sides of the powers of two that tiles and vectors are made of.
    const Problem big = make_problem(300, 5, 2, 1.0, 23);
    const Data all = dense(big);
    const auto whole = values_of<double>(300 * 300, dk_gram, all.get(), nullptr, "rbf(gamma=0.2)", nullptr);
    for (const int64_t size : {1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 255, 256, 257}) {
        const Data part =
            create<Data>(dk_data_from_dense, big.x.data(), size, int64_t{5}, int64_t{5}, DK_ROW_MAJOR);
        const auto k =
            values_of<double>(size * size, dk_gram, part.get(), nullptr, "rbf(gamma=0.2)", nullptr);
        for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
            for (std::size_t j = 0; j < static_cast<std::size_t>(size); ++j) {
                ASSERT_NEAR(k[i * static_cast<std::size_t>(size) + j], whole[i * 300 + j], 1e-13) << size;
            }
        }
    }
}

TEST_F(KernelBehaviour, NoSilentOverflow) {
    std::vector<double> out(17 * 11);
    for (const char* kernel :
         {"exp(exp(exp(linear)))", "poly(degree=100,gamma=1e100)", "1e308*linear + 1e308*linear"}) {
        const dk_status status = dk_gram(out.data(), 17 * 11, left.get(), right.get(), kernel, nullptr);
        if (status == DK_OK) {
            for (const double value : out) EXPECT_FALSE(std::isnan(value)) << kernel;
        } else {
            EXPECT_TRUE(status == DK_ERR_NUMERICAL || status == DK_ERR_INVALID_KERNEL)
                << dk_status_name(status);
        }
    }
}

}  // namespace
}  // namespace dk_test::kernel_behaviour_test
