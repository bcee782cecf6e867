// SPDX-License-Identifier: Apache-2.0
#include "kernel/tile_product.hpp"

#include <algorithm>
#include <vector>

// Highway compiles this file once for every instruction set and dispatches at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/tile_product.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;

constexpr Index band_rows = 6;  // with so many rows of `out` in registers B is read once for all of them
constexpr Index most_vectors = HWY_TARGET <= HWY_AVX3 ? 4 : 2;  // 32 registers, or 16

/// A band of rows by up to most_vectors vectors of columns; of the last vector `remaining` columns count. The
/// sums stay in registers, which takes loops that are unrolled to the end.
template <Index Rows, Index Vectors>
void add_block(const double* a, Index inner, const double* b, Index stride, Index remaining, double* out) {
    const Doubles d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    const auto last = hn::FirstN(d, static_cast<std::size_t>(remaining));
    Vector sums[Rows][Vectors];
    HWY_UNROLL(24)
    for (Index e = 0; e < Rows * Vectors; ++e) sums[e / Vectors][e % Vectors] = hn::Zero(d);
    for (Index k = 0; k < inner; ++k) {
        const double* from = b + k * stride;
        Vector values[Vectors];
        HWY_UNROLL(4)
        for (Index v = 0; v + 1 < Vectors; ++v) values[v] = hn::LoadU(d, from + v * lanes);
        values[Vectors - 1] = hn::MaskedLoad(last, d, from + (Vectors - 1) * lanes);
        HWY_UNROLL(8)
        for (Index r = 0; r < Rows; ++r) {
            const Vector factor = hn::Set(d, a[r * inner + k]);
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
        hn::BlendedStore(hn::Add(sums[r][Vectors - 1], hn::MaskedLoad(last, d, to)), last, d, to);
    }
}

/// The last columns of a band, at most Vectors vectors of them.
template <Index Rows, Index Vectors>
void add_last_block(const double* a, Index inner, const double* b, Index stride, Index cols, double* out) {
    const auto lanes = static_cast<Index>(hn::Lanes(Doubles()));
    if constexpr (Vectors > 1) {
        if (cols <= (Vectors - 1) * lanes)
            return add_last_block<Rows, Vectors - 1>(a, inner, b, stride, cols, out);
    }
    add_block<Rows, Vectors>(a, inner, b, stride, cols - (Vectors - 1) * lanes, out);
}

template <Index Rows>
void add_band(const double* a, Index inner, const double* b, Index cols, double* out) {
    const auto lanes = static_cast<Index>(hn::Lanes(Doubles()));
    const Index block_cols = most_vectors * lanes;
    Index done = 0;
    for (; cols - done > block_cols; done += block_cols)
        add_block<Rows, most_vectors>(a, inner, b + done, cols, lanes, out + done);
    add_last_block<Rows, most_vectors>(a, inner, b + done, cols, cols - done, out + done);
}

Vector load(const double* from) {
    return hn::LoadU(Doubles(), from);
}
Vector load(const float* from) {
    return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), from));
}

/// A row of kernel values by one column: two sums of each lane, which are added at the end.
template <typename T>
double dot(const T* a, const double* b, Index inner) {
    const Doubles d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    Vector even = hn::Zero(d);
    Vector odd = hn::Zero(d);
    Index k = 0;
    for (; k + 2 * lanes <= inner; k += 2 * lanes) {
        even = hn::MulAdd(load(a + k), load(b + k), even);
        odd = hn::MulAdd(load(a + k + lanes), load(b + k + lanes), odd);
    }
    double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
    for (; k < inner; ++k) sum += static_cast<double>(a[k]) * b[k];
    return sum;
}

/// The rows in double precision, in `wide` where they are not already.
const double* in_double(const double* rows, Index, std::vector<double>&) {
    return rows;
}
const double* in_double(const float* rows, Index count, std::vector<double>& wide) {
    const auto lanes = static_cast<Index>(hn::Lanes(Doubles()));
    wide.resize(unsigned_of(count));
    Index e = 0;
    for (; e + lanes <= count; e += lanes) hn::StoreU(load(rows + e), Doubles(), wide.data() + e);
    for (; e < count; ++e) wide[unsigned_of(e)] = static_cast<double>(rows[e]);
    return wide.data();
}

template <typename T>
void add_product(const T* a, Index rows, Index inner, const double* b, Index cols, double* out) {
    if (cols == 1) {
        for (Index r = 0; r < rows; ++r) out[r] += dot(a + r * inner, b, inner);
        return;
    }
    std::vector<double> wide;
    Index r = 0;
    for (; r + band_rows <= rows; r += band_rows)
        add_band<band_rows>(in_double(a + r * inner, band_rows * inner, wide), inner, b, cols,
                            out + r * cols);
    for (; r < rows; ++r) add_band<1>(in_double(a + r * inner, inner, wide), inner, b, cols, out + r * cols);
}

void add_product_double(const double* a, Index rows, Index inner, const double* b, Index cols, double* out) {
    add_product(a, rows, inner, b, cols, out);
}
void add_product_single(const float* a, Index rows, Index inner, const double* b, Index cols, double* out) {
    add_product(a, rows, inner, b, cols, out);
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

HWY_EXPORT(add_product_double);
HWY_EXPORT(add_product_single);

void add_tile_product(const double* a, Index rows, Index inner, const double* b, Index cols, double* out) {
    HWY_DYNAMIC_DISPATCH(add_product_double)(a, rows, inner, b, cols, out);
}
void add_tile_product(const float* a, Index rows, Index inner, const double* b, Index cols, double* out) {
    HWY_DYNAMIC_DISPATCH(add_product_single)(a, rows, inner, b, cols, out);
}

}  // namespace dk
#endif  // HWY_ONCE
