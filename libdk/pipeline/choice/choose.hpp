// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "pipeline/automatic.hpp"

namespace dk {

/// Chooses a model for the rows as the machine `auto` does, and trains it on all of them. The model's
/// validation report tells what was tried, what each scored on the last folds that it took part in, and by
/// how much the winner leads. Its own score there is too good, since it won by it; with the parameter
/// `outer_folds`, the whole choice is repeated without each of so many parts of the rows, and scored on them.
Model choose(const Dataset& data, const MachineSpecification& automatic, Control& control);

/// The same, scored on as many outer folds as the parameter `folds` says where `outer_folds` does not.
Model choose_and_validate(const Dataset& data, MachineSpecification automatic, Control& control);

}  // namespace dk
