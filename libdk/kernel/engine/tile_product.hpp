// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// Adds out += A B for a tile A of kernel values (rows x inner, with `a_stride` values from one row to the
/// next) and coefficients B (inner x cols, without gaps). The sums have double precision even where kernel
/// values have single, and a row's sums do not depend on the other rows. At this size the function is faster
/// than the product of matrix/product.hpp, which packs its operands.
void add_tile_product(const double* a, Index a_stride, Index rows, Index inner, const double* b, Index cols,
                      double* out);
void add_tile_product(const float* a, Index a_stride, Index rows, Index inner, const double* b, Index cols,
                      double* out);

}  // namespace dk
