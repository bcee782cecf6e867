// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/control.hpp"
#include "base/memory.hpp"
#include "base/parameters.hpp"
#include "base/report.hpp"
#include "kernel/engine/kernel.hpp"
#include "weights/strategy/machine_loss.hpp"

namespace dk {

/// What a machine that was trained on some rows says of others, which it has not seen.
struct HeldOutScore {
    double right = 0;   // the share of rows whose class it tells
    double margin = 0;  // the mean distance of rows from the boundary, negative on the wrong side
};

/// Trains the machine that will use the weights on some rows in this kernel, and asks it about others. The
/// pipeline gives it, since strategies know no machines. Several threads may call it at once.
using HeldOutTrainer = std::function<HeldOutScore(const KernelPointer& kernel, const Dataset& training,
                                                  const Dataset& held_out, Control& control)>;

/// What a strategy is given: a bank of kernels, and the data on which it weighs them.
struct WeightProblem {
    const Bank& bank;
    const Dataset& data;
    std::vector<double> arguments;  // These are the numbers in "fixed(0.3, 0.7)".
    Parameters parameters;          // These are the values in "dimkl1(form=variance)".
    double cost;  // This is C of the machine that will use the weights, and 1 where it has none.
    std::uint64_t seed;
    MemoryBudget budget;
    Control& control;
    HeldOutTrainer train = {};  // null where nobody trains
    MachineLoss loss = {};      // of the machine that will use the weights
};

/// What a strategy must know of the rows beside the kernels' values: nothing, their coordinates as dense
/// rows, labels or targets, or labels.
enum class Knowledge { nothing, coordinates, targets, classes };

struct KernelWeights {
    std::vector<double> weights;  // Each kernel has one, which is at least 0.
    Report report;
};

/// A way to weigh a bank. A new one needs a file in weights/ and a line in weights/strategy/strategy.cpp.
struct WeightStrategy {
    std::string name;
    std::string doc;
    std::string reference;
    /// This explains the arguments, and is empty where the strategy takes none.
    std::string arguments;
    std::vector<ParameterSpec> parameters;
    /// This says whether each kernel is first replaced by k(x, z) / sqrt(k(x, x) k(z, z)), so that its scale
    /// does not decide its weight.
    bool normalises;
    Knowledge needs;
    /// Throws Error(invalid_parameter) for arguments that no bank allows; null where the strategy takes none.
    void (*check)(const std::vector<double>& arguments);
    std::function<KernelWeights(const WeightProblem&)> weigh;
    /// This says whether the strategy trains hundreds of machines, so that it runs only where it is named.
    bool searches = false;
    /// This says whether weights follow the machine's C.
    bool reads_cost = false;
    /// This says whether it solves the machine's program, which has one target, and rows of one weight where
    /// errors are squared.
    bool solves_program = false;
};

std::span<const WeightStrategy> weight_strategies();

/// What a text such as "dimkl1(form=variance)" asks for.
struct WeightSpecification {
    const WeightStrategy* strategy;
    std::vector<double> arguments;
    Parameters parameters;
};

/// Parses "dimkl1(form=variance)" or "fixed(0.3, 0.7)"; throws Error(invalid_kernel) that names the nearest
/// strategy, or Error(invalid_parameter) where a parameter is wrong.
WeightSpecification parse_weights(std::string_view text);

WeightStrategy uniform_strategy();
WeightStrategy fixed_strategy();
std::vector<WeightStrategy> dimkl_strategies();
WeightStrategy dimkl6_strategy();
WeightStrategy mklgl_strategy();
WeightStrategy align_strategy();
WeightStrategy alignf_strategy();
WeightStrategy easymkl_strategy();
WeightStrategy umkl_strategy();
WeightStrategy gamkl_strategy();

}  // namespace dk
