// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/types.hpp"

namespace dk {

/// One left row against the right rows of a block. The right values are read up to `arc_cosine_padding`
/// beyond the block's columns.
struct ArcCosineRow {
    double left_reciprocal;  // 1 / |x|; 0 for the zero vector
    const double* right_reciprocals;
    double left_scale;  // sqrt(k(x, x))
    const double* right_scales;
    std::span<const int> degrees;  // of the layers, 0 to 3
};
constexpr Index arc_cosine_padding = 32;

/// Pairs whose 1 - |cosine| is below this have lost too many digits to the product.
constexpr double close_gap = 1e-3;

/// out = the multilayer arc-cosine kernel from inner products; false when a pair is closer to parallel than
/// `close_gap` allows: the row is then to be computed from its gaps. `scratch` holds cols values.
template <typename T>
bool arc_cosine_of_products(const T* products, const ArcCosineRow& row, Index cols, double* scratch, T* out);

/// The same from gaps: 1 - |cosine|, negative where the cosine is. The gaps are overwritten.
template <typename T>
void arc_cosine_of_gaps(double* gaps, const ArcCosineRow& row, Index cols, T* out);

}  // namespace dk
