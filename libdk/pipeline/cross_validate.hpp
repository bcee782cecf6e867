// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "pipeline/settings.hpp"

namespace dk {

/// Scores the settings by cross-validation with `folds`, `repeats` and `seed`, and trains on all rows;
/// the scores are in the model's validation report.
Model cross_validate(const Dataset& data, const Settings& settings, Control& control);

/// The same over every way to weigh the bank and every kernel alone, as far as the grid does not name others.
Model compare_weights(const Dataset& data, Settings settings, Control& control);

}  // namespace dk
