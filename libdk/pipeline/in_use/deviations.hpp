// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"

namespace dk {

/// Computes the posterior standard deviation of a ridge regression's function at each row (see dk_deviation).
/// Throws Error(unsupported) where the model has none.
std::vector<double> deviations(const Model& model, const Dataset& data, Control& control);

}  // namespace dk
