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
#include "kernel/kernel.hpp"

namespace dk {

/// A bank of kernels to be weighed on labelled data.
struct WeightProblem {
    const Bank& bank;
    const Dataset& data;
    std::vector<double> arguments;  // the numbers of "fixed(0.3, 0.7)"
    Parameters parameters;          // of "dimkl1(form=variance)"
    double cost;                    // C of the machine that will use the weights, 1 where it has none
    std::uint64_t seed;
    MemoryBudget budget;
    Control& control;
};

struct KernelWeights {
    std::vector<double> weights;  // one a kernel, >= 0
    Report report;
};

/// A way to weigh a bank. Adding one is one file in weights/ and one line in weights/strategy.cpp.
struct WeightStrategy {
    std::string name;
    std::string doc;
    std::string reference;
    /// Documentation of its arguments; empty when it takes none.
    std::string arguments;
    std::vector<ParameterSpec> parameters;
    /// Whether kernels are cosine-normalised first, without which their scales would decide.
    bool normalises;
    /// Whether it needs labelled rows.
    bool compares_classes;
    /// Throws Error(invalid_parameter) for arguments that no bank allows; null where there are none.
    void (*check)(const std::vector<double>& arguments);
    std::function<KernelWeights(const WeightProblem&)> weigh;
};

std::span<const WeightStrategy> weight_strategies();

struct WeightSpecification {
    const WeightStrategy* strategy;
    std::vector<double> arguments;
    Parameters parameters;
};

/// Parses "dimkl1(form=variance)" or "fixed(0.3, 0.7)"; throws Error(invalid_kernel) with the nearest name,
/// or Error(invalid_parameter) for the parameters.
WeightSpecification parse_weights(std::string_view text);

WeightStrategy uniform_strategy();
WeightStrategy fixed_strategy();
std::vector<WeightStrategy> dimkl_strategies();
WeightStrategy dimkl6_strategy();
WeightStrategy mklgl_strategy();

}  // namespace dk
