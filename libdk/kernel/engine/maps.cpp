// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/maps.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/engine/maps.cpp"
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

struct AddMinimum {
    template <class D, class V>
    V operator()(D, V sum, V x, V z) const {
        return hn::Add(sum, hn::Min(x, z));
    }
};

/// Computes the sums of four left rows, or of one that is alone, with a vector of right rows, so that the
/// vector is loaded once for four terms. The last columns, which fill no vector, pass through a copy, so that
/// every pair's terms are added in the same order.
template <typename T, class Add>
void pair_sum_tile_of(const T* x, Index x_stride, Index rows, const T* z, Index z_stride, Index cols,
                      Index depth, T* out, Index stride, Add add) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    constexpr Index group = 4;
    const auto sums_at = [&](const T* const* row, const T* columns, Index columns_stride, T* const* to) {
        auto sum0 = hn::Zero(d);
        auto sum1 = sum0;
        auto sum2 = sum0;
        auto sum3 = sum0;
        for (Index k = 0; k < depth; ++k) {
            const auto right = hn::LoadU(d, columns + k * columns_stride);
            sum0 = add(d, sum0, hn::Set(d, row[0][k]), right);
            sum1 = add(d, sum1, hn::Set(d, row[1][k]), right);
            sum2 = add(d, sum2, hn::Set(d, row[2][k]), right);
            sum3 = add(d, sum3, hn::Set(d, row[3][k]), right);
        }
        // Rows beyond the last are the last again, so these stores write the same values to the same place.
        hn::StoreU(sum3, d, to[3]);
        hn::StoreU(sum2, d, to[2]);
        hn::StoreU(sum1, d, to[1]);
        hn::StoreU(sum0, d, to[0]);
    };
    const auto one_row_at = [&](const T* row, const T* columns, Index columns_stride, T* to) {
        auto sum = hn::Zero(d);
        for (Index k = 0; k < depth; ++k)
            sum = add(d, sum, hn::Set(d, row[k]), hn::LoadU(d, columns + k * columns_stride));
        hn::StoreU(sum, d, to);
    };
    const Index whole = cols - cols % lanes;
    std::vector<T> last(whole < cols ? static_cast<std::size_t>(depth * lanes) : 0);
    for (Index k = 0; whole < cols && k < depth; ++k) {
        std::copy(z + k * z_stride + whole, z + k * z_stride + cols, last.begin() + k * lanes);
    }
    HWY_ALIGN T rest[group][hn::MaxLanes(d)];
    if (rows == 1) {
        for (Index j = 0; j < whole; j += lanes) one_row_at(x, z + j, z_stride, out + j);
        if (whole == cols) return;
        one_row_at(x, last.data(), lanes, rest[0]);
        std::copy_n(rest[0], cols - whole, out + whole);
        return;
    }
    for (Index i = 0; i < rows; i += group) {
        const T* row[group];
        T* to[group];
        for (Index r = 0; r < group; ++r) row[r] = x + std::min(i + r, rows - 1) * x_stride;
        for (Index j = 0; j < whole; j += lanes) {
            for (Index r = 0; r < group; ++r) to[r] = out + std::min(i + r, rows - 1) * stride + j;
            sums_at(row, z + j, z_stride, to);
        }
        if (whole == cols) continue;
        for (Index r = 0; r < group; ++r) to[r] = rest[r];
        sums_at(row, last.data(), lanes, to);
        for (Index r = i; r < std::min(i + group, rows); ++r) {
            std::copy(rest[r - i], rest[r - i] + (cols - whole), out + r * stride + whole);
        }
    }
}

template <typename T>
void pair_sum_tile(PairSum sum, const T* x, Index x_stride, Index rows, const T* z, Index z_stride,
                   Index cols, Index depth, T* out, Index stride) {
    const auto run = [&](auto add) {
        pair_sum_tile_of(x, x_stride, rows, z, z_stride, cols, depth, out, stride, add);
    };
    switch (sum) {
        case PairSum::absolute:
            return run(AddAbsolute());
        case PairSum::squared:
            return run(AddSquare());
        case PairSum::chi_square:
            return run(AddChiSquare());
        case PairSum::harmonic:
            return run(AddHarmonic());
        case PairSum::minimum:
            return run(AddMinimum());
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
