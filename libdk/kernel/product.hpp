// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "data/dataset.hpp"
#include "kernel/maps.hpp"

namespace dk {

/// out = X Z' for row-major X (rows x depth) and Z (cols x depth), by BLAS on the calling thread.
void dense_product(const double* x, Index x_stride, Index rows, const double* z, Index z_stride, Index cols,
                   Index depth, double* out, Index out_stride);
void dense_product(const float* x, Index x_stride, Index rows, const float* z, Index z_stride, Index cols,
                   Index depth, float* out, Index out_stride);

/// out += A' B for row-major A (inner x rows) and B (inner x cols).
void accumulate_transposed_product(const double* a, Index a_stride, Index rows, Index inner, const double* b,
                                   Index b_stride, Index cols, double* out, Index out_stride);

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

/// The BLAS and the processor it chose, for dk_build_info.
std::string blas_description();

}  // namespace dk
