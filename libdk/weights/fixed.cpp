// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.hpp"
#include "weights/strategy.hpp"

namespace dk {

namespace {

KernelWeights given_weights(const WeightProblem& problem) {
    if (problem.arguments.size() != problem.bank.size()) {
        fail(Status::invalid_parameter, "weights=fixed gives ", problem.arguments.size(), " weights for a bank of ",
             problem.bank.size(), " kernels");
    }
    const auto negative = std::ranges::find_if(problem.arguments, [](double w) { return w < 0; });
    if (negative != problem.arguments.end()) {
        fail(Status::invalid_parameter, "weights=fixed: weight ", *negative, " is negative; allowed is at least 0");
    }
    if (std::ranges::all_of(problem.arguments, [](double w) { return w == 0; })) {
        fail(Status::invalid_parameter, "weights=fixed: all weights are 0; one at least must be greater");
    }
    return {problem.arguments, {}};
}

}  // namespace

WeightStrategy fixed_strategy() {
    return {.name = "fixed",
            .doc = "the weights given, one a kernel; kernels are taken as they are",
            .reference = "",
            .arguments = "the weights, at least 0 and not all 0",
            .normalises = false,
            .weigh = given_weights};
}

}  // namespace dk
