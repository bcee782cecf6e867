// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"
#include "model/kernel_expansion.hpp"

namespace dk {

/// The machine that one function over all training rows is: a regression, or a novelty detector. `report`
/// becomes the only entry of the report's functions.
TrainedMachine single_function(const TrainingProblem& problem, std::vector<double> gamma, double offset,
                               Report report, DecisionRule rule);

/// The weights of all rows, 1 where none were given.
std::vector<double> row_weights(const Dataset& data);

/// One function for two classes (1 for the second), else one a class: 1 for its rows and -1 for all others.
std::vector<double> class_targets(const Labels& labels, Index columns);

}  // namespace dk
