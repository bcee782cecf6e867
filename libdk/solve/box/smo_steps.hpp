// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// Extremes are those of the descent v over the variables that can move.
struct Extremes {
    double highest;    // the largest v of those that can rise
    double lowest;     // the smallest v of those that can fall
    Index highest_at;  // the first position of the largest
};

/// SmoSteps are the loops of sequential minimal optimisation (see local_smo.cpp), vectorised for one set of
/// instructions. All sets with fused multiply-add give the same bits. Arrays of V hold a multiple of
/// `smo_padding` elements, those behind `count` as of variables that can't move. `rising` is v where a
/// variable can rise and -infinity elsewhere, `falling` is v where it can fall and infinity elsewhere. T is
/// the type of kernel values, and V that of the descent.
template <typename T, typename V>
struct SmoSteps {
    Extremes (*extremes)(const V* rising, const V* falling, Index count);

    /// Subtracts move (row_i - row_j) from v, and gives the extremes of the new v.
    Extremes (*step)(const T* row_i, const T* row_j, double move, V* rising, V* falling, Index count);

    /// Gives the t that can fall, with v_t < highest, of the largest gain (highest - v_t)^2 / curvature,
    /// where the pair's curvature is own + diagonal_t - 2 row_i[t]. Of equal gains the first wins. Gives -1
    /// if there is none.
    Index (*partner)(const T* row_i, double own, const V* diagonal, const V* falling, double highest,
                     Index count);

    /// Of the variables t = l, l + smo_padding, ... for each l < smo_padding, finds the first one that
    /// violates optimality most. Their violations, waiting_t + max(rising_t - lowest, highest - falling_t),
    /// go to violation[l], and where they stand to at[l], which is -1 where none is above 0. `waiting` is
    /// padded like the other arrays.
    void (*violators)(const V* rising, const V* falling, const V* waiting, const Extremes& extremes,
                      Index count, V* violation, Index* at);
};

template <typename V>
inline constexpr Index smo_padding = 128 / sizeof(V);  // twice the lanes of the widest vectors
inline constexpr double smallest_curvature = 1e-12;

/// Gives the loops that are compiled for this processor's best instructions.
template <typename T, typename V>
const SmoSteps<T, V>& smo_steps();
template <>
const SmoSteps<double, double>& smo_steps();
template <>
const SmoSteps<float, double>& smo_steps();
template <>
const SmoSteps<float, float>& smo_steps();

}  // namespace dk
