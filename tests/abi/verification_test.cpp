// SPDX-License-Identifier: Apache-2.0
// The curve of a verification system: values by hand, thresholds of clients, and what is refused.
#include <algorithm>
#include <cmath>
#include <limits>

#include "expectations.hpp"

namespace dk_test::verification_test {
namespace {

constexpr dk_status invalid = DK_ERR_INVALID_ARGUMENT;
constexpr dk_status bad_data = DK_ERR_INVALID_DATA;

struct Claims {
    std::vector<double> scores{.9, .7, .4, .8, .3, .2, .1, .6, .5, .55, .2, .1, 0};
    std::vector<int64_t> genuine{1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0};
    std::vector<int64_t> clients{1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2};

    std::vector<double> curve(const std::vector<double>& far, bool by_client = true) const {
        std::vector<double> out(far.size());
        check(dk_verification_curve(out.data(), far.data(), std::ssize(far), scores.data(), genuine.data(),
                                    by_client ? clients.data() : nullptr, std::ssize(scores), nullptr));
        return out;
    }
    /// Expects the claims to be refused.
    void expect_refused(dk_status status, const Words& words, Place where = Place::current()) const {
        const double far = 0.1;
        double out = 0;
        expect_failure(
            [&] {
                return dk_verification_curve(&out, &far, 1, scores.data(), genuine.data(), clients.data(),
                                             std::ssize(scores), nullptr);
            },
            status, words, where);
    }
};

TEST(Verification, ThresholdsOfClients) {
    const auto frr = Claims().curve({0, 0.25, 1});
    EXPECT_NEAR(frr[0], 7.0 / 12, 1e-12);
    EXPECT_NEAR(frr[1], 0, 1e-12);
    EXPECT_EQ(frr[2], 0);
}

TEST(Verification, WithoutClientsThereIsOneThreshold) {
    const auto frr = Claims().curve({0, 0.125, 0.25}, false);
    EXPECT_NEAR(frr[0], 0.8, 1e-12);
    EXPECT_NEAR(frr[1], 0.4, 1e-12);
    EXPECT_NEAR(frr[2], 0, 1e-12);
}

TEST(Verification, NumbersOfClientsAreAnyIntegers) {
    Claims claims;
    const auto before = claims.curve({0, 0.25, 0.5});
    for (int64_t& client : claims.clients)
        client = client == 1 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
    EXPECT_EQ(claims.curve({0, 0.25, 0.5}), before);
}

TEST(Verification, TheCurveOfAModel) {
    const Problem problem = make_problem(60, 2, 2, 1.5, 4);
    const Data data = dense(problem);
    const Model model = train(data, "svm", "kernel=linear");
    Claims claims;
    claims.scores = values_of<double>(60, dk_decision, model.get(), data.get(), nullptr);
    claims.genuine.clear();
    for (const int64_t label : problem.labels) claims.genuine.push_back(label == label_of_class(1) ? 1 : 0);
    double eer = 0;
    check(dk_score(&eer, model.get(), data.get(), "eer", nullptr));
    // With one threshold the rates meet at the equal error rate, one of 30 impostors before or after.
    const auto frr = claims.curve({eer, std::max(0.0, eer - 1.0 / 30)}, false);
    EXPECT_LE(frr[0], eer + 1e-12);
    EXPECT_GE(frr[1], eer - 1.0 / 30 - 1e-12);
}

TEST(Verification, BadArguments) {
    const Claims claims;
    const double far = 0.1;
    double out = 0;
    const double* s = claims.scores.data();
    const int64_t* g = claims.genuine.data();
    const auto call = [&](double* to, const double* rates, int64_t points, const double* scores,
                          const int64_t* genuine, int64_t rows) {
        return dk_verification_curve(to, rates, points, scores, genuine, nullptr, rows, nullptr);
    };
    expect_failure([&] { return call(nullptr, &far, 1, s, g, 13); }, invalid, {"out"});
    expect_failure([&] { return call(&out, nullptr, 1, s, g, 13); }, invalid, {"far"});
    expect_failure([&] { return call(&out, &far, 1, nullptr, g, 13); }, invalid, {"scores"});
    expect_failure([&] { return call(&out, &far, 1, s, nullptr, 13); }, invalid, {"genuine"});
    for (const int64_t wrong : {int64_t{0}, int64_t{-3}, std::numeric_limits<int64_t>::min(),
                                std::numeric_limits<int64_t>::max()}) {
        const std::string number = std::to_string(wrong);
        expect_failure([&] { return call(&out, &far, wrong, s, g, 13); }, invalid, {"points", number});
        expect_failure([&] { return call(&out, &far, 1, s, g, wrong); }, invalid, {"rows", number});
    }
    for (const double wrong : {-0.1, 1.5, std::nan(""), std::numeric_limits<double>::infinity()}) {
        const std::vector<double> rates{0.5, wrong};
        std::vector<double> to(2);
        expect_failure([&] { return call(to.data(), rates.data(), 2, s, g, 13); }, invalid, {"far", "1"});
    }
}

TEST(Verification, BadClaims) {
    Claims claims;
    claims.scores[4] = std::nan("");
    claims.expect_refused(bad_data, {"score", "4"});
    claims.scores[4] = std::numeric_limits<double>::infinity();
    claims.expect_refused(bad_data, {"score", "4"});
    claims = {};
    claims.genuine[5] = 2;
    claims.expect_refused(bad_data, {"genuine", "5", "2"});
    claims = {};
    claims.genuine.assign(13, 1);
    claims.expect_refused(bad_data, {"impostors"});
    claims.genuine.assign(13, 0);
    claims.expect_refused(bad_data, {"genuine"});
    claims = {};
    for (std::size_t i = 0; i < 13; ++i) claims.clients[i] = claims.genuine[i];
    claims.expect_refused(bad_data, {"client"});
}

}  // namespace
}  // namespace dk_test::verification_test
