// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// out += A B for a tile A of kernel values (rows x inner, `a_stride` values from one row to the next) and
/// coefficients B (inner x cols, without gaps). Sums are in double precision whatever the kernel values are,
/// and a row's sums do not depend on the other rows. For products this small it is faster than one that packs
/// its operands.
void add_tile_product(const double* a, Index a_stride, Index rows, Index inner, const double* b, Index cols,
                      double* out);
void add_tile_product(const float* a, Index a_stride, Index rows, Index inner, const double* b, Index cols,
                      double* out);

}  // namespace dk
