// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "kernel/algebra/algebra.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk::test::dimkl_test {
namespace {

KernelWeights weigh(int number, const Bank& bank, const Dataset& data, double megabytes = 0,
                    const std::string& options = "") {
    BegunControl control;
    const auto specification =
        parse_weights(options.empty() ? text("dimkl", number) : text("dimkl", number, "(", options, ")"));
    const MemoryBudget budget(static_cast<std::int64_t>(megabytes));
    return specification.strategy->weigh({bank, data, {}, specification.parameters, 1, 1, budget, control});
}

std::vector<double> indices(const KernelWeights& result) {
    for (const auto& [name, value] : result.report.entries()) {
        if (name == "index") return std::get<std::vector<double>>(value);
    }
    ADD_FAILURE() << "no index in the report";
    return {};
}

/// Gives the index of one matrix of similarities.
double index_of(int number, Index rows, const std::vector<double>& matrix,
                const std::vector<std::int64_t>& labels) {
    const Dataset data = with_labels(gram_data(rows, matrix), labels);
    return indices(weigh(number, make_bank("gram(0)", data), data)).front();
}

/// Makes a symmetric matrix from its upper triangle, row by row, with ones on the diagonal.
std::vector<double> symmetric(Index rows, const std::vector<double>& upper) {
    std::vector<double> matrix(rows * rows, 1.0);
    std::size_t next = 0;
    for (Index i = 0; i < rows; ++i) {
        for (Index j = i + 1; j < rows; ++j) {
            matrix[i * rows + j] = matrix[j * rows + i] = upper[next++];
        }
    }
    return matrix;
}

const std::vector<double> fixture{.8, .6, .2, .1, .7, .3, .2, .1, .4, .5};

struct Moments {
    long double mean;
    long double deviation;
    long double range;
};

/// Gives the statistics of all values, which are sorted; percentiles are found by linear interpolation.
Moments moments(std::vector<long double> values) {
    std::ranges::sort(values);
    const auto count = static_cast<long double>(values.size());
    const long double mean = std::accumulate(values.begin(), values.end(), 0.0L) / count;
    long double squares = 0;
    for (const long double v : values) squares += (v - mean) * (v - mean);
    const auto percentile = [&](long double fraction) {
        const long double position = fraction * (count - 1);
        const auto below = static_cast<std::size_t>(position);
        const auto above = std::min(below + 1, values.size() - 1);
        return values[below] + (position - std::floor(position)) * (values[above] - values[below]);
    };
    return {mean, std::sqrt(squares / count), percentile(0.75L) - percentile(0.25L)};
}

/// Gives the moments of the quadrant of two classes, without the diagonal.
Moments quadrant(const std::vector<double>& matrix, const std::vector<std::int64_t>& labels, std::int64_t a,
                 std::int64_t b) {
    std::vector<long double> values;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        for (std::size_t j = 0; j < labels.size(); ++j) {
            if (labels[i] == a && labels[j] == b && i != j) values.push_back(matrix[i * labels.size() + j]);
        }
    }
    return moments(values);
}

long double bhattacharyya(const Moments& p, const Moments& q) {
    const long double variances = p.deviation * p.deviation + q.deviation * q.deviation;
    return (p.mean - q.mean) * (p.mean - q.mean) / (4 * variances) +
           0.5L * std::log(variances / (2 * p.deviation * q.deviation));
}

/// Computes the five formulas; class a comes first.
long double formula(int number, const std::vector<double>& matrix, const std::vector<std::int64_t>& labels,
                    std::int64_t a, std::int64_t b) {
    const Moments q1 = quadrant(matrix, labels, a, a);
    const Moments q2 = quadrant(matrix, labels, a, b);
    const Moments q4 = quadrant(matrix, labels, b, b);
    if (number == 1) return std::exp(-std::pow(q2.mean - q2.range, 2.0L) / (2 * q1.deviation));
    if (number == 2) return std::exp(-std::pow(q2.mean - q2.deviation, 2.0L) / (2 * q1.deviation));
    if (number == 3) return std::abs((q1.mean - q1.range) - (q2.mean - q2.range));
    if (number == 4) return std::abs(q1.mean - q2.mean) / std::sqrt(q1.range + q2.range);
    const long double apart = bhattacharyya(q1, q2) + bhattacharyya(q4, q2);
    return apart / (apart + q1.deviation + 2 * q2.deviation);
}

std::vector<double> random_similarities(Index rows, std::uint64_t seed) {
    auto upper = normal_values(rows * (rows - 1) / 2, seed, 0.5, 0.2);
    return symmetric(rows, upper);
}

TEST(Dimkl, Fixture) {
    // Class 1 is the positive one.
    const std::vector<std::int64_t> labels{1, 1, 1, -1, -1};
    const std::vector<double> expected{.9731505, .9286467, .4833333, .8824419, .9725552};
    for (int number = 1; number <= 5; ++number) {
        EXPECT_NEAR(index_of(number, 5, symmetric(5, fixture), labels), expected[number - 1], 1e-7)
            << "DiMKL" << number;
    }
}

TEST(Dimkl, RandomMatricesFollowTheFormulas) {
    for (const auto& [positives, negatives] : {std::pair{2, 3}, {7, 4}, {20, 13}}) {
        std::vector<std::int64_t> labels(static_cast<std::size_t>(positives), 1);
        labels.insert(labels.end(), static_cast<std::size_t>(negatives), -1);
        std::rotate(labels.begin(), labels.begin() + 1, labels.end());
        const auto rows = std::ssize(labels);
        const auto matrix = random_similarities(rows, 7 + static_cast<std::uint64_t>(rows));
        for (int number = 1; number <= 5; ++number) {
            if (number == 5 && positives == 2) continue;  // One pair has no deviation.
            const auto expected = static_cast<double>(formula(number, matrix, labels, 1, -1));
            EXPECT_NEAR(index_of(number, rows, matrix, labels), expected, 1e-12 * std::max(1.0, expected))
                << "DiMKL" << number;
        }
    }
}

TEST(Dimkl, MoreClassesAreTheMeanOverPairsInBothOrders) {
    const std::vector<std::int64_t> labels{3, 1, 1, 2, 3, 3, 2, 1, 3, 2, 3, 1, 2, 3};
    const auto rows = std::ssize(labels);
    const auto matrix = random_similarities(rows, 70);
    const auto count = [&](std::int64_t c) {
        return static_cast<long double>(std::ranges::count(labels, c));
    };
    for (int number = 1; number <= 5; ++number) {
        long double sum = 0;
        long double pairs = 0;
        for (const auto& [a, b] : {std::pair<std::int64_t, std::int64_t>{1, 2}, {1, 3}, {2, 3}}) {
            const long double weight = count(a) * count(b);
            sum +=
                weight * (formula(number, matrix, labels, a, b) + formula(number, matrix, labels, b, a)) / 2;
            pairs += weight;
        }
        EXPECT_NEAR(index_of(number, rows, matrix, labels), static_cast<double>(sum / pairs), 1e-12)
            << "DiMKL" << number;
    }
}

TEST(Dimkl, ConstantKernelsTellNothing) {
    const std::vector<std::int64_t> labels{1, -1, 1, -1, 1, -1, 1};
    for (const double constant : {1.0, 0.1, 0.7}) {
        const auto matrix = symmetric(7, std::vector<double>(21, constant));
        for (const int number : {1, 2}) EXPECT_EQ(index_of(number, 7, matrix, labels), 0) << constant;
        for (const int number : {3, 4, 5})
            EXPECT_NEAR(index_of(number, 7, matrix, labels), 0, 1e-9) << constant;
    }
}

TEST(Dimkl, NearIdentityKernelsTellNothing) {
    const std::vector<std::int64_t> labels{1, -1, 1, -1, 1, -1, 1};
    auto upper = normal_values(21, 71, 0, 1e-9);
    for (double& v : upper) v = std::abs(v);
    for (const int number : {1, 2}) EXPECT_EQ(index_of(number, 7, symmetric(7, upper), labels), 0);
}

TEST(Dimkl, WeightsAreShareOfTheIndices) {
    const Dataset data = with_labels(
        random_dense(24, 3, 72),
        std::vector<std::int64_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
    Bank bank = make_bank(
        "[rbf(gamma=0.1), rbf(gamma=1), rbf(gamma=10), normalize(arccos(1, 0)), normalize(linear)]", data);
    for (int number = 1; number <= 5; ++number) {
        const auto result = weigh(number, bank, data);
        const auto found = indices(result);
        const double sum = std::accumulate(found.begin(), found.end(), 0.0);
        ASSERT_EQ(result.weights.size(), bank.size());
        for (std::size_t k = 0; k < bank.size(); ++k) {
            EXPECT_GE(result.weights[k], 0);
            EXPECT_NEAR(result.weights[k], found[k] / sum, 1e-15);
            // The reference weighs the matrix itself, alone.
            const auto matrix = gram_matrix(bank[k], data, data);
            std::vector<std::int64_t> labels;
            for (const Index c : data.labels->of_rows) labels.push_back(c);
            EXPECT_NEAR(found[k], index_of(number, 24, matrix, labels), 1e-14) << bank[k]->text();
        }
        EXPECT_NEAR(std::accumulate(result.weights.begin(), result.weights.end(), 0.0), 1, 1e-14);
    }
}

TEST(Dimkl, OrderOfRowsIsIrrelevant) {
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 30; ++i) labels.push_back(i % 3 == 0 ? 5 : 2);
    const Dataset data = with_labels(random_dense(30, 4, 73, 1), labels);
    std::vector<Index> order(30);
    std::iota(order.begin(), order.end(), Index{0});
    std::shuffle(order.begin(), order.end(), std::mt19937_64(74));
    const Dataset shuffled = data.select(order);
    const Bank bank = make_bank("[rbf(gamma=0.2), normalize(poly(degree=2)), laplacian(gamma=0.5)]", data);
    for (int number = 1; number <= 5; ++number) {
        const auto first = weigh(number, bank, data).weights;
        const auto second = weigh(number, bank, shuffled).weights;
        for (std::size_t k = 0; k < first.size(); ++k)
            EXPECT_NEAR(first[k], second[k], 1e-12) << "DiMKL" << number;
    }
}

TEST(Dimkl, ManyKernelsInGroupsAreWeighedAlike) {
    // A matrix of 200 rows takes 0.3 MB, so one megabyte holds two of them at a time.
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 200; ++i) labels.push_back(i % 2);
    const Dataset data = with_labels(random_dense(200, 3, 75), labels);
    const Bank bank = make_bank("grid(rbf, gamma=0.01:0.02:0.05:0.1:0.2:0.5:1:2:5:10:20)", data);
    EXPECT_EQ(weigh(5, bank, data, 1).weights, weigh(5, bank, data).weights);
}

TEST(Dimkl, ManyRowsAreSampled) {
    constexpr Index rows = 20010;
    std::vector<std::int64_t> labels;
    auto values = normal_values(rows, 78);
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 3 == 0 ? 1 : 0);
        values[i] += 3 * static_cast<double>(labels.back());
    }
    const Dataset data = with_labels(dense(rows, 1, values), labels);
    std::vector<Index> part(1500);
    std::iota(part.begin(), part.end(), Index{0});
    const Bank bank = make_bank("[rbf(gamma=0.1), rbf(gamma=10)]", data);
    const auto sampled = weigh(4, bank, data).weights;
    EXPECT_EQ(weigh(4, bank, data).weights, sampled);  // The sample depends on the seed alone.
    const auto first = weigh(4, bank, data.select(part)).weights;
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(sampled[k], first[k], 0.1);
}

TEST(Dimkl, UniformWhereNothingTellsKernelsApart) {
    const Dataset data = with_labels(gram_data(4, symmetric(4, std::vector<double>(6, 0.5))), {0, 1, 0, 1});
    const auto result = weigh(1, make_bank("[gram(0), gram(0)]", data), data);
    EXPECT_EQ(result.weights, (std::vector<double>{0.5, 0.5}));
}

TEST(Dimkl, ClassesOfOneRowAreRefused) {
    const Dataset data = with_labels(random_dense(4, 2, 76), {0, 1, 0, 0});
    const Bank bank = make_bank("[linear, rbf]", data);
    message_of(Status::invalid_data, [&] { weigh(1, bank, data); });
}

TEST(Dimkl, TrainingNormalisesKernelsFirst) {
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 40; ++i) labels.push_back(i % 2);
    const Dataset data = with_labels(random_dense(40, 3, 77, 0.5), labels);
    BegunControl control;
    const auto weights_for = [&](const std::string& kernel) {
        auto settings = default_specification("mean_of_class");
        set_parameter(settings, "kernel", kernel);
        set_parameter(settings, "weights", "dimkl4");
        return train(data, settings, control).kernel_weights;
    };
    const auto plain = weights_for("[linear, poly(degree=2), rbf(gamma=1)]");
    const auto scaled = weights_for("[1000*linear, 0.001*poly(degree=2), 7*rbf(gamma=1)]");
    for (std::size_t k = 0; k < plain.size(); ++k) EXPECT_NEAR(plain[k], scaled[k], 1e-12);
}

}  // namespace
}  // namespace dk::test::dimkl_test
