// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/dictionary/dictionary_machine.hpp"

namespace dk {

struct SelectedWeighing {
    WeighingOptions options;
    Report report;  // the share of rows that each candidate told rightly, and its kernels
};

/// Chooses how kernels are weighed by cross-validation within the training rows: rho and kappa of the policy
/// diverse, with the policies quadratic and uniform as candidates too, or the number of kernels of the
/// others. `options.weighing` has the policy and all that is not chosen; it stays as it is unless another
/// candidate is better by more than one standard error.
SelectedWeighing select_weighing(const TrainingProblem& problem, const DictionaryOptions& options);

}  // namespace dk
