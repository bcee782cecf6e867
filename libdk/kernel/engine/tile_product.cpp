// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/tile_product.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/engine/tile_product.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "matrix/dispatch.hpp"
#include "matrix/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;

constexpr Index band_rows = 6;  // B is read once for so many rows of `out`, whose sums stay in registers.
constexpr Index most_vectors = HWY_TARGET <= HWY_AVX3 ? 4 : 2;  // for 32 registers, or 16

/// Adds the products of `Rows` rows with `Vectors` vectors of columns, the last of which has only `remaining`
/// columns. All loops are unrolled completely, because only then the compiler keeps the sums in registers.
template <Index Rows, Index Vectors>
void add_block(const double* a, Index a_stride, Index inner, const double* b, Index stride, Index remaining,
               double* out) {
    const Doubles d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    Vector sums[Rows][Vectors];
    HWY_UNROLL(24)
    for (Index e = 0; e < Rows * Vectors; ++e) sums[e / Vectors][e % Vectors] = hn::Zero(d);
    for (Index k = 0; k < inner; ++k) {
        const double* from = b + k * stride;
        Vector values[Vectors];
        HWY_UNROLL(4)
        for (Index v = 0; v + 1 < Vectors; ++v) values[v] = hn::LoadU(d, from + v * lanes);
        values[Vectors - 1] = load_first(d, from + (Vectors - 1) * lanes, remaining);
        HWY_UNROLL(8)
        for (Index r = 0; r < Rows; ++r) {
            const Vector factor = hn::Set(d, a[r * a_stride + k]);
            HWY_UNROLL(4)
            for (Index v = 0; v < Vectors; ++v) sums[r][v] = hn::MulAdd(factor, values[v], sums[r][v]);
        }
    }
    HWY_UNROLL(8)
    for (Index r = 0; r < Rows; ++r) {
        double* to = out + r * stride;
        HWY_UNROLL(4)
        for (Index v = 0; v + 1 < Vectors; ++v)
            hn::StoreU(hn::Add(sums[r][v], hn::LoadU(d, to + v * lanes)), d, to + v * lanes);
        to += (Vectors - 1) * lanes;
        store_first(hn::Add(sums[r][Vectors - 1], load_first(d, to, remaining)), d, to, remaining);
    }
}

/// Adds the products of a band with its last columns, by as few vectors as hold these, at most `Vectors`.
template <Index Rows, Index Vectors>
void add_last_block(const double* a, Index a_stride, Index inner, const double* b, Index stride, Index cols,
                    double* out) {
    const auto lanes = static_cast<Index>(hn::Lanes(Doubles()));
    if constexpr (Vectors > 1) {
        if (cols <= (Vectors - 1) * lanes)
            return add_last_block<Rows, Vectors - 1>(a, a_stride, inner, b, stride, cols, out);
    }
    add_block<Rows, Vectors>(a, a_stride, inner, b, stride, cols - (Vectors - 1) * lanes, out);
}

template <Index Rows>
void add_band(const double* a, Index a_stride, Index inner, const double* b, Index cols, double* out) {
    const auto lanes = static_cast<Index>(hn::Lanes(Doubles()));
    const Index block_cols = most_vectors * lanes;
    Index done = 0;
    for (; cols - done > block_cols; done += block_cols)
        add_block<Rows, most_vectors>(a, a_stride, inner, b + done, cols, lanes, out + done);
    add_last_block<Rows, most_vectors>(a, a_stride, inner, b + done, cols, cols - done, out + done);
}

/// Gives the rows in double precision. Those of single precision are copied to `wide`, and have no gaps
/// there.
const double* in_double(const double* rows, Index, Index, Index, std::vector<double>&) {
    return rows;
}
const double* in_double(const float* rows, Index stride, Index count, Index inner,
                        std::vector<double>& wide) {
    wide.resize(count * inner);
    const auto lanes = static_cast<Index>(hn::Lanes(Doubles()));
    for (Index r = 0; r < count; ++r) {
        const float* from = rows + r * stride;
        double* to = wide.data() + r * inner;
        Index e = 0;
        for (; e + lanes <= inner; e += lanes) hn::StoreU(load(Doubles(), from + e), Doubles(), to + e);
        for (; e < inner; ++e) to[e] = from[e];
    }
    return wide.data();
}

template <typename T>
void add_product(const T* a, Index a_stride, Index rows, Index inner, const double* b, Index cols,
                 double* out) {
    if (cols == 1) {
        for (Index r = 0; r < rows; ++r) out[r] += dot(a + r * a_stride, b, inner);
        return;
    }
    std::vector<double> wide;
    const Index stride = std::is_same_v<T, double> ? a_stride : inner;
    Index r = 0;
    for (; r + band_rows <= rows; r += band_rows)
        add_band<band_rows>(in_double(a + r * a_stride, a_stride, band_rows, inner, wide), stride, inner, b,
                            cols, out + r * cols);
    for (; r < rows; ++r)
        add_band<1>(in_double(a + r * a_stride, a_stride, 1, inner, wide), stride, inner, b, cols,
                    out + r * cols);
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

void add_tile_product(const double* a, Index a_stride, Index rows, Index inner, const double* b, Index cols,
                      double* out) {
    DK_CHOSEN(add_product<double>)(a, a_stride, rows, inner, b, cols, out);
}
void add_tile_product(const float* a, Index a_stride, Index rows, Index inner, const double* b, Index cols,
                      double* out) {
    DK_CHOSEN(add_product<float>)(a, a_stride, rows, inner, b, cols, out);
}

}  // namespace dk
#endif  // HWY_ONCE
