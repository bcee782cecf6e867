// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "kernel/engine/kernel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

// What learners of points that move share.

/// Makes a dataset of points, one a row.
Dataset dense_points(const Matrix& points);

/// Computes the values of a kernel between the rows of two datasets.
Matrix kernel_values(const KernelPointer& kernel, const Dataset& left, const Dataset& right,
                     Control& control);

/// Gives the standard deviation of each column of dense rows, and 1 where it is constant.
Vector column_spreads(const Dataset& data, Control& control);

}  // namespace dk
