// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "machine/margin/binary_solution.hpp"

namespace dk {

/// A function that no row's bound held back, for the C that it was trained with. It solves the program for
/// every larger C, too, whose bounds are wider.
struct UnboundedSolution {
    double cost;
    BinarySolution solution;
};

/// What one training of a function hands on to the next one, which has another C.
struct FunctionPath {
    std::vector<double> duals = {};  // empty where the next C moves them far, or before the first training
    std::optional<UnboundedSolution> unbounded = {};
};

/// What trainings on the same rows with one C after another, which rises, hand on, so that each may start
/// near its solution.
struct CostPath {
    std::vector<FunctionPath> functions = {};  // empty before the first training

    /// Tells whether every function stays as it is for all larger C.
    bool is_at_its_end() const {
        return !functions.empty() && std::ranges::all_of(functions, [](const FunctionPath& function) {
            return function.unbounded.has_value();
        });
    }
};

}  // namespace dk
