// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/report.hpp"
#include "pipeline/search/grid.hpp"
#include "pipeline/validation/fold_scores.hpp"
#include "pipeline/validation/folds.hpp"

namespace dk {

/// Candidates that were compared on the same folds, and how they were found.
struct Compared {
    std::vector<Candidate> candidates = {};
    std::vector<FoldScores> scores = {};
    Report how = {};  // empty for a grid, which says itself what it compares
};

/// Compares the candidates that the parameters `grid` or `tune` ask for. A search tries `trials` combinations
/// in the space of `tune`: all of them drawn evenly (search=random), or some, and then those that a surrogate
/// of the scores so far expects the most of (search=adaptive). What it tries depends on the seed, not on the
/// number of threads. A combination whose training fails is reported, and fatal only where all of them fail.
Compared compare_candidates(const Dataset& data, const MachineSpecification& specification,
                            const std::vector<Fold>& folds, const std::string& metric, Control& control);

}  // namespace dk
