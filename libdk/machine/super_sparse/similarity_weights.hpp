// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "machine/super_sparse/super_sparse_fit.hpp"
#include "solve/squares/penalised_squares.hpp"

namespace dk {

/// Computes S, the similarities of rows to points.
Matrix similarities(const KernelPointer& kernel, const Dataset& data, const Dataset& points,
                    Control& control);

/// Solves (4), which gives the best weights and offsets for given prototypes.
PenalisedSolution best_weights(const Matrix& S, const SuperSparseTargets& targets,
                               const SuperSparseOptions& options, const Matrix& start, Control& control);

/// Makes a dataset of dense points, one a row.
Dataset dataset_of(const Matrix& points);

/// Approximates, for a kernel that cannot compute its own gradient, sum_i P(j, i) grad s(x_i, z_j) for each
/// point j by central differences. In a column with the unit vector e it is
///     P_j (s(x, z_j + h e) - s(x, z_j - h e)) / (2 h),   h = 1e-5 of the column's spread.
/// All points move together, so that a column takes two matrices of similarities.
Matrix central_differences(const KernelPointer& kernel, const Dataset& data, const Matrix& points,
                           const Matrix& P, const Vector& spreads, Control& control);

/// Computes sum_i P(j, i) grad s(x_i, z_j) for each point j: by the kernel's gradient where it has one.
Matrix point_gradients(const KernelPointer& kernel, const Dataset& data, const Matrix& points,
                       const Matrix& P, const Vector& spreads, Control& control);

/// Gives the standard deviation of each column of dense rows, and 1 where it is constant.
Vector column_spreads(const Dataset& data, Control& control);

}  // namespace dk
