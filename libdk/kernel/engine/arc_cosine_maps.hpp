// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/types.hpp"

namespace dk {

/// What the maps need of one left row x and the right rows z of a block. They read up to `arc_cosine_padding`
/// right values beyond the block's columns.
struct ArcCosineRow {
    double left_reciprocal;           // 1 / |x|; 0 for the zero vector
    const double* right_reciprocals;  // 1 / |z|
    double left_scale;                // sqrt(k(x, x))
    const double* right_scales;       // sqrt(k(z, z))
    std::span<const int> degrees;     // degrees of the layers, 0 to 3
};
constexpr Index arc_cosine_padding = 32;

/// Where 1 - |cosine| from an inner product is less than this, the difference has lost too many digits.
constexpr double close_gap = 1e-3;

/// Computes a row of the multilayer arc-cosine kernel from inner products. It returns false when a pair is
/// closer to parallel than `close_gap` allows, and the caller then computes the row from gaps. `scratch`
/// holds cols values.
template <typename T>
bool arc_cosine_of_products(const T* products, const ArcCosineRow& row, Index cols, double* scratch, T* out);

/// Computes a row from gaps, which are 1 - |cosine| with the sign of the cosine. It overwrites the gaps.
template <typename T>
void arc_cosine_of_gaps(double* gaps, const ArcCosineRow& row, Index cols, T* out);

}  // namespace dk
