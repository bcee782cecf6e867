// SPDX-License-Identifier: Apache-2.0
//
// Files that Highway compiles once for every set of instructions include this one again for each set. So its
// guard changes with Highway's target.
#if defined(DK_MATRIX_VECTORS) == defined(HWY_TARGET_TOGGLE)
#ifdef DK_MATRIX_VECTORS
#undef DK_MATRIX_VECTORS
#else
#define DK_MATRIX_VECTORS
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

#include "base/types.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Loads a vector of kind D from elements of its type or from single precision.
template <class D, typename T>
HWY_INLINE hn::Vec<D> load(D d, const T* from) {
    if constexpr (std::is_same_v<T, hn::TFromD<D>>) {
        return hn::LoadU(d, from);
    } else {
        return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), from));
    }
}

/// Loads the first `count` elements of a vector, and zeros in place of the others. It reads nothing behind
/// the elements, where the memory may end.
template <class D, typename T>
HWY_INLINE hn::Vec<D> load_first(D d, const T* from, Index count) {
#if HWY_TARGET <= HWY_AVX2
    const hn::Rebind<T, D> narrow;
    const auto values = hn::MaskedLoad(hn::FirstN(narrow, static_cast<std::size_t>(count)), narrow, from);
    if constexpr (std::is_same_v<T, hn::TFromD<D>>) {
        return values;
    } else {
        return hn::PromoteTo(d, values);
    }
#else  // Masked loads of older instructions need aligned memory.
    T values[hn::MaxLanes(D())] = {};
    std::copy_n(from, count, values);
    return load(d, values);
#endif
}

/// Stores the first `count` elements of a vector.
template <class D, typename T>
HWY_INLINE void store_first(hn::Vec<D> values, D d, T* to, Index count) {
#if HWY_TARGET <= HWY_AVX2
    hn::BlendedStore(values, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
#else
    T all[hn::MaxLanes(D())];
    hn::StoreU(values, d, all);
    std::copy_n(all, count, to);
#endif
}

#if HWY_TARGET == HWY_SCALAR
template <class D>
hn::TFromD<D> sum_of_halves(D, hn::Vec<D> values) {
    return hn::GetLane(values);
}
#else
/// Adds the elements of a vector: those of its upper half to those of its lower half, and so on.
template <class D>
HWY_INLINE hn::TFromD<D> sum_of_halves(D, hn::Vec<D> values) {
    if constexpr (hn::MaxLanes(D()) == 1) {
        return hn::GetLane(values);
    } else {
        const hn::Half<D> half;
        return sum_of_halves(half, hn::Add(hn::LowerHalf(half, values), hn::UpperHalf(half, values)));
    }
}
#endif

/// Computes sum_k a[k] b[k] in the type of b by sixteen partial sums, which are added in a fixed tree. So the
/// number of lanes does not matter.
template <typename T, typename U>
HWY_INLINE U dot(const T* a, const U* b, Index count) {
    constexpr Index sums = 16;
    const hn::CappedTag<U, 16> d;
    constexpr Index lanes = hn::MaxLanes(d);
    constexpr Index vectors = sums / lanes;
    hn::Vec<decltype(d)> sum[vectors];
#pragma GCC unroll 16
    for (Index v = 0; v < vectors; ++v) sum[v] = hn::Zero(d);
    Index k = 0;
    for (; k + sums <= count; k += sums) {
#pragma GCC unroll 16
        for (Index v = 0; v < vectors; ++v)
            sum[v] = hn::MulAdd(load(d, a + k + v * lanes), load(d, b + k + v * lanes), sum[v]);
    }
#pragma GCC unroll 16
    for (Index v = 0; v < vectors; ++v) {
        const Index first = k + v * lanes;
        if (first >= count) break;
        const Index some = std::min(lanes, count - first);
        sum[v] = hn::MulAdd(load_first(d, a + first, some), load_first(d, b + first, some), sum[v]);
    }
#pragma GCC unroll 16
    for (Index half = vectors / 2; half > 0; half /= 2) {
#pragma GCC unroll 16
        for (Index v = 0; v < half; ++v) sum[v] = hn::Add(sum[v], sum[v + half]);
    }
    return sum_of_halves(d, sum[0]);
}

}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
