// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// Triangles of at most so many rows are solved without products.
inline constexpr Index small_triangle = 32;

/// Loops for a small lower triangle L (size x size), compiled for one set of instructions. Each element is
/// found by the same sequence of operations wherever its row or column stands.
struct TriangularLoops {
    /// X L' = B, one right-hand side a row.
    void (*solve_rows)(const double* lower, Index stride, Index size, double* b, Index b_stride, Index rows);
    /// L X = B, one right-hand side a column.
    void (*solve_columns)(const double* lower, Index stride, Index size, double* b, Index b_stride,
                          Index cols);
    /// L' X = B, one right-hand side a column.
    void (*solve_columns_transposed)(const double* lower, Index stride, Index size, double* b, Index b_stride,
                                     Index cols);
};

const TriangularLoops& triangular_loops();

}  // namespace dk
