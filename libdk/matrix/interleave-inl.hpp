// SPDX-License-Identifier: Apache-2.0
//
// Files that Highway compiles once for every set of instructions include this one again for each set. So its
// guard changes with Highway's target.
#if defined(DK_MATRIX_INTERLEAVE) == defined(HWY_TARGET_TOGGLE)
#ifdef DK_MATRIX_INTERLEAVE
#undef DK_MATRIX_INTERLEAVE
#else
#define DK_MATRIX_INTERLEAVE
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "base/types.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
/// Transposes a square of 128-bit blocks: out[b] takes block b of each vector of `in`, in their order.
template <class D, class V, int Blocks>
HWY_INLINE void transpose_blocks(D d, const V (&in)[Blocks], V (&out)[Blocks]) {
    if constexpr (Blocks == 1) {
        out[0] = in[0];
    } else if constexpr (Blocks == 2) {
        out[0] = hn::ConcatLowerLower(d, in[1], in[0]);
        out[1] = hn::ConcatUpperUpper(d, in[1], in[0]);
    } else {
        const V even_left = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(in[1]), in[0]);
        const V even_right = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(in[3]), in[2]);
        const V odd_left = hn::OddEvenBlocks(in[1], hn::SwapAdjacentBlocks(in[0]));
        const V odd_right = hn::OddEvenBlocks(in[3], hn::SwapAdjacentBlocks(in[2]));
        out[0] = hn::ConcatLowerLower(d, even_right, even_left);
        out[1] = hn::ConcatLowerLower(d, odd_right, odd_left);
        out[2] = hn::ConcatUpperUpper(d, even_right, even_left);
        out[3] = hn::ConcatUpperUpper(d, odd_right, odd_left);
    }
}

/// Transposes the first `Lanes` elements of as many rows: out[k * out_step + r] = rows[r][k].
template <int Lanes, typename T>
HWY_INLINE void transpose_square(const T* const* rows, T* out, Index out_step) {
    const hn::CappedTag<T, Lanes> d;
    using V = hn::Vec<decltype(d)>;
    if constexpr (Lanes * sizeof(T) < 16) {
        for (int r = 0; r < Lanes; ++r) {
            for (int k = 0; k < Lanes; ++k) out[k * out_step + r] = rows[r][k];
        }
    } else {
        constexpr int in_block = 16 / static_cast<int>(sizeof(T));
        constexpr int blocks = Lanes / in_block;
        // within[j][b] has term j of each 128-bit block of the rows from b * in_block on.
        V within[in_block][blocks];
#pragma GCC unroll 4
        for (int b = 0; b < blocks; ++b) {
            const T* const* row = rows + b * in_block;
            const V row0 = hn::LoadU(d, row[0]);
            const V row1 = hn::LoadU(d, row[1]);
            if constexpr (in_block == 2) {
                within[0][b] = hn::InterleaveLower(d, row0, row1);
                within[1][b] = hn::InterleaveUpper(d, row0, row1);
            } else {
                const V row2 = hn::LoadU(d, row[2]);
                const V row3 = hn::LoadU(d, row[3]);
                const hn::Repartition<double, decltype(d)> pairs;
                const auto lower01 = hn::BitCast(pairs, hn::InterleaveLower(d, row0, row1));
                const auto lower23 = hn::BitCast(pairs, hn::InterleaveLower(d, row2, row3));
                const auto upper01 = hn::BitCast(pairs, hn::InterleaveUpper(d, row0, row1));
                const auto upper23 = hn::BitCast(pairs, hn::InterleaveUpper(d, row2, row3));
                within[0][b] = hn::BitCast(d, hn::InterleaveLower(pairs, lower01, lower23));
                within[1][b] = hn::BitCast(d, hn::InterleaveUpper(pairs, lower01, lower23));
                within[2][b] = hn::BitCast(d, hn::InterleaveLower(pairs, upper01, upper23));
                within[3][b] = hn::BitCast(d, hn::InterleaveUpper(pairs, upper01, upper23));
            }
        }
#pragma GCC unroll 4
        for (int j = 0; j < in_block; ++j) {
            V transposed[blocks];
            transpose_blocks(d, within[j], transposed);
#pragma GCC unroll 4
            for (int b = 0; b < blocks; ++b)
                hn::StoreU(transposed[b], d, out + (b * in_block + j) * out_step);
        }
    }
}

#else
template <int Lanes, typename T>
void transpose_square(const T* const* rows, T* out, Index out_step) {
    for (int r = 0; r < Lanes; ++r) {
        for (int k = 0; k < Lanes; ++k) out[k * out_step + r] = rows[r][k];
    }
}
#endif

/// Lays `count` rows side by side, term by term: out[k * out_step + r] = rows[r][k * term_step]. Unless
/// `ahead` is 0, it also prefetches what lies that many elements ahead of the rows, which the next call will
/// read.
template <int Lanes, typename T>
HWY_INLINE void interleave(const T* const* rows, int count, Index term_step, Index terms, T* out,
                           Index out_step, Index ahead = 0) {
    Index k = 0;
    if (term_step == 1) {
        const T* at[Lanes];
        for (; k + Lanes <= terms; k += Lanes) {
            for (int r = 0; r < count; r += Lanes) {
                for (int l = 0; l < Lanes; ++l) at[l] = rows[r + l] + k;
                if (ahead != 0) {
                    for (int l = 0; l < Lanes; ++l) hwy::Prefetch(at[l] + ahead);
                }
                transpose_square<Lanes>(at, out + k * out_step + r, out_step);
            }
        }
    }
    for (; k < terms; ++k) {
        for (int r = 0; r < count; ++r) out[k * out_step + r] = rows[r][k * term_step];
    }
}

}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
