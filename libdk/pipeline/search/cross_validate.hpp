// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "pipeline/machine_specification.hpp"

namespace dk {

/// Scores the candidates of the specification's grid by cross-validation with `folds`, `repeats` and `seed`,
/// and trains the best one on all rows. The model's validation report tells the scores.
Model cross_validate(const Dataset& data, const MachineSpecification& specification, Control& control);

/// Cross-validates every way to weigh the bank and every kernel alone, unless the grid names ways itself.
Model compare_weights(const Dataset& data, MachineSpecification specification, Control& control);

}  // namespace dk
