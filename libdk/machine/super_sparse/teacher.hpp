// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"

namespace dk {

/// Lists the parameters of the machine that super-sparse machines learn from. Classifiers learn from a
/// support vector machine where nothing else is said, and regressions from the targets themselves.
std::vector<ParameterSpec> teacher_parameters(Task task);

/// Tells whether the prototypes learn from another machine, and not from labels or targets.
bool has_teacher(const Parameters& parameters);

/// Trains the teacher on the rows `known` and gives its decisions for the rows `asked`, rows x functions.
std::vector<double> teacher_decisions(const TrainingProblem& problem, const Dataset& known,
                                      const Dataset& asked, Index functions);

}  // namespace dk
