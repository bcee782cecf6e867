// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "pipeline/search/grid.hpp"
#include "pipeline/validation/fold_scores.hpp"
#include "pipeline/validation/folds.hpp"

namespace dk {

/// Gives the metric by which the parameter `select` says that candidates are compared, for the task. Throws
/// Error(invalid_parameter) where the task has no such metric.
std::string selecting_metric(const MachineSpecification& specification, Task task);

/// Finds the position of the best candidate, the first of equal ones.
std::size_t best_of(const std::vector<FoldScores>& scores, const std::string& metric);

/// Gives by how much the first is better than the second in each fold that defines the metric for both.
std::vector<double> differences(const FoldScores& first, const FoldScores& second, const std::string& metric);

/// Reports the parameters that tell a candidate from the others.
Report chosen_parameters(const Candidate& candidate);

/// Reports what each candidate chose, how it did, and how far it is behind the best.
std::vector<Report> compared(const std::vector<Candidate>& candidates, const std::vector<FoldScores>& scores,
                             std::size_t best, const std::string& metric, Index folds);

/// Reports what predicting without features scores on the same folds.
Report report_of_baseline(const Dataset& data, const MachineSpecification& specification, Task task,
                          const std::vector<Fold>& folds);

}  // namespace dk
