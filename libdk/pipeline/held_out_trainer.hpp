// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/machine_specification.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

/// Makes what weight strategies that train ask for: the machine, trained as it is specified. It scores
/// classifiers only.
HeldOutTrainer held_out_trainer(const MachineSpecification& specification, const MemoryBudget& budget);

}  // namespace dk
