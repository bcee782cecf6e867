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

/// Gives training rows of similarities those of each row to itself, which stand on the diagonals of stored
/// matrices, or are asked for; others stay as they are. Rows that are selected from them have theirs too.
Dataset with_self_similarities(const Dataset& data, Control& control);

/// Leaves out the classes that no row has, because a fold may lack one.
Labels present_classes(const Labels& labels);

}  // namespace dk
