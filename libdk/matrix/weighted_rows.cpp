// SPDX-License-Identifier: Apache-2.0
#include "matrix/weighted_rows.hpp"

#include <algorithm>

#include "base/parallel.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "matrix/weighted_rows.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "matrix/dispatch.hpp"
#include "matrix/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Adds out[j] += sum_r weights[r] rows[r][j] over `Rows` rows, from j = begin on by whole vectors of kind D
/// as long as one fits before the end. It returns the j where it stopped.
template <int Rows, class D, typename T>
Index add_some_rows(D d, const T* const* rows, const double* weights, Index begin, Index end, double* out) {
    constexpr Index width = hn::MaxLanes(D());
    hn::Vec<D> w[Rows];
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) w[r] = hn::Set(d, weights[r]);
    Index j = begin;
    for (; j + width <= end; j += width) {
        hn::Vec<D> sum = hn::LoadU(d, out + j);
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r) sum = hn::MulAdd(w[r], load(d, rows[r] + j), sum);
        hn::StoreU(sum, d, out + j);
    }
    return j;
}

/// Adds all rows, four in each pass, so that `out` is read and written less. The last elements, which fill no
/// vector, take the same fused operations as the others, so that an element does not depend on how many the
/// processor takes at once.
template <typename T>
void add_rows(const T* const* rows, const double* weights, Index count, Index begin, Index end, double* out) {
    const hn::CappedTag<double, 8> d;
    const hn::CappedTag<double, 1> one;
    Index r = 0;
    for (; r + 4 <= count; r += 4) {
        const Index rest = add_some_rows<4>(d, rows + r, weights + r, begin, end, out);
        add_some_rows<4>(one, rows + r, weights + r, rest, end, out);
    }
    for (; r < count; ++r) {
        const Index rest = add_some_rows<1>(d, rows + r, weights + r, begin, end, out);
        add_some_rows<1>(one, rows + r, weights + r, rest, end, out);
    }
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

namespace {

/// So many sums stay in the nearest cache while the rows are added to them.
constexpr Index chunk = 2048;

template <typename T, typename AddRows>
void add_by_chunks(AddRows add_rows, std::span<const T* const> rows, std::span<const double> weights,
                   std::span<double> out, Control& control) {
    const Index columns = std::ssize(out);
    parallel_for_with((columns + chunk - 1) / chunk, control, [] { return 0; },
                      [&](int, Index c) {
                          add_rows(rows.data(), weights.data(), std::ssize(rows), c * chunk,
                                   std::min(columns, (c + 1) * chunk), out.data());
                      },
                      workforce_for(1.0 * columns * std::ssize(rows), control));
}

}  // namespace

template <>
void add_weighted_rows(std::span<const double* const> rows, std::span<const double> weights,
                       std::span<double> out, Control& control) {
    add_by_chunks<double>(DK_CHOSEN(add_rows<double>), rows, weights, out, control);
}
template <>
void add_weighted_rows(std::span<const float* const> rows, std::span<const double> weights,
                       std::span<double> out, Control& control) {
    add_by_chunks<float>(DK_CHOSEN(add_rows<float>), rows, weights, out, control);
}

}  // namespace dk
#endif
