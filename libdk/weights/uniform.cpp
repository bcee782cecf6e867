// SPDX-License-Identifier: Apache-2.0
#include "weights/strategy.hpp"

namespace dk {

WeightStrategy uniform_strategy() {
    return {.name = "uniform",
            .doc = "every kernel the same weight, with sum 1",
            .reference = "",
            .arguments = "",
            .parameters = {},
            .normalises = true,
            .compares_classes = false,
            .check = nullptr,
            .weigh = [](const WeightProblem& problem) -> KernelWeights {
                const auto count = problem.bank.size();
                return {std::vector<double>(count, 1 / static_cast<double>(count)), {}};
            }};
}

}  // namespace dk
