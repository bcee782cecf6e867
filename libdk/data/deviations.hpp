// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"

namespace dk {

/// The standard deviation of each column, of the values that are not missing; 0 without any.
std::vector<double> column_deviations(const DenseMatrix& matrix, Control& control);

}  // namespace dk
