// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// out += A B for a tile A of kernel values (rows x inner, without gaps) and row-major coefficients B
/// (inner x cols, without gaps); sums are in double precision whatever the kernel values are. Vectorised for
/// the instructions of this processor; for products this small it is faster than a BLAS, which copies both
/// sides first.
void add_tile_product(const double* a, Index rows, Index inner, const double* b, Index cols, double* out);
void add_tile_product(const float* a, Index rows, Index inner, const double* b, Index cols, double* out);

}  // namespace dk
