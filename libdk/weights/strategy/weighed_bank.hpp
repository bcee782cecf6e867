// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/language/bank.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

/// The kernels of a bank with their weights, and what is to be reported of them.
struct WeighedBank {
    Bank bank = {};
    std::vector<double> weights = {};
    std::string report = "{}";
};

/// What a strategy is told beside the bank.
struct WeighingTask {
    const Dataset& data;
    double cost;  // of errors
    std::uint64_t seed;
    const MemoryBudget& budget;
    Control& control;
    HeldOutTrainer train = {};
    MachineLoss loss = {};
};

/// Weighs a bank by the strategy of this text, for which it normalises the kernels where the strategy asks
/// for that. One kernel leaves nothing to weigh.
WeighedBank weighed_bank(Bank bank, std::string_view strategy, const WeighingTask& task);

}  // namespace dk
