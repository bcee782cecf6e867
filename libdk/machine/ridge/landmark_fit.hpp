// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/ridge/ridge_fit.hpp"

namespace dk {

/// Finds coefficients of landmarks alone, without any matrix of all rows. Throws Error(memory_budget) when
/// the landmarks' matrices do not fit.
RidgeFit fit_landmarks(const TrainingProblem& problem, const std::vector<double>& targets, Index columns,
                       const RidgeTargets& kind);

}  // namespace dk
