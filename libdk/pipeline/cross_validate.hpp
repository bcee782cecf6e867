// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "pipeline/machine_specification.hpp"

namespace dk {

/// Scores the specification by cross-validation with `folds`, `repeats` and `seed`, and trains on all rows;
/// the scores are in the model's validation report.
Model cross_validate(const Dataset& data, const MachineSpecification& specification, Control& control);

/// The same over every way to weigh the bank and every kernel alone, as far as the grid does not name others.
Model compare_weights(const Dataset& data, MachineSpecification specification, Control& control);

}  // namespace dk
