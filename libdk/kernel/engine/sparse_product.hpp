// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "data/dataset.hpp"
#include "kernel/engine/maps.hpp"

namespace dk {

/// The inner products of sparse rows left_rows[0 .. rows) with rows right_row .. right_row + cols.
/// `spread` is scratch, all zero before and after.
template <typename T>
void sparse_product(const SparseMatrix& left, const Index* left_rows, Index rows, const SparseMatrix& right,
                    Index right_row, Index cols, std::vector<double>& spread, T* out, Index out_stride);

/// Sums over the columns of pairs of sparse rows, left_rows x (right_row .. right_row + cols), without gaps.
template <typename T>
void sparse_pair_sums(PairSum sum, const SparseMatrix& left, std::span<const Index> left_rows,
                      const SparseMatrix& right, Index right_row, Index cols, T* out);

/// |a x_i - b z_j|^2 of sparse rows.
double sparse_squared_distance(const SparseMatrix& left, Index i, const SparseMatrix& right, Index j,
                               double left_factor, double right_factor);

}  // namespace dk
