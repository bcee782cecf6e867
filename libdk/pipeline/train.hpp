// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "pipeline/settings.hpp"

namespace dk {

/// The five steps: data, kernels, weights, machine, model. With probability=yes also the sigmoids.
Model train(const Dataset& data, const Settings& settings, Control& control);

/// Throws Error(invalid_data) with row and column of a missing value that the settings do not fill.
void require_complete_unless_filled(const Dataset& data, const Settings& settings);

/// As train, but never with probabilities: what cross-validation runs on its folds.
Model train_uncalibrated(const Dataset& data, const Settings& settings, Control& control);

}  // namespace dk
