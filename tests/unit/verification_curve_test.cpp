// SPDX-License-Identifier: Apache-2.0
#include "data/verification_curve.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "data/metrics/metrics.hpp"
#include "support.hpp"

namespace dk::test::verification_curve_test {
namespace {

using Scores = std::vector<double>;

/// Claims that own what they are made of.
struct Trial {
    Scores scores;
    std::vector<bool> genuine;
    std::vector<std::int64_t> clients;

    void add(std::int64_t client, const Scores& own, const Scores& impostors) {
        for (const double score : own) add(client, score, true);
        for (const double score : impostors) add(client, score, false);
    }
    void add(std::int64_t client, double score, bool is_genuine) {
        scores.push_back(score);
        genuine.push_back(is_genuine);
        clients.push_back(client);
    }
    Scores curve(const Scores& rates) const {
        BegunControl control;
        return verification_curve({scores, genuine, clients}, rates, control);
    }
    Scores common_curve(const Scores& rates) const {
        BegunControl control;
        return verification_curve({.scores = scores, .genuine = genuine}, rates, control);
    }
};

Trial golden() {
    Trial trial;
    trial.add(1, {.9, .7, .4}, {.8, .3, .2, .1});
    trial.add(2, {.6, .5}, {.55, .2, .1, 0});
    return trial;
}

TEST(VerificationCurve, Golden) {
    const auto rejected = golden().curve({0, 0.25, 1});
    EXPECT_NEAR(rejected[0], 7.0 / 12, 1e-12);
    EXPECT_NEAR(rejected[1], 0, 1e-12);
    EXPECT_EQ(rejected[2], 0);
}

TEST(VerificationCurve, OneThresholdForAllIsAnotherCurve) {
    // All five genuine scores but 0.9 are at most 0.8, the largest impostor's; 0.55 lets one more impostor
    // in.
    const auto rejected = golden().common_curve({0, 0.125, 0.25, 1});
    EXPECT_NEAR(rejected[0], 4.0 / 5, 1e-12);
    EXPECT_NEAR(rejected[1], 2.0 / 5, 1e-12);
    EXPECT_NEAR(rejected[2], 0, 1e-12);
    EXPECT_EQ(rejected[3], 0);
}

TEST(VerificationCurve, ScoresAtTheThresholdAreNotAccepted) {
    Trial trial;
    trial.add(1, {0.5, 0.5, 0.7, 0.5}, {0.5, 0.5, 0.1});
    const auto rejected = trial.curve({0, 0.34, 0.67, 1});
    EXPECT_EQ(rejected, (Scores{0.75, 0.75, 0, 0}));
}

TEST(VerificationCurve, FarOneAcceptsEverything) {
    Trial trial;
    trial.add(1, {-5, -7}, {3, 4});
    EXPECT_EQ(trial.curve({0.999, 1}), (Scores{1, 0}));
}

/// As k / n times n may be a little below k, or 0.29 times 100 below 29.
TEST(VerificationCurve, RoundingDoesNotCountAnImpostorLess) {
    for (Index n = 1; n <= 300; ++n) {
        Trial trial;
        Scores impostors(n);
        for (Index i = 0; i < n; ++i) impostors[i] = static_cast<double>(n - i);  // n, ..., 1
        Scores genuine = impostors;
        trial.add(5, genuine, impostors);
        Scores rates;
        for (Index k = 0; k <= n; ++k) rates.push_back(static_cast<double>(k) / static_cast<double>(n));
        const auto rejected = trial.curve(rates);
        for (Index k = 0; k <= n; ++k)
            ASSERT_NEAR(rejected[k], static_cast<double>(n - k) / static_cast<double>(n), 1e-12)
                << k << " of " << n;
    }
    Trial hundred;
    Scores scores(100);
    for (Index i = 0; i < 100; ++i) scores[i] = static_cast<double>(i);
    hundred.add(1, scores, scores);
    EXPECT_NEAR(hundred.curve({0.29})[0], 0.71, 1e-12);
}

/// Computes one point by the definition, with all scores sorted.
double rejected_by_definition(const Trial& trial, std::int64_t clients, double rate) {
    double sum = 0;
    for (std::int64_t client = 0; client < clients; ++client) {
        Scores genuine, impostors;
        for (std::size_t i = 0; i < trial.scores.size(); ++i) {
            if (trial.clients[i] != client) continue;
            (trial.genuine[i] ? genuine : impostors).push_back(trial.scores[i]);
        }
        std::ranges::sort(impostors, std::greater<>());
        const auto n = static_cast<double>(impostors.size());
        const auto place = static_cast<std::size_t>(std::floor(rate * n + 1e-9));
        const auto rejected = std::ranges::count_if(
            genuine, [&](double score) { return place < impostors.size() && score <= impostors[place]; });
        sum += static_cast<double>(rejected) / static_cast<double>(genuine.size());
    }
    return sum / static_cast<double>(clients);
}

TEST(VerificationCurve, IsThatOfTheDefinitionAndFalls) {
    std::mt19937_64 random(3);
    const Scores rates{0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 0.9, 1};
    for (int repeat = 0; repeat < 50; ++repeat) {
        Trial trial;
        const auto clients = static_cast<std::int64_t>(1 + random() % 6);
        for (std::int64_t client = 0; client < clients; ++client) {
            trial.add(client, 1.0 + static_cast<double>(random() % 5), true);
            trial.add(client, static_cast<double>(random() % 5), false);
        }
        for (int i = 0; i < 60; ++i)  // Few different scores, so that many are equal.
            trial.add(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(clients)),
                      static_cast<double>(random() % 9), random() % 3 == 0);
        const auto rejected = trial.curve(rates);
        for (std::size_t p = 0; p < rates.size(); ++p) {
            EXPECT_NEAR(rejected[p], rejected_by_definition(trial, clients, rates[p]), 1e-12) << rates[p];
            if (p > 0) {
                EXPECT_LE(rejected[p], rejected[p - 1]);
            }
        }
    }
}

TEST(VerificationCurve, ThresholdsOfClientsDoNotCareForTheirScales) {
    Trial trial = golden();
    const auto before = trial.curve({0, 0.25, 0.5});
    for (std::size_t i = 0; i < trial.scores.size(); ++i) {
        if (trial.clients[i] == 2) trial.scores[i] = 1000 * trial.scores[i] - 7;
    }
    EXPECT_EQ(trial.curve({0, 0.25, 0.5}), before);
    EXPECT_NE(trial.common_curve({0, 0.25, 0.5}), before);
}

TEST(VerificationCurve, ClientsWithoutEitherKindAreLeftOut) {
    Trial trial = golden();
    const auto before = trial.curve({0, 0.25});
    trial.add(9, Scores{0.1, 0.2}, Scores());
    trial.add(-9, Scores(), Scores{0.3});
    EXPECT_EQ(trial.curve({0, 0.25}), before);
    Trial none;
    none.add(1, Scores{0.5}, Scores());
    none.add(2, Scores(), Scores{0.5});
    message_of(Status::invalid_data, [&] { none.curve({0}); });
}

}  // namespace
}  // namespace dk::test::verification_curve_test
