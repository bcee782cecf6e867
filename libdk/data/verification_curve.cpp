// SPDX-License-Identifier: Apache-2.0
#include "data/verification_curve.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "base/error.hpp"

namespace dk {

namespace {

struct ClientScores {
    std::vector<double> genuine = {};
    std::vector<double> impostors = {};
};

/// Divides the claims by client.
std::map<std::int64_t, ClientScores> scores_of_clients(const Claims& claims, Control& control) {
    std::map<std::int64_t, ClientScores> clients;
    Polls polls(control);
    for (std::size_t i = 0; i < claims.scores.size(); ++i) {
        polls.step();
        ClientScores& client = clients[claims.clients.empty() ? 0 : claims.clients[i]];
        (claims.genuine[i] ? client.genuine : client.impostors).push_back(claims.scores[i]);
    }
    return clients;
}

/// Counts the impostors' claims that a rate lets in: floor(rate * impostors), where a product that lies below
/// an integer by rounding alone is that integer, as 0.29 * 100 is 29.
Index accepted_impostors(double rate, Index impostors) {
    constexpr double rounding = 1e-12;
    return std::min(impostors, static_cast<Index>(rate * impostors * (1 + rounding)));
}

/// Computes the share of the client's genuine claims that are rejected at the rate. The genuine scores ascend
/// and those of impostors descend.
double rejected_share(const ClientScores& client, double rate) {
    const Index accepted = accepted_impostors(rate, std::ssize(client.impostors));
    if (accepted == std::ssize(client.impostors)) return 0;
    const auto above = std::ranges::upper_bound(client.genuine, client.impostors[accepted]);
    return 1.0 * (above - client.genuine.begin()) / client.genuine.size();
}

}  // namespace

std::vector<double> verification_curve(const Claims& claims, std::span<const double> false_acceptance_rates,
                                       Control& control) {
    std::vector<double> rejected(false_acceptance_rates.size());
    double judged = 0;  // clients
    control.check();
    Polls polls(control);
    for (auto& [client, scores] : scores_of_clients(claims, control)) {
        if (scores.genuine.empty() || scores.impostors.empty()) continue;
        // One client's scores may be all there are, so that sorting asks too whether the call is cancelled.
        const auto polled = [&](auto before) {
            return [&polls, before](double a, double b) {
                polls.step();
                return before(a, b);
            };
        };
        std::ranges::sort(scores.genuine, polled(std::less<>()));
        std::ranges::sort(scores.impostors, polled(std::greater<>()));
        for (std::size_t point = 0; point < rejected.size(); ++point) {
            polls.step();
            rejected[point] += rejected_share(scores, false_acceptance_rates[point]);
        }
        judged += 1;
    }
    if (judged == 0) fail(Status::invalid_data, "no client has both genuine claims and claims of impostors");
    for (double& share : rejected) share /= judged;
    return rejected;
}

}  // namespace dk
