// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"

namespace dk {

/// Claims to be a client, such as the owner of a face, each with the score that the client's model gave it.
struct Claims {
    std::span<const double> scores;
    std::vector<bool> genuine = {};              // Claim i is the client's own, and not an impostor's.
    std::span<const std::int64_t> clients = {};  // This is empty where all claims are of one client.
};

/// Computes the false rejection rate of a system in which every client has a threshold of its own, for each
/// of the false acceptance rates, which are 0 to 1: the mean over the clients of the share of their genuine
/// claims that are rejected. Of n impostors' claims, the rate a lets floor(a n) in, so a client accepts the
/// scores above its (floor(a n) + 1)-th largest one of an impostor, and all with a = 1. Clients without
/// genuine claims or without impostors are left out; throws Error(invalid_data) where that leaves none.
std::vector<double> verification_curve(const Claims& claims, std::span<const double> false_acceptance_rates,
                                       Control& control);

}  // namespace dk
