// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"
#include "model/kernel_expansion.hpp"

namespace dk {

/// Makes the trained machine of one function over all training rows, which is a regression or a novelty
/// detector. `report` becomes the only entry of the report's functions.
TrainedMachine single_function(const TrainingProblem& problem, std::vector<double> gamma, double offset,
                               Report report, DecisionRule rule);

/// Gives the weight of each row, which is 1 where none were given.
std::vector<double> row_weights(const Dataset& data);

/// Gives the targets of classifiers, row by row. One column is 1 for rows of the second class and -1 for
/// those of the first; of several, column c is 1 for rows of class c and -1 for all others.
std::vector<double> class_targets(const Labels& labels, Index columns);

/// Gives such targets of rows with a class, or with several labels: column c is 1 for rows that have label c.
/// Two classes have one column.
Targets sign_targets(const Dataset& data);

}  // namespace dk
