// SPDX-License-Identifier: Apache-2.0
#include "weights/strategy/weighed_bank.hpp"

#include <algorithm>

#include "kernel/algebra/algebra.hpp"

namespace dk {

WeighedBank weighed_bank(Bank bank, std::string_view strategy, const WeighingTask& task) {
    const WeightSpecification asked = parse_weights(strategy);
    WeighedBank result{.bank = std::move(bank)};
    if (result.bank.size() == 1 && asked.strategy->normalises) {
        result.weights = {1.0};
        return result;
    }
    if (asked.strategy->normalises) std::ranges::transform(result.bank, result.bank.begin(), normalised);
    KernelWeights found =
        asked.strategy->weigh({result.bank, task.data, asked.arguments, asked.parameters, task.cost,
                               task.seed, task.budget, task.control, task.train, task.loss});
    result.weights = std::move(found.weights);
    result.report = json_text(found.report);
    return result;
}

}  // namespace dk
