// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// Triangles of at most so many rows are solved by these loops, because products would not pay.
inline constexpr Index small_triangle = 32;

/// Loops for a small lower triangle L (size x size), compiled for one set of instructions. X takes the place
/// of B. Each right-hand side takes the same sequence of operations wherever its row or column stands.
struct TriangularLoops {
    /// Solves X L' = B, where each row of B is a right-hand side.
    void (*solve_rows)(const double* lower, Index stride, Index size, double* b, Index b_stride, Index rows);
    /// Solves L X = B, where each column of B is a right-hand side.
    void (*solve_columns)(const double* lower, Index stride, Index size, double* b, Index b_stride,
                          Index cols);
    /// Solves L' X = B, where each column of B is a right-hand side.
    void (*solve_columns_transposed)(const double* lower, Index stride, Index size, double* b, Index b_stride,
                                     Index cols);
};

/// Gives the loops for the best instructions of this processor.
const TriangularLoops& triangular_loops();

}  // namespace dk
