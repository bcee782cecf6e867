// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "pipeline/choice/proposals.hpp"
#include "pipeline/validation/fold_scores.hpp"
#include "pipeline/validation/folds.hpp"

namespace dk {

/// What some proposals scored on the same folds of the same rows.
struct Heat {
    Index rows = 0;
    std::vector<Fold> folds = {};
    Index repeats = 1;  // how often the rows are divided
    std::vector<Proposal> proposals = {};
    std::vector<FoldScores> scores = {};
    std::vector<std::string> failures = {};  // why a proposal has no scores; empty for those that have
    std::size_t best = 0;
    Report baseline = {};  // what predicting without features scores
};

/// What the race is run for.
struct RaceGoal {
    Task task;
    std::string metric;
    const MachineSpecification& automatic;
    /// When it ends with what was compared by then.
    std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max();

    bool time_is_over() const { return std::chrono::steady_clock::now() >= end; }
};

/// The end of a race that begins now, as the parameter `seconds` says.
std::chrono::steady_clock::time_point end_of_race(const Parameters& parameters);

/// Compares proposals in heats, each on more rows or on other folds than the one before. A heat drops those
/// that are more than two standard errors behind its best, and the second one also tries what lies around
/// the two best of the first. Columns are scaled as all rows of a heat say, so that its folds share kernel
/// values; no fold's labels are seen by that. A proposal whose training fails drops out; where all do, there
/// is no best. Where the time is over, what was not compared has that as its failure, and no heat follows.
std::vector<Heat> race(const Dataset& data, std::vector<Proposal> proposals, const RaceGoal& goal,
                       Control& control);

/// Leaves out the rows of classes with fewer than two rows, which no fold can both learn and judge. The
/// labels of a regression are values, of which most occur once.
Dataset without_single_rows(const Dataset& data, Task task);

}  // namespace dk
