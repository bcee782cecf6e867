// SPDX-License-Identifier: Apache-2.0
#pragma once

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
};

/// Compares proposals in heats, each on more rows or on other folds than the one before. A heat drops those
/// that are more than two standard errors behind its best, and the second one also tries what lies around
/// the two best of the first. Columns are scaled as all rows of a heat say, so that its folds share kernel
/// values; no fold's labels are seen by that. A proposal whose training fails drops out; where all do, there
/// is no best.
std::vector<Heat> race(const Dataset& data, std::vector<Proposal> proposals, const RaceGoal& goal,
                       Control& control);

/// Leaves out the rows of classes with fewer than two rows, which no fold can both learn and judge.
Dataset without_single_rows(const Dataset& data);

}  // namespace dk
