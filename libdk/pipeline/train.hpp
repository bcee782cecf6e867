// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "pipeline/machine_specification.hpp"

namespace dk {

/// Makes a model of data in five steps: data, kernels, weights, machine, model. With probability=yes it also
/// learns the sigmoids that turn decisions into probabilities.
Model train(const Dataset& data, const MachineSpecification& specification, Control& control);

/// Throws Error(invalid_parameter) where parameters ask for a search among candidates, or for other scores of
/// a cross-validation, which training does not make.
void require_no_search(const MachineSpecification& specification);

/// Makes one of several models of the same data that differ in C alone, which rises. What they share may make
/// all but the first of them cheaper; a null path is no path.
Model train_along(CostPath* path, const Dataset& data, const MachineSpecification& specification,
                  Control& control);

/// Tells whether training learns more than functions, from what models say of rows that it holds out.
bool learns_from_held_out_rows(const MachineSpecification& specification);

/// Throws Error(invalid_data) with row and column where a value is missing and the specification fills none.
void require_complete_unless_filled(const Dataset& data, const MachineSpecification& specification);

/// Throws Error(invalid_data) where the labels of all rows that a user gives for a classification look like
/// numbers of rows (parameter many_classes). Parts of the rows, as in a fold, have classes of one row
/// rightly.
void require_repeated_classes(const Dataset& data, const MachineSpecification& specification);

/// Trains without learning sigmoids, whatever the specification says: calibration runs this on its folds. A
/// machine whose decisions are log odds has probabilities all the same.
Model train_uncalibrated(const Dataset& data, const MachineSpecification& specification, Control& control);

}  // namespace dk
