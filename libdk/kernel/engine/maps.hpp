// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// What is summed over the columns of a pair of rows. The last three are for values >= 0; 0/0 is 0.
enum class PairSum {
    absolute,    // |x - z|
    squared,     // (x - z)^2
    chi_square,  // (x - z)^2 / (x + z)
    harmonic,    // 2 x z / (x + z)
    minimum      // min(x, z)
};

/// Elementwise maps over tiles, vectorised for one instruction set. `in` is rows x cols without gaps,
/// `out` has a row stride; they may be the same memory if the strides are equal. Norms have one
/// element a row of the tile (left) or a column (right).
template <typename T>
struct TileMaps {
    /// out = max(0, |x|^2 + |z|^2 - 2 x.z)
    void (*squared_distance)(const T* in, const double* left_norms, const double* right_norms, Index rows,
                             Index cols, T* out, Index stride);

    /// out = exp(-gamma max(0, |x|^2 + |z|^2 - 2 x.z))
    void (*gaussian)(const T* in, const double* left_norms, const double* right_norms, double gamma,
                     Index rows, Index cols, T* out, Index stride);

    /// out = exp(factor in); here `in` has a row stride too
    void (*exponential)(const T* in, double factor, Index rows, Index cols, Index in_stride, T* out,
                        Index stride);

    /// out = (gamma in + coef0)^degree
    void (*power)(const T* in, double gamma, double coef0, int degree, Index rows, Index cols, T* out,
                  Index stride);

    /// out = tanh(gamma in + coef0)
    void (*tanh)(const T* in, double gamma, double coef0, Index rows, Index cols, T* out, Index stride);

    /// Sums over the columns of row-major x and transposed z (depth x cols)
    void (*pair_sums)(PairSum sum, const T* x, Index x_stride, Index rows, const T* z, Index z_stride,
                      Index cols, Index depth, T* out, Index stride);

    /// out = in' in the nearest cache: out(j, i) = in(i, j), no gaps on either side
    void (*transpose)(const T* in, Index rows, Index cols, T* out);

    /// Copies rows of a tile to memory that is not read again soon, past the caches, which spares
    /// reading what is overwritten; visible to other threads after flush_streams().
    void (*stream_rows)(const T* in, Index rows, Index cols, T* out, Index stride);
};

/// Makes streamed rows visible to other threads.
void flush_streams();

/// The maps for the best instructions of this processor.
template <typename T>
const TileMaps<T>& tile_maps();
template <>
const TileMaps<double>& tile_maps();
template <>
const TileMaps<float>& tile_maps();

}  // namespace dk
