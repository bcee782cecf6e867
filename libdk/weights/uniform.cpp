// SPDX-License-Identifier: Apache-2.0
#include "weights/strategy/strategy.hpp"

namespace dk {

WeightStrategy uniform_strategy() {
    return {.name = "uniform",
            .doc = "Every kernel has the same weight, and the weights sum to 1.",
            .reference = "",
            .arguments = "",
            .parameters = {},
            .normalises = true,
            .needs = Knowledge::nothing,
            .check = nullptr,
            .weigh = [](const WeightProblem& problem) -> KernelWeights {
                const auto count = problem.bank.size();
                return {std::vector<double>(count, 1.0 / count), {}};
            }};
}

}  // namespace dk
