// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/types.hpp"

namespace dk {

/// What is summed over the columns of a pair of rows x and z. Three are for values of at least 0, and take
/// 0 / 0 as 0. Of the spline's terms t, s + t + s t takes the place of the sum s + t: this makes prod (1 + t)
/// - 1, to which columns where x or z is 0 add nothing.
enum class PairSum {
    absolute,    // |x - z|
    squared,     // (x - z)^2
    unlikeness,  // 1 - exp(-gamma (x - z)^2)
    chi_square,  // (x - z)^2 / (x + z)
    harmonic,    // 2 x z / (x + z)
    minimum,     // min(x, z)
    spline       // t = x z, and m^2 (3 M - m) / 6 more where x and z have one sign
};

/// The terms of a sum. Those without a width leave gamma at 0.
struct PairTerm {
    PairSum sum;
    double gamma = 0;
    bool operator==(const PairTerm&) const = default;
};

/// Elementwise maps over tiles, vectorised for one set of instructions. `in` is rows x cols without gaps, and
/// the rows of `out` are `stride` values apart; both may be the same memory when their strides are equal.
/// There is a left norm, the squared length |x|^2, for each row of a tile, and a right norm |z|^2 for each
/// column.
template <typename T>
struct TileMaps {
    /// Computes out = max(0, |x|^2 + |z|^2 - 2 x.z).
    void (*squared_distance)(const T* in, const double* left_norms, const double* right_norms, Index rows,
                             Index cols, T* out, Index stride);

    /// Computes out = exp(-gamma max(0, |x|^2 + |z|^2 - 2 x.z)).
    void (*gaussian)(const T* in, const double* left_norms, const double* right_norms, double gamma,
                     Index rows, Index cols, T* out, Index stride);

    /// Computes out = exp(factor in), where the rows of `in` are in_stride values apart.
    void (*exponential)(const T* in, double factor, Index rows, Index cols, Index in_stride, T* out,
                        Index stride);

    /// Computes out = (gamma in + coef0)^degree.
    void (*power)(const T* in, double gamma, double coef0, int degree, Index rows, Index cols, T* out,
                  Index stride);

    /// Computes out = tanh(gamma in + coef0).
    void (*tanh)(const T* in, double gamma, double coef0, Index rows, Index cols, T* out, Index stride);

    /// Computes the sum over the `depth` columns for each row of x with each row of z. x is row-major, and z
    /// is transposed (depth x cols).
    void (*pair_sums)(PairTerm term, const T* x, Index x_stride, Index rows, const T* z, Index z_stride,
                      Index cols, Index depth, T* out, Index stride);

    /// Computes out(j, i) = in(i, j), where neither has gaps, for tiles that stay in the nearest caches.
    void (*transpose)(const T* in, Index rows, Index cols, T* out);

    /// Copies a tile to memory that is not read again soon. It writes past the caches, which need not read
    /// what is overwritten. Other threads may read the copy after flush_streams().
    void (*stream_rows)(const T* in, Index rows, Index cols, T* out, Index stride);
};

/// Makes rows that this thread streamed visible to other threads.
void flush_streams();

/// Gives the maps for the best instructions of this processor.
template <typename T>
const TileMaps<T>& tile_maps();
template <>
const TileMaps<double>& tile_maps();
template <>
const TileMaps<float>& tile_maps();

/// Larger results leave the caches before anyone reads them, so nothing is lost by writing past the caches.
inline constexpr Index streamed_bytes = Index{32} << 20;

/// Writes tiles to their places in a result, past the caches when the result is large.
template <typename T>
class TileWriter {
  public:
    TileWriter(Index values, Index stride)
        : stride_(stride), streams_(values * static_cast<Index>(sizeof(T)) > streamed_bytes) {}

    void write(const T* tile, Index rows, Index cols, T* out) const {
        if (streams_) {
            tile_maps<T>().stream_rows(tile, rows, cols, out, stride_);
        } else {
            for (Index i = 0; i < rows; ++i)
                std::copy(tile + i * cols, tile + (i + 1) * cols, out + i * stride_);
        }
    }
    /// Must be called before another thread reads what this one wrote.
    void finish() const {
        if (streams_) flush_streams();
    }

  private:
    Index stride_;
    bool streams_;
};

}  // namespace dk
