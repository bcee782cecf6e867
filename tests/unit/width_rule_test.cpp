// SPDX-License-Identifier: Apache-2.0
// These tests check the rules that find a kernel's width on the data: auto, median, mean, and their
// multiples.
#include <algorithm>

#include "kernel/language/data_facts.hpp"
#include "support.hpp"

namespace dk::test::width_rule_test {
namespace {

using Term = std::function<long double(long double x, long double z)>;

const Term squared = [](long double x, long double z) { return (x - z) * (x - z); };
const Term absolute = [](long double x, long double z) { return std::abs(x - z); };
const Term chi_square = [](long double x, long double z) {
    return x + z > 0 ? (x - z) * (x - z) / (x + z) : 0;
};

/// Gives the sums of all pairs of different rows, ascending.
std::vector<long double> pair_sums(const Dataset& data, const Columns& columns, const Term& term) {
    std::vector<long double> sums;
    for (Index i = 0; i < data.rows(); ++i) {
        for (Index k = 0; k < i; ++k) {
            long double sum = 0;
            for (const Index j : columns) sum += term(data.dense().row(i)[j], data.dense().row(k)[j]);
            sums.push_back(sum);
        }
    }
    std::ranges::sort(sums);
    return sums;
}

long double median_of(const std::vector<long double>& sorted) {
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

long double mean_of(const std::vector<long double>& values) {
    long double sum = 0;
    for (const auto v : values) sum += v;
    return sum / static_cast<long double>(values.size());
}

/// Gives the number after "gamma=" in the kernel's text.
double gamma_of(const std::string& kernel, const Dataset& data) {
    const std::string text = make_kernel(kernel, data)->text();
    return std::stod(text.substr(text.find("gamma=") + 6));
}

void expect_relative(double found, long double expected, double bound = 1e-12) {
    EXPECT_NEAR(found, static_cast<double>(expected), bound * static_cast<double>(expected));
}

Dataset positive_data(Index rows, Index cols, std::uint64_t seed) {
    auto values = normal_values(rows * cols, seed);
    for (double& v : values) v = v > 0.3 ? v : 0;
    return dense(rows, cols, values);
}

TEST(WidthRules, MedianAndMeanOfPairs) {
    for (const Index rows : {2, 3, 4, 60, 129}) {
        const Dataset data = positive_data(rows, 5, static_cast<std::uint64_t>(rows));
        const Columns all{0, 1, 2, 3, 4};
        for (const auto& [kernel, term] : {std::pair<std::string, Term>{"rbf", squared},
                                           {"cauchy", squared},
                                           {"matern", squared},
                                           {"rational_quadratic", squared},
                                           {"circular", squared},
                                           {"spherical", squared},
                                           {"laplacian", absolute},
                                           {"chi_square", chi_square}}) {
            const auto sums = pair_sums(data, all, term);
            expect_relative(gamma_of(kernel + "(gamma=median)", data), 1 / median_of(sums));
            expect_relative(gamma_of(kernel + "(gamma=mean)", data), 1 / mean_of(sums));
        }
    }
}

TEST(WidthRules, ByHand) {
    const Dataset data = dense(3, 1, {0, 1, 4});  // The distances are 1, 3 and 4, their squares 1, 9 and 16.
    EXPECT_EQ(make_kernel("rbf(gamma=median)", data)->text(), text("rbf(gamma=", 1.0 / 9, ")"));
    expect_relative(gamma_of("rbf(gamma=mean)", data), 3.0L / 26);
    expect_relative(gamma_of("laplacian(gamma=median)", data), 1.0L / 3);
    expect_relative(gamma_of("laplacian(gamma=mean)", data), 3.0L / 8);
    // The mean is 5/3, the variance (25 + 4 + 49) / 27.
    expect_relative(gamma_of("rbf(gamma=auto)", data), 27.0L / 78);
    expect_relative(gamma_of("rbf", data), 27.0L / 78);
}

/// The exponential kernel falls with the distance itself.
TEST(WidthRules, OfExponentialAreOfDistances) {
    const Dataset data = random_dense(40, 6, 7);
    for (const char* rule : {"auto", "median", "mean"})
        expect_relative(gamma_of(text("exponential(gamma=", rule, ")"), data),
                        std::sqrt(gamma_of(text("rbf(gamma=", rule, ")"), data)));
}

/// With this rule the mean of gamma |x - z|^2 over pairs drawn with replacement is 2.
TEST(WidthRules, AutoIsOneOverTheTotalVariance) {
    const Dataset data = random_dense(70, 6, 1, 5, 3);
    const auto sums = pair_sums(data, {0, 1, 2, 3, 4, 5}, squared);
    const long double with_equal_pairs = mean_of(sums) * 69 / 70;
    expect_relative(gamma_of("rbf", data), 2 / with_equal_pairs);
    expect_relative(gamma_of("on(1:3, matern)", data),
                    2 / (mean_of(pair_sums(data, {1, 2, 3}, squared)) * 69 / 70));
}

/// Its distances are those of single columns: with as many columns of the same spread its width stays.
TEST(WidthRules, OfAnovaAreOfSingleColumns) {
    const Dataset data = random_dense(40, 6, 7);
    for (const char* rule : {"auto", "median", "mean"}) {
        expect_relative(gamma_of(text("anova(gamma=", rule, ")"), data),
                        6 * gamma_of(text("rbf(gamma=", rule, ")"), data));
        expect_relative(gamma_of(text("on(1:3, anova(gamma=", rule, "))"), data),
                        3 * gamma_of(text("on(1:3, rbf(gamma=", rule, "))"), data));
    }
}

TEST(WidthRules, MultiplesOfRules) {
    const Dataset data = random_dense(40, 3, 2);
    for (const char* rule : {"auto", "median", "mean"}) {
        const double one = gamma_of(text("rbf(gamma=", rule, ")"), data);
        for (const double factor : {0.5, 2.0, 1e-3, 64.0}) {
            expect_relative(gamma_of(text("rbf(gamma=", factor, "*", rule, ")"), data), factor * one, 1e-15);
        }
    }
    const Bank bank = make_bank("grid(rbf, gamma=0.5*median:median:2*median)", data);
    ASSERT_EQ(bank.size(), 3U);
    const double median = gamma_of("rbf(gamma=median)", data);
    EXPECT_EQ(bank[0]->text(), text("rbf(gamma=", 0.5 * median, ")"));
    EXPECT_EQ(bank[1]->text(), text("rbf(gamma=", median, ")"));
    EXPECT_EQ(bank[2]->text(), text("rbf(gamma=", 2 * median, ")"));
}

TEST(WidthRules, OnlyTheColumnsThatTheKernelSees) {
    const Dataset data = random_dense(30, 6, 3, 0, 2);
    expect_relative(gamma_of("on(1, 4, rbf(gamma=median))", data),
                    1 / median_of(pair_sums(data, {1, 4}, squared)));
    const Bank bank = make_bank("each_feature(laplacian(gamma=mean))", data);
    ASSERT_EQ(bank.size(), 6U);
    for (Index j = 0; j < 6; ++j) {
        const std::string text = bank[j]->text();
        expect_relative(std::stod(text.substr(text.find("gamma=") + 6)),
                        1 / mean_of(pair_sums(data, {j}, absolute)));
    }
}

TEST(WidthRules, SparseRowsHaveTheSameWidths) {
    for (const Index rows : {9, 60, 700}) {
        const Dataset data = positive_data(rows, 40, 4);
        const Dataset sparse = to_sparse(data);
        for (const char* kernel :
             {"rbf(gamma=median)", "rbf(gamma=mean)", "rbf(gamma=auto)", "laplacian(gamma=median)",
              "laplacian(gamma=2*mean)", "chi_square(gamma=median)", "on(3:7, rbf(gamma=median))",
              "on(3:7, cauchy)", "matern(gamma=mean, nu=0.5)"}) {
            expect_relative(gamma_of(kernel, sparse), gamma_of(kernel, data));
        }
    }
}

/// Of more than 512 rows a sample is taken, which is always the same one and large enough.
TEST(WidthRules, SamplesOfManyRows) {
    const Dataset data = random_dense(900, 4, 5);
    const auto sums = pair_sums(data, {0, 1, 2, 3}, squared);
    const double median = gamma_of("rbf(gamma=median)", data);
    expect_relative(median, 1 / median_of(sums), 0.05);
    expect_relative(gamma_of("rbf(gamma=mean)", data), 1 / mean_of(sums), 0.05);
    EXPECT_EQ(gamma_of("rbf(gamma=median)", data), median);
}

/// Where all distances are 0, the width is that of `1/d`.
TEST(WidthRules, RowsThatAreAllEqual) {
    for (const double level : {0.0, 1.0, 0.1, 1e6 / 3}) {
        for (const Index rows : {2, 3, 7, 10}) {
            const Dataset data = dense(rows, 4, std::vector<double>(rows * 4, level));
            for (const char* rule : {"auto", "median", "mean"}) {
                const std::string kernel = text("rbf(gamma=", rule, ")");
                EXPECT_EQ(gamma_of(kernel, data), 0.25) << rule << " " << level << " " << rows;
                EXPECT_EQ(gamma_of(kernel, to_sparse(data)), 0.25) << rule << " " << level << " " << rows;
                EXPECT_EQ(gamma_of(text("laplacian(gamma=", rule, ")"), data), 0.25) << rule << " " << level;
                EXPECT_EQ(gamma_of(text("on(0:1, rbf(gamma=", rule, "))"), data), 0.5)
                    << rule << " " << level;
            }
        }
    }
}

TEST(WidthRules, OneRow) {
    const Dataset data = dense(1, 4, {1, 2, 0.1, 4});
    for (const char* rule : {"auto", "median", "mean"}) {
        const std::string kernel = text("rbf(gamma=", rule, ")");
        EXPECT_EQ(gamma_of(kernel, data), 0.25) << rule;
        EXPECT_EQ(gamma_of(kernel, to_sparse(data)), 0.25) << rule;
        EXPECT_EQ(gamma_of(text("on(1, rbf(gamma=", rule, "))"), data), 1) << rule;
    }
}

/// The median of the distances is 0, so the mean takes its place.
TEST(WidthRules, MostRowsAreEqual) {
    std::vector<double> values(20, 3.0);
    values[7] = 5;
    const Dataset data = dense(20, 1, values);  // 19 of 190 pairs differ, by a square of 4.
    expect_relative(gamma_of("rbf(gamma=median)", data), 190.0L / (19 * 4));
    expect_relative(gamma_of("rbf(gamma=mean)", data), 190.0L / (19 * 4));
}

TEST(WidthRules, WhereThereIsNoSuchRule) {
    const Dataset data = random_dense(5, 2, 6);
    for (const char* text : {"poly(coef0=median)", "rational_quadratic(alpha=auto)", "matern(nu=median)",
                             "rbf(gamma=-1*median)", "rbf(gamma=0*median)", "rbf(gamma=medium)"}) {
        message_of(Status::invalid_kernel, [&] { make_kernel(text, data); });
        message_of(Status::invalid_kernel, [&] { check_kernel_text(text); });
    }
    EXPECT_NO_THROW(check_kernel_text("rbf(gamma=0.5*median) + laplacian(gamma=mean)"));
}

}  // namespace
}  // namespace dk::test::width_rule_test
