// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "data/dataset.hpp"
#include "kernel/maps/maps.hpp"

namespace dk {

/// Computes the inner products of the left rows left_rows[0] to left_rows[rows - 1] with the right rows from
/// right_row to right_row + cols - 1. The rows of `out` are `out_stride` values apart. `spread` is scratch,
/// which must be all zero, and is so again afterwards.
template <typename T>
void sparse_product(const SparseMatrix& left, const Index* left_rows, Index rows, const SparseMatrix& right,
                    Index right_row, Index cols, std::vector<double>& spread, T* out, Index out_stride);

/// Computes the sums over the columns of all pairs of left_rows with the right rows from right_row to
/// right_row + cols - 1. The rows of `out` have no gaps.
template <typename T>
void sparse_pair_sums(PairTerm term, const SparseMatrix& left, std::span<const Index> left_rows,
                      const SparseMatrix& right, Index right_row, Index cols, T* out);

/// Computes |a x_i - b z_j|^2 of sparse rows for a = left_factor and b = right_factor.
double sparse_squared_distance(const SparseMatrix& left, Index i, const SparseMatrix& right, Index j,
                               double left_factor, double right_factor);

}  // namespace dk
