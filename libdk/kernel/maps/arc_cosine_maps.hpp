// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/types.hpp"

namespace dk {

/// How a layer with biases mixes a constant into what it sees. Of the squared length p = w q + b of its
/// input, w q comes from the layer before and b from the bias; these are the roots of the two shares, sqrt(w
/// q / p) and sqrt(b / p), of the left row and of the right ones.
struct LayerMix {
    double left_weight;
    double left_bias;
    const double* right_weights;
    const double* right_biases;
};

/// What the maps need of one left row x and the right rows z of a block. They read up to `arc_cosine_padding`
/// right values beyond the block's columns.
struct ArcCosineRow {
    double left_reciprocal;           // 1 / |x|; 0 for the zero vector
    const double* right_reciprocals;  // 1 / |z|
    double left_scale;                // sqrt(k(x, x))
    const double* right_scales;       // sqrt(k(z, z))
    std::span<const int> degrees;     // degrees of the layers, 0 to 3
    std::span<const LayerMix> mixes;  // one for each layer, or none where layers have no biases
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

/// Computes a row of the neural tangent kernel from gaps, which it overwrites. All degrees are 1, and with
/// biases there is a mix more than layers.
template <typename T>
void tangent_of_gaps(double* gaps, const ArcCosineRow& row, Index cols, T* out);

}  // namespace dk
