// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "pipeline/settings.hpp"

namespace dk {

/// Scores the settings by cross-validation with `folds`, `repeats` and `seed`, and trains on all rows;
/// the scores are in the model's validation report.
Model cross_validate(const Dataset& data, const Settings& settings, Control& control);

}  // namespace dk
