// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "pipeline/search/grid.hpp"
#include "pipeline/validation/fold_scores.hpp"
#include "pipeline/validation/folds.hpp"

namespace dk {

/// Trains every candidate on every fold and scores it on the rows that the fold holds out. Candidates that
/// stand together and share a kernel share its values, where that is possible.
std::vector<FoldScores> score_candidates(const Dataset& data, const MachineSpecification& specification,
                                         std::span<const Candidate> candidates,
                                         const std::vector<Fold>& folds, Control& control);

}  // namespace dk
