// SPDX-License-Identifier: Apache-2.0
// Weights that need no labels. The numbers were derived independently of this library.
#include <nlohmann/json.hpp>

#include "support.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk::test::unsupervised_weights_test {
namespace {

struct Found {
    std::vector<double> weights;
    nlohmann::json report;
};

Found weigh(const Dataset& data, const std::string& bank_text, const std::string& weights_text) {
    BegunControl control;
    const Bank bank = make_bank(bank_text, data);
    const auto [strategy, arguments, parameters] = parse_weights(weights_text);
    const KernelWeights found =
        strategy->weigh({bank, data, arguments, parameters, 1, 1, MemoryBudget(0), control});
    return {found.weights, nlohmann::json::parse(json_text(found.report))};
}

constexpr const char* two_widths = "[rbf(gamma=0.1), rbf(gamma=1)]";

Dataset six_points(double right = 0, double up = 0) {
    std::vector<double> x{0, 0, 1, 0, 0, 2, 3, 3, 4, 3, 3, 5};
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += i % 2 == 0 ? right : up;
    return dense(6, 2, x);
}

TEST(Umkl, GivesTheWeightsOfTheWorkedExample) {
    const Found found = weigh(six_points(), two_widths, "umkl(neighbours=2)");
    EXPECT_NEAR(found.weights[0], 0.425734581763, 1e-9);
    EXPECT_NEAR(found.weights[1], 0.574265418237, 1e-9);
    EXPECT_NEAR(found.report["objective"].get<double>(), 7.463889774763, 1e-9);
    EXPECT_TRUE(found.report["converged"].get<bool>());
    for (const auto& [gamma, weight] :
         {std::pair("0", 0.485449727700), {"0.5", 0.186873998011}, {"1", 0.0}}) {
        const Found other =
            weigh(six_points(), two_widths, std::string("umkl(neighbours=2, gamma=") + gamma + ")");
        EXPECT_NEAR(other.weights[0], weight, 1e-9) << gamma;
    }
}

TEST(Umkl, TheOriginDoesNotMatter) {
    const Found here = weigh(six_points(), two_widths, "umkl(neighbours=2)");
    const Found there = weigh(six_points(-20, 5), two_widths, "umkl(neighbours=2)");
    EXPECT_NEAR(there.weights[0], here.weights[0], 1e-9);
}

TEST(Umkl, NormalisedRowsGiveTheWorkedExample) {
    const Found found = weigh(six_points(3, -7), two_widths, "umkl(neighbours=2, rows=normalise)");
    EXPECT_NEAR(found.weights[1], 1, 1e-9);
    EXPECT_NEAR(found.report["objective"].get<double>(), 14.573301200304 / 2, 1e-9);
    const Found mixed = weigh(six_points(), two_widths, "umkl(neighbours=2, rows=normalise, gamma=0.01)");
    EXPECT_NEAR(mixed.weights[0], 0.131380995855, 1e-8);
}

TEST(Umkl, SparseRowsGiveTheSame) {
    const Found found = weigh(six_points(), two_widths, "umkl(neighbours=2)");
    EXPECT_NEAR(weigh(to_sparse(six_points()), two_widths, "umkl(neighbours=2)").weights[0], found.weights[0],
                1e-9);
}

/// Every mixture of two kernels is tried; values divided by the number of neighbours too.
TEST(Umkl, NoMixtureIsBetter) {
    const Dataset data = random_dense(40, 3, 5);
    for (const char* rows : {"literal", "average", "normalise"}) {
        const std::string settings = std::string("umkl(neighbours=4, gamma=0.3, rows=") + rows + ")";
        const Found found = weigh(data, two_widths, settings);
        const double least = found.report["objective"].get<double>();
        for (int step = 0; step <= 20; ++step) {
            const double share = step / 20.0;
            // A bank of the mixture alone has the mixture's objective.
            const std::string mixture = "[" + std::to_string(share) + "*rbf(gamma=0.1) + " +
                                        std::to_string(1 - share) + "*rbf(gamma=1)]";
            EXPECT_GE(weigh(data, mixture, settings).report["objective"].get<double>(),
                      least - 1e-9 * std::abs(least))
                << rows << share;
        }
    }
}

TEST(Umkl, AlternationLowersTheObjective) {
    const Dataset data = random_dense(60, 3, 6);
    const Found once = weigh(data, two_widths, "umkl(neighbours=5)");
    const Found turns = weigh(data, two_widths, "umkl(neighbours=5, alternate=yes)");
    const auto objectives = turns.report["objectives"].get<std::vector<double>>();
    EXPECT_GT(objectives.size(), 1U);
    EXPECT_DOUBLE_EQ(objectives.front(), once.report["objective"].get<double>());
    for (std::size_t turn = 1; turn < objectives.size(); ++turn)
        EXPECT_LE(objectives[turn], objectives[turn - 1] + 1e-9 * std::abs(objectives[turn - 1]));
}

TEST(Umkl, WhatItCannotDoIsSaid) {
    EXPECT_THROW(weigh(dense(2, 1, {0, 1}), two_widths, "umkl"), Error);
    EXPECT_THROW(weigh(gram_data(3, {2, 1, 0, 1, 2, 1, 0, 1, 2}), "[gram(0), 2*gram(0)]", "umkl"), Error);
    EXPECT_THROW(weigh(six_points(), two_widths, "umkl(neighbours=0)"), Error);
    EXPECT_THROW(weigh(six_points(), two_widths, "umkl(gamma=-1)"), Error);
}

}  // namespace
}  // namespace dk::test::unsupervised_weights_test
