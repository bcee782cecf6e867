// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "data/dataset.hpp"
#include "machine/machine.hpp"
#include "pipeline/validation/fold_scores.hpp"

namespace dk {

/// Scores, on the held-out rows, the prediction that looks at no feature: for classes the most frequent one
/// of the training rows (the first of equal ones), for several labels those that more than half of the
/// training rows have, for values their mean, and for quantiles those of the targets alone. What a model
/// scores means something beside it. Novelty detectors have none.
Scores baseline_scores(Task task, std::span<const double> levels, const Dataset& data,
                       std::span<const Index> training, std::span<const Index> held_out);

}  // namespace dk
