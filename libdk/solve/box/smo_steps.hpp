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
/// instructions. All sets with fused multiply-add give the same bits. Arrays of doubles hold a multiple of
/// `smo_padding` elements, those behind `count` as of variables that can't move. `rising` is v where a
/// variable can rise and -infinity elsewhere, `falling` is v where it can fall and infinity elsewhere. T is
/// the type of kernel values.
template <typename T>
struct SmoSteps {
    Extremes (*extremes)(const double* rising, const double* falling, Index count);

    /// Subtracts move (row_i - row_j) from v, and gives the extremes of the new v.
    Extremes (*step)(const T* row_i, const T* row_j, double move, double* rising, double* falling,
                     Index count);

    /// Gives the t that can fall, with v_t < highest, of the largest gain (highest - v_t)^2 / curvature,
    /// where the pair's curvature is own + diagonal_t - 2 row_i[t]. Gives -1 if there is none.
    Index (*partner)(const T* row_i, double own, const double* diagonal, const double* falling,
                     double highest, Index count);
};

inline constexpr Index smo_padding = 16;  // twice the lanes of the widest vectors
inline constexpr double smallest_curvature = 1e-12;

/// Gives the loops that are compiled for this processor's best instructions.
template <typename T>
const SmoSteps<T>& smo_steps();
template <>
const SmoSteps<double>& smo_steps();
template <>
const SmoSteps<float>& smo_steps();

}  // namespace dk
