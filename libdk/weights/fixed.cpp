// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

namespace {

void check_weights(const std::vector<double>& weights) {
    const auto negative = std::ranges::find_if(weights, [](double w) { return w < 0; });
    if (negative != weights.end()) {
        fail(Status::invalid_parameter, "weights=fixed: weight ", *negative,
             " is negative; allowed is at least 0");
    }
    if (std::ranges::all_of(weights, [](double w) { return w == 0; })) {
        fail(Status::invalid_parameter,
             "weights=fixed needs weights, one at least greater than 0: fixed(0.3, 0.7)");
    }
}

KernelWeights given_weights(const WeightProblem& problem) {
    if (problem.arguments.size() != problem.bank.size()) {
        fail(Status::invalid_parameter, "weights=fixed gives ", problem.arguments.size(),
             " weights for a bank of ", problem.bank.size(), " kernels");
    }
    return {problem.arguments, {}};
}

}  // namespace

WeightStrategy fixed_strategy() {
    return {
        .name = "fixed",
        .doc =
            "You give the weights yourself, one for each kernel. The kernels are taken as they are, without "
            "normalisation.",
        .reference = "",
        .arguments = "Each weight is at least 0, and at least one is greater than 0.",
        .parameters = {},
        .normalises = false,
        .needs = Knowledge::nothing,
        .check = check_weights,
        .weigh = given_weights};
}

}  // namespace dk
