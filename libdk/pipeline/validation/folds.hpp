// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "data/dataset.hpp"
#include "pipeline/machine_specification.hpp"

namespace dk {

/// One division of the rows into those that train a model and those that judge it.
struct Fold {
    std::vector<Index> training;
    std::vector<Index> held_out;
};

/// Throws Error(invalid_parameter) unless the rows, or their groups, can be divided into so many folds.
void require_folds(const Dataset& data, const char* name, Index count);

/// Divides the rows as the parameters `folds`, `repeats` and `seed` say.
std::vector<Fold> folds_of(const Dataset& data, const MachineSpecification& specification, Control& control);

/// Throws Error(invalid_data) where a fold holds out all rows of a class, which its model could not know
/// then.
void require_classes_in_training(const Dataset& data, const std::vector<Fold>& folds, const char* name,
                                 Index count);

}  // namespace dk
