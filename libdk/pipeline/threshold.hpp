// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "base/parameters.hpp"
#include "base/report.hpp"
#include "model/model.hpp"

namespace dk {

/// What a threshold between two classes is chosen for. A false alarm is a row of the first class that is
/// taken for one of the second; a miss is the opposite.
struct ThresholdGoal {
    double false_alarms =
        0;                 // At most this share of new rows of the first class shall be false alarms; 0: any.
    double sure = 0.95;    // The bound shall hold with this probability over the rows that it is learned of.
    double miss_cost = 0;  // If this is above 0, a miss costs so many false alarms.

    bool empty() const { return false_alarms == 0 && miss_cost == 0; }
};

/// Reads a goal such as "false_alarms=0.05 sure=0.95" or "miss_cost=5". Throws Error(invalid_argument).
ThresholdGoal threshold_goal(std::string_view text);

/// Gives the goal that the parameters of a training have.
ThresholdGoal threshold_goal(const Parameters& parameters);

/// Throws Error(unsupported) where a training on these rows could not reach the goal, so that it fails before
/// it begins.
void require_reachable(const ThresholdGoal& goal, const Parameters& parameters, const Dataset& data);

/// Decisions above it tell the second class.
struct Threshold {
    double value = 0;
    Report report = {};
};

/// Throws Error(unsupported) for a model without a threshold between two classes that could be moved.
void require_threshold(const Model& model);

/// Finds the threshold. `decisions` are those on rows that training has not seen, and `classes` the positions
/// of their classes, 0 or 1. Throws Error(unsupported) where the rows of the first class are too few for the
/// bound, and Error(invalid_data) where costs are asked of rows of one class.
Threshold threshold_for(const ThresholdGoal& goal, std::span<const double> decisions,
                        std::span<const Index> classes, Control& control);

/// Makes the same model with decisions that are smaller by the threshold.
Model moved(const Model& model, const Threshold& threshold, Control& control);

/// Makes the same model with a threshold that is chosen on rows of both classes that training has not seen.
/// Throws Error(unsupported) for a model whose decisions are not those of one function with an offset.
Model with_threshold(const Model& model, const Dataset& data, const ThresholdGoal& goal, Control& control);

}  // namespace dk
