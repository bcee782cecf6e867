// SPDX-License-Identifier: Apache-2.0
#include "kernel/maps/maps.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/maps/maps.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// These headers must come after highway.h.
#include <hwy/cache_control.h>
#include <hwy/contrib/math/math-inl.h>

#include "matrix/dispatch.hpp"
#include "matrix/interleave-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Computes out[i] = map(in[i], i) by whole vectors. The last elements, which fill no vector, pass through a
/// padded copy. Whatever `map` loads at i must be readable for a whole vector.
template <typename T, typename Map>
void map_row(const T* in, Index count, T* out, Map map) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    Index i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(map(d, hn::LoadU(d, in + i), i), d, out + i);
    if (i == count) return;
    HWY_ALIGN T rest[hn::MaxLanes(d)] = {};
    for (Index r = 0; r < lanes && i + r < count; ++r) rest[r] = in[i + r];
    hn::Store(map(d, hn::Load(d, rest), i), d, rest);
    for (Index r = 0; r < lanes && i + r < count; ++r) out[i + r] = rest[r];
}

/// Copies norms in the precision of the tile, with room for a whole vector behind them.
template <typename T>
std::vector<T> padded(const double* values, Index count) {
    const hn::ScalableTag<T> d;
    std::vector<T> out(static_cast<std::size_t>(count) + hn::Lanes(d));
    std::transform(values, values + count, out.begin(), [](double v) { return static_cast<T>(v); });
    return out;
}

template <typename T, typename Finish>
void distance_tile(const T* in, const double* left_norms, const double* right_norms, Index rows, Index cols,
                   T* out, Index stride, Finish finish) {
    const auto right = padded<T>(right_norms, cols);
    for (Index i = 0; i < rows; ++i) {
        const auto left = static_cast<T>(left_norms[i]);
        map_row(in + i * cols, cols, out + i * stride, [&](auto d, auto product, Index j) {
            const auto norms = hn::Add(hn::Set(d, left), hn::LoadU(d, right.data() + j));
            const auto distance = hn::NegMulAdd(hn::Set(d, T{2}), product, norms);
            return finish(d, hn::Max(hn::Zero(d), distance));
        });
    }
}

template <typename T>
void squared_distance_tile(const T* in, const double* left_norms, const double* right_norms, Index rows,
                           Index cols, T* out, Index stride) {
    distance_tile(in, left_norms, right_norms, rows, cols, out, stride,
                  [](auto, auto distance) { return distance; });
}

template <typename T>
void gaussian_tile(const T* in, const double* left_norms, const double* right_norms, double gamma, Index rows,
                   Index cols, T* out, Index stride) {
    const T factor = static_cast<T>(-gamma);
    distance_tile(in, left_norms, right_norms, rows, cols, out, stride,
                  [&](auto d, auto distance) { return hn::Exp(d, hn::Mul(hn::Set(d, factor), distance)); });
}

template <typename T>
void exponential_tile(const T* in, double factor, Index rows, Index cols, Index in_stride, T* out,
                      Index stride) {
    for (Index i = 0; i < rows; ++i) {
        map_row(in + i * in_stride, cols, out + i * stride, [&](auto d, auto x, Index) {
            return hn::Exp(d, hn::Mul(hn::Set(d, static_cast<T>(factor)), x));
        });
    }
}

template <typename T>
void power_tile(const T* in, double gamma, double coef0, int degree, Index rows, Index cols, T* out,
                Index stride) {
    for (Index i = 0; i < rows; ++i) {
        map_row(in + i * cols, cols, out + i * stride, [&](auto d, auto x, Index) {
            auto base = hn::MulAdd(hn::Set(d, static_cast<T>(gamma)), x, hn::Set(d, static_cast<T>(coef0)));
            auto power = hn::Set(d, T{1});
            for (int remaining = degree; remaining > 0; remaining /= 2) {
                if (remaining % 2 == 1) power = hn::Mul(power, base);
                base = hn::Mul(base, base);
            }
            return power;
        });
    }
}

template <typename T>
void tanh_tile(const T* in, double gamma, double coef0, Index rows, Index cols, T* out, Index stride) {
    for (Index i = 0; i < rows; ++i) {
        map_row(in + i * cols, cols, out + i * stride, [&](auto d, auto x, Index) {
            return hn::Tanh(
                d, hn::MulAdd(hn::Set(d, static_cast<T>(gamma)), x, hn::Set(d, static_cast<T>(coef0))));
        });
    }
}

struct AddAbsolute {
    template <class D, class V>
    V operator()(D, V sum, V x, V z) const {
        return hn::Add(sum, hn::Abs(hn::Sub(x, z)));
    }
};

struct AddSquare {
    template <class D, class V>
    V operator()(D, V sum, V x, V z) const {
        const V difference = hn::Sub(x, z);
        return hn::MulAdd(difference, difference, sum);
    }
};

/// Computes x + z, or the smallest positive number where that is 0, so that 0 / 0 becomes 0.
template <class D, class V>
V positive_sum(D d, V x, V z) {
    using T = hn::TFromD<D>;
    return hn::Max(hn::Add(x, z), hn::Set(d, std::numeric_limits<T>::min()));
}

struct AddChiSquare {
    template <class D, class V>
    V operator()(D d, V sum, V x, V z) const {
        const V difference = hn::Sub(x, z);
        return hn::MulAdd(difference, hn::Div(difference, positive_sum(d, x, z)), sum);
    }
};

struct AddHarmonic {
    template <class D, class V>
    V operator()(D d, V sum, V x, V z) const {
        return hn::MulAdd(hn::Add(x, x), hn::Div(z, positive_sum(d, x, z)), sum);
    }
};

/// Adds 1 - exp(-gamma (x - z)^2), which is 0 where neither row has a value.
template <typename T>
struct AddUnlikeness {
    T factor;  // -gamma
    template <class D, class V>
    V operator()(D d, V sum, V x, V z) const {
        const V difference = hn::Sub(x, z);
        const V exponent = hn::Mul(hn::Mul(difference, difference), hn::Set(d, factor));
        return hn::Add(sum, hn::Sub(hn::Set(d, T{1}), hn::Exp(d, exponent)));
    }
};

struct AddMinimum {
    template <class D, class V>
    V operator()(D, V sum, V x, V z) const {
        return hn::Add(sum, hn::Min(x, z));
    }
};

struct AddSpline {
    template <class D, class V>
    V operator()(D d, V sum, V x, V z) const {
        const V product = hn::Mul(x, z);
        const V lesser = hn::Min(hn::Abs(x), hn::Abs(z));
        const V greater = hn::Max(hn::Abs(x), hn::Abs(z));
        const V third = hn::MulSub(hn::Set(d, static_cast<hn::TFromD<D>>(3)), greater, lesser);
        const V knots =
            hn::Mul(hn::Mul(hn::Mul(lesser, lesser), hn::Set(d, static_cast<hn::TFromD<D>>(1.0 / 6))), third);
        const V shared = hn::IfThenElseZero(hn::Gt(product, hn::Zero(d)), knots);
        const V term = hn::Add(product, shared);
        return hn::MulAdd(term, hn::Add(sum, hn::Set(d, static_cast<hn::TFromD<D>>(1))), sum);
    }
};

/// Computes the sums of `rows` left rows with two vectors of right rows, so that whatever is loaded serves
/// several terms. Every pair's terms are added in the same order, wherever the pair stands.
template <Index rows, typename T, class Add>
void pair_sums_of(const T* x, Index x_stride, const T* z, Index z_stride, Index depth, T* out, Index stride,
                  Add add) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    hn::Vec<decltype(d)> sums[rows][2];
#pragma GCC unroll 4
    for (Index r = 0; r < rows; ++r) sums[r][0] = sums[r][1] = hn::Zero(d);
    for (Index k = 0; k < depth; ++k) {
        const auto right0 = hn::LoadU(d, z + k * z_stride);
        const auto right1 = hn::LoadU(d, z + k * z_stride + lanes);
#pragma GCC unroll 4
        for (Index r = 0; r < rows; ++r) {
            const auto left = hn::Set(d, x[r * x_stride + k]);
            sums[r][0] = add(d, sums[r][0], left, right0);
            sums[r][1] = add(d, sums[r][1], left, right1);
        }
    }
#pragma GCC unroll 4
    for (Index r = 0; r < rows; ++r) {
        hn::StoreU(sums[r][0], d, out + r * stride);
        hn::StoreU(sums[r][1], d, out + r * stride + lanes);
    }
}

/// Computes a tile by groups of four left rows; the last group may have fewer. The last columns, which do not
/// fill two vectors, pass through a copy.
template <typename T, class Add>
void pair_sum_tile_of(const T* x, Index x_stride, Index rows, const T* z, Index z_stride, Index cols,
                      Index depth, T* out, Index stride, Add add) {
    const hn::ScalableTag<T> d;
    const Index width = 2 * static_cast<Index>(hn::Lanes(d));
    constexpr Index group = 4;  // The loops of pair_sums_of() are unrolled for so many.
    constexpr Index rest_stride = 2 * hn::MaxLanes(d);
    const Index whole = cols - cols % width;
    std::vector<T> last(whole < cols ? static_cast<std::size_t>(depth * width) : 0);
    for (Index k = 0; whole < cols && k < depth; ++k)
        std::copy(z + k * z_stride + whole, z + k * z_stride + cols, last.begin() + k * width);
    HWY_ALIGN T rest[group * rest_stride];
    const auto sums_of = [&]<Index count>(std::integral_constant<Index, count>, Index i) {
        const T* row = x + i * x_stride;
        for (Index j = 0; j < whole; j += width)
            pair_sums_of<count>(row, x_stride, z + j, z_stride, depth, out + i * stride + j, stride, add);
        if (whole == cols) return;
        pair_sums_of<count>(row, x_stride, last.data(), width, depth, rest, rest_stride, add);
        for (Index r = 0; r < count; ++r)
            std::copy_n(rest + r * rest_stride, cols - whole, out + (i + r) * stride + whole);
    };
    Index i = 0;
    for (; i + group <= rows; i += group) sums_of(std::integral_constant<Index, group>(), i);
    if (rows - i == 3) sums_of(std::integral_constant<Index, 3>(), i);
    if (rows - i == 2) sums_of(std::integral_constant<Index, 2>(), i);
    if (rows - i == 1) sums_of(std::integral_constant<Index, 1>(), i);
}

template <typename T>
void pair_sum_tile(PairTerm term, const T* x, Index x_stride, Index rows, const T* z, Index z_stride,
                   Index cols, Index depth, T* out, Index stride) {
    const auto run = [&](auto add) {
        pair_sum_tile_of(x, x_stride, rows, z, z_stride, cols, depth, out, stride, add);
    };
    switch (term.sum) {
        case PairSum::absolute:
            return run(AddAbsolute());
        case PairSum::squared:
            return run(AddSquare());
        case PairSum::unlikeness:
            return run(AddUnlikeness<T>{static_cast<T>(-term.gamma)});
        case PairSum::chi_square:
            return run(AddChiSquare());
        case PairSum::harmonic:
            return run(AddHarmonic());
        case PairSum::minimum:
            return run(AddMinimum());
        case PairSum::spline:
            return run(AddSpline());
    }
}

/// Transposes squares of as many rows as a vector has lanes, and what is left of the rows one by one.
template <typename T>
void transpose_tile(const T* in, Index rows, Index cols, T* out) {
    constexpr Index lanes = HWY_LANES(T);
    Index i = 0;
    for (; i + lanes <= rows; i += lanes) {
        const T* at[lanes];
        for (Index r = 0; r < lanes; ++r) at[r] = in + (i + r) * cols;
        interleave<lanes>(at, lanes, 1, cols, out + i, rows);
    }
    for (; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) out[j * rows + i] = in[i * cols + j];
    }
}

template <typename T>
void stream_rows_tile(const T* in, Index rows, Index cols, T* out, Index stride) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    constexpr std::uintptr_t line = 64;  // bytes of a cache line
    for (Index i = 0; i < rows; ++i) {
        const T* from = in + i * cols;
        T* to = out + i * stride;
        Index j = 0;
        while (j < cols && reinterpret_cast<std::uintptr_t>(to + j) % line != 0) ++j;
        std::copy(from, from + j, to);
        for (; j + lanes <= cols; j += lanes) hn::Stream(hn::LoadU(d, from + j), d, to + j);
        std::copy(from + j, from + cols, to + j);
    }
}

template <typename T>
constexpr TileMaps<T> table = {
    squared_distance_tile<T>, gaussian_tile<T>,  exponential_tile<T>, power_tile<T>, tanh_tile<T>,
    pair_sum_tile<T>,         transpose_tile<T>, stream_rows_tile<T>};

const TileMaps<double>* double_maps() {
    return &table<double>;
}
const TileMaps<float>* single_maps() {
    return &table<float>;
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

template <>
const TileMaps<double>& tile_maps() {
    return *DK_CHOSEN(double_maps)();
}

template <>
const TileMaps<float>& tile_maps() {
    return *DK_CHOSEN(single_maps)();
}

void flush_streams() {
    hwy::FlushStream();
}

}  // namespace dk
#endif  // HWY_ONCE
