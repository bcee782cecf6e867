// SPDX-License-Identifier: Apache-2.0
// Fuzzy measures, and Choquet integrals fitted by them. The worked example was derived by hand.
#include <algorithm>
#include <numeric>

#include "solve/fuzzy/choquet_fit.hpp"
#include "support.hpp"

namespace dk::test::fuzzy_measure_test {
namespace {

FuzzyMeasure worked_example() {
    return {3, {0, .2, .3, .7, .1, .45, .5, 1}};
}

FuzzyMeasure random_measure(Index sources, std::uint64_t seed) {
    FuzzyMeasure g{sources, normal_values(Index{1} << sources, seed, 0.5, 0.3)};
    for (double& worth : g.worth) worth = std::clamp(worth, 0.0, 1.0);
    make_monotone(g);
    return g;
}

TEST(ChoquetIntegral, GivesTheWorkedExample) {
    const FuzzyMeasure g = worked_example();
    EXPECT_NEAR(choquet_integral(g, std::vector{.4, -.2, .1}), -.005, 1e-15);
    EXPECT_NEAR(choquet_integral(g, std::vector{-.5, .3, .3}), -.1, 1e-15);
    EXPECT_NEAR(choquet_integral(g, std::vector{.1, .2, .9}), .22, 1e-15);
    EXPECT_NEAR(choquet_integral({2, {0, .3, .6, 1}}, std::vector{.4, -.2}), -.02, 1e-15);
    const Vector phi = shapley_values(g);
    EXPECT_NEAR(phi[0], 43.0 / 120, 1e-14);
    EXPECT_NEAR(phi[1], 52.0 / 120, 1e-14);
    EXPECT_NEAR(phi[2], 25.0 / 120, 1e-14);
    const Matrix interaction = interaction_indices(g);
    EXPECT_NEAR(interaction(0, 1), .175, 1e-14);
    EXPECT_NEAR(interaction(0, 2), .125, 1e-14);
    EXPECT_NEAR(interaction(1, 2), .075, 1e-14);
}

/// The Shapley value is the mean over all orders of what a source adds to those before it.
TEST(ChoquetIntegral, ShapleyValuesAreMeansOverAllOrders) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const FuzzyMeasure g = random_measure(4, seed);
        std::vector<Index> order{0, 1, 2, 3};
        Vector sum = Vector::Zero(4);
        double orders = 0;
        do {
            std::size_t mask = 0;
            for (const Index k : order) {
                const std::size_t larger = mask | (std::size_t{1} << k);
                sum[k] += g(larger) - g(mask);
                mask = larger;
            }
            ++orders;
        } while (std::ranges::next_permutation(order).found);
        EXPECT_LT((shapley_values(g) - sum / orders).cwiseAbs().maxCoeff(), 1e-14);
        EXPECT_NEAR(shapley_values(g).sum(), 1, 1e-14);
    }
}

TEST(ChoquetIntegral, SpecialMeasuresAreMaximumMinimumAndMean) {
    FuzzyMeasure largest{4, std::vector<double>(16, 1.0)};
    largest.worth[0] = 0;
    FuzzyMeasure least{4, std::vector<double>(16, 0.0)};
    least.worth[15] = 1;
    FuzzyMeasure mean{4, std::vector<double>(16)};
    for (std::size_t mask = 0; mask < 16; ++mask) mean.worth[mask] = std::popcount(mask) / 4.0;
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        const auto f = normal_values(4, seed);
        EXPECT_NEAR(choquet_integral(largest, f), std::ranges::max(f), 1e-14);
        EXPECT_NEAR(choquet_integral(least, f), std::ranges::min(f), 1e-14);
        EXPECT_NEAR(choquet_integral(mean, f), std::accumulate(f.begin(), f.end(), 0.0) / 4, 1e-14);
        const FuzzyMeasure g = random_measure(4, seed + 10);
        auto raised = f;
        for (double& value : raised) value += 3;
        EXPECT_NEAR(choquet_integral(g, raised), choquet_integral(g, f) + 3, 1e-13);
        for (std::size_t k = 0; k < 4; ++k) {
            auto more = f;
            more[k] += 0.5;
            EXPECT_GE(choquet_integral(g, more), choquet_integral(g, f) - 1e-15);
        }
    }
    EXPECT_LT(interaction_indices(mean).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(ChoquetFit, NoiselessTargetsGiveBackTheMeasure) {
    BegunControl control;
    for (const Index sources : {2, 3, 4}) {
        const FuzzyMeasure g = sources == 3 ? worked_example() : random_measure(sources, 5);
        const auto values = normal_values(400 * sources, 6);
        const ConstMatrixView F = view(values.data(), 400, sources);
        Vector targets(400);
        for (Index i = 0; i < 400; ++i) {
            const Vector row = F.row(i).transpose();
            targets[i] = choquet_integral(g, as_span(row));
        }
        const ChoquetFit fit = fit_choquet(F, targets, {.delta = 1e-8}, control);
        EXPECT_TRUE(fit.converged);
        EXPECT_LT(fit.error, 1e-9);
        for (std::size_t mask = 0; mask < g.worth.size(); ++mask)
            EXPECT_NEAR(fit.measure(mask), g(mask), 1e-4) << mask;
    }
}

/// No monotone measure has a smaller error, as far as random ones near the solution and far from it tell.
TEST(ChoquetFit, NoMeasureIsBetter) {
    BegunControl control;
    const auto values = normal_values(60 * 3, 7);
    const ConstMatrixView F = view(values.data(), 60, 3);
    const auto noise = normal_values(60, 8);
    const ChoquetFit fit = fit_choquet(F, as_vector(noise), {.delta = 1e-10}, control);
    EXPECT_TRUE(fit.converged);
    EXPECT_LT(fit.violation, 1e-9);
    const auto error_of = [&](const FuzzyMeasure& g) {
        double sum = 0;
        for (Index i = 0; i < 60; ++i) {
            const Vector row = F.row(i).transpose();
            sum += std::pow(choquet_integral(g, as_span(row)) - noise[static_cast<std::size_t>(i)], 2);
        }
        return sum / 60;
    };
    EXPECT_NEAR(error_of(fit.measure), fit.error, 1e-9);
    for (std::uint64_t seed = 1; seed < 300; ++seed) {
        FuzzyMeasure other = random_measure(3, seed);
        EXPECT_GE(error_of(other), fit.error - 1e-9);
        for (std::size_t mask = 0; mask < 8; ++mask)
            other.worth[mask] = 0.95 * fit.measure(mask) + 0.05 * other(mask);
        EXPECT_GE(error_of(other), fit.error - 1e-9);
    }
}

TEST(ChoquetFit, PenaltiesMakeSetsWorthLess) {
    BegunControl control;
    const auto values = normal_values(100 * 3, 9);
    const ConstMatrixView F = view(values.data(), 100, 3);
    const Vector targets = F.rowwise().maxCoeff();
    double before = 1e300;
    for (const double lambda : {0.0, 10.0, 100.0, 1000.0}) {
        const ChoquetFit fit = fit_choquet(F, targets, {.lambda = lambda}, control);
        const double worth = std::accumulate(fit.measure.worth.begin(), fit.measure.worth.end(), 0.0);
        EXPECT_LE(worth, before + 1e-9);
        before = worth;
        const ChoquetFit squares = fit_choquet(F, targets, {.lambda = lambda, .p = 2}, control);
        const ChoquetFit reweighted = fit_choquet(F, targets, {.lambda = lambda, .p = 2.0001}, control);
        for (std::size_t mask = 0; mask < 8; ++mask)
            EXPECT_NEAR(squares.measure(mask), reweighted.measure(mask), 2e-3);
    }
}

TEST(ChoquetFit, OneSourceIsWorthAll) {
    BegunControl control;
    const std::vector<double> values{1, 2, 3};
    const ChoquetFit fit =
        fit_choquet(view(values.data(), 3, 1), Vector::Constant(3, 2.0), ChoquetPenalty{}, control);
    EXPECT_EQ(fit.measure.worth, (std::vector<double>{0, 1}));
    EXPECT_NEAR(fit.error, 2.0 / 3, 1e-15);
}

}  // namespace
}  // namespace dk::test::fuzzy_measure_test
