// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/preparation.hpp"
#include "pipeline/machine_specification.hpp"

namespace dk {

/// Training rows as a machine is given them, and the way that other rows go there.
struct PreparedTraining {
    Preparation preparation;
    Dataset rows;
};

/// Learns the scaling and the layers, and gives the rows what the machine's task needs: labels of the classes
/// that are present, or targets.
PreparedTraining prepare_training(const Dataset& data, const MachineSpecification& specification,
                                  const MemoryBudget& budget, Control& control);

/// Leaves out the classes that no row has, because a fold may lack one.
Labels present_classes(const Labels& labels);

}  // namespace dk
