// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

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

/// Gives the decision on any row of one of several labels that all rows with a weight have, or none of them;
/// none for other labels, and for classes. It is the log odds of n + 1 to 1 (Laplace's rule of succession),
/// so that it is right where decisions are log odds.
std::optional<double> constant_decision(const Dataset& data, Index label);

/// Gives such targets of rows with a class, or with several labels: column c is 1 for rows that have label c.
/// Two classes have one column.
Targets sign_targets(const Dataset& data);

}  // namespace dk
