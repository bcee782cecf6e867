// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "pipeline/machine_specification.hpp"

namespace dk {

/// Makes a model of a few free prototypes that decides as `model` does on the rows of `data`, whatever
/// machine made `model`. The specification is that of a super-sparse machine, whose number of prototypes,
/// penalty and limits it gives, and its kernel where that is not auto. The report of the new model tells how
/// well both agree.
Model compress(const Model& model, const Dataset& data, const MachineSpecification& specification,
               Control& control);

}  // namespace dk
