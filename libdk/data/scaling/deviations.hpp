// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"

namespace dk {

/// Computes the standard deviation of the values in each column that are not missing; it is 0 if all are.
std::vector<double> column_deviations(const DenseMatrix& matrix, Control& control);

}  // namespace dk
