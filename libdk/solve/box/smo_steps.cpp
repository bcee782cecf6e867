// SPDX-License-Identifier: Apache-2.0
#include "solve/box/smo_steps.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solve/box/smo_steps.cpp"
#include <hwy/foreach_target.h>  // This header must come before highway.h.
#include <hwy/highway.h>

#include "matrix/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Arrays are padded to smo_padding elements, so a vector may not have more lanes.
template <typename V>
using Values = hn::CappedTag<V, smo_padding<V>>;
template <typename V>
using VectorOf = hn::Vec<Values<V>>;
template <typename V>
constexpr Index lanes = hn::MaxLanes(Values<V>());

/// Loads a vector of V from values of V, or of single precision.
template <typename V>
VectorOf<V> load(const V* from) {
    return hn::LoadU(Values<V>(), from);
}
template <typename V, std::enable_if_t<std::is_same_v<V, double>, int> = 0>
VectorOf<V> load(const float* from) {
    return hn::PromoteTo(Values<V>(), hn::LoadU(hn::Rebind<float, Values<V>>(), from));
}
/// Loads a vector of the last `count` elements of a row of values, with zeros for what stands behind them.
template <typename V, typename T>
VectorOf<V> load_last(const T* from, Index count) {
    T last[lanes<V>] = {};
    std::copy_n(from, std::min(count, lanes<V>), last);
    return load<V>(last);
}

/// Finds the extremes of `rising` and `falling`, which visit(t, up, down) gives from position t on. Only the
/// chunk that has the largest is kept in mind, and is looked through in the end, since positions of all would
/// take as long as the rest. The first of equal ones wins.
template <typename V, typename Visit>
Extremes extremes_of(const V* rising, Index count, Visit visit) {
    using Vector = VectorOf<V>;
    constexpr Index chunk = 128;
    constexpr V unbounded = std::numeric_limits<V>::infinity();
    const Values<V> d;
    Vector highest = hn::Set(d, -unbounded);
    Vector highest_chunk = hn::Zero(d);
    Vector lowest = hn::Set(d, unbounded);
    for (Index begin = 0; begin < count; begin += chunk) {
        const Index end = std::min(begin + chunk, count);
        Vector of_chunk = hn::Set(d, -unbounded);
        for (Index t = begin; t < end; t += lanes<V>) {
            Vector up;
            Vector down;
            visit(t, up, down);
            of_chunk = hn::Max(up, of_chunk);
            lowest = hn::Min(down, lowest);
        }
        const auto higher = hn::Gt(of_chunk, highest);
        highest = hn::IfThenElse(higher, of_chunk, highest);
        highest_chunk = hn::IfThenElse(higher, hn::Set(d, static_cast<V>(begin)), highest_chunk);
    }
    Extremes found{hn::GetLane(hn::MaxOfLanes(d, highest)), hn::GetLane(hn::MinOfLanes(d, lowest)), -1};
    if (!(found.highest > -infinity)) return found;
    const Vector top = hn::Set(d, static_cast<V>(found.highest));
    const auto first = hn::IfThenElse(hn::Eq(highest, top), highest_chunk, hn::Set(d, unbounded));
    for (auto t = static_cast<Index>(hn::GetLane(hn::MinOfLanes(d, first))); t < count; t += lanes<V>) {
        const auto at = hn::FindFirstTrue(d, hn::Eq(load<V>(rising + t), top));
        if (at < 0) continue;
        found.highest_at = t + at;
        break;
    }
    return found;
}

template <typename V>
Extremes extremes(const V* rising, const V* falling, Index count) {
    return extremes_of(rising, count, [&](Index t, VectorOf<V>& up, VectorOf<V>& down) {
        up = load<V>(rising + t);
        down = load<V>(falling + t);
    });
}

template <typename T, typename V>
Extremes step(const T* row_i, const T* row_j, double move, V* rising, V* falling, Index count) {
    using Vector = VectorOf<V>;
    const Values<V> d;
    const Vector length = hn::Set(d, static_cast<V>(move));
    const auto renew = [&](Index t, Vector of_i, Vector of_j, Vector& up, Vector& down) {
        const Vector difference = hn::Sub(of_i, of_j);
        up = hn::NegMulAdd(length, difference, load<V>(rising + t));
        down = hn::NegMulAdd(length, difference, load<V>(falling + t));
        hn::StoreU(up, d, rising + t);
        hn::StoreU(down, d, falling + t);
    };
    // What stands behind the last value of a row may be no number.
    const Index whole = count - count % lanes<V>;
    Vector last_up = hn::Zero(d);
    Vector last_down = hn::Zero(d);
    if (whole < count)
        renew(whole, load_last<V>(row_i + whole, count - whole), load_last<V>(row_j + whole, count - whole),
              last_up, last_down);
    return extremes_of(rising, count, [&](Index t, Vector& up, Vector& down) {
        if (t < whole) return renew(t, load<V>(row_i + t), load<V>(row_j + t), up, down);
        up = last_up;
        down = last_down;
    });
}

/// Gives the partner of variable i, as SmoSteps::partner documents it. Gains are fractions square /
/// curvature, which are compared crosswise, because divisions would take most of the time. The rounding of
/// such a comparison makes the choice depend on which gains meet, so as many as are padded run side by side
/// on every processor, in two vectors or in more. Fewer would wait for each other's comparisons.
template <typename T, typename V>
Index partner(const T* row_i, double own, const V* diagonal, const V* falling, double highest, Index count) {
    using Vector = VectorOf<V>;
    const Values<V> d;
    constexpr Index vectors = smo_padding<V> / lanes<V>;
    const Vector own_curvature = hn::Set(d, static_cast<V>(own));
    const Vector least = hn::Set(d, static_cast<V>(smallest_curvature));
    const Vector top = hn::Set(d, static_cast<V>(highest));
    const Vector zero = hn::Zero(d);
    const Vector two = hn::Set(d, V{2});
    Vector best[vectors];
    Vector best_curvature[vectors];
    Vector best_at[vectors];  // where the group begins
#pragma GCC unroll 8
    for (Index k = 0; k < vectors; ++k) {
        best[k] = zero;
        best_curvature[k] = hn::Set(d, V{1});
        best_at[k] = hn::Set(d, V{-1});
    }
    const auto compare = [&](Index k, Index t, Vector at, Vector values) {
        const Vector violation = hn::Max(hn::Sub(top, load<V>(falling + t)), zero);
        const Vector sum = hn::Add(own_curvature, load<V>(diagonal + t));
        const Vector curvature = hn::Max(hn::NegMulAdd(two, values, sum), least);
        const Vector square = hn::Mul(violation, violation);
        const auto better = hn::Gt(hn::Mul(square, best_curvature[k]), hn::Mul(best[k], curvature));
        best[k] = hn::IfThenElse(better, square, best[k]);
        best_curvature[k] = hn::IfThenElse(better, curvature, best_curvature[k]);
        best_at[k] = hn::IfThenElse(better, at, best_at[k]);
    };
    const Index whole = count - count % smo_padding<V>;
    for (Index begin = 0; begin < whole; begin += smo_padding<V>) {
        const Vector at = hn::Set(d, static_cast<V>(begin));
#pragma GCC unroll 8
        for (Index k = 0; k < vectors; ++k)
            compare(k, begin + k * lanes<V>, at, load<V>(row_i + begin + k * lanes<V>));
    }
    for (Index k = 0; whole + k * lanes<V> < count; ++k) {
        const Index t = whole + k * lanes<V>;
        compare(k, t, hn::Set(d, static_cast<V>(whole)), load_last<V>(row_i + t, count - t));
    }
    // The largest gain wins, and of equal ones the first variable's.
    Vector largest = hn::Set(d, V{-1});
#pragma GCC unroll 8
    for (Index k = 0; k < vectors; ++k) {
        const auto exists = hn::Ge(best_at[k], zero);
        best[k] = hn::IfThenElse(exists, hn::Div(best[k], best_curvature[k]), hn::Set(d, V{-1}));
        largest = hn::Max(largest, best[k]);
    }
    largest = hn::MaxOfLanes(d, largest);
    if (!(hn::GetLane(largest) >= 0)) return -1;
    Vector first = hn::Set(d, std::numeric_limits<V>::infinity());
#pragma GCC unroll 8
    for (Index k = 0; k < vectors; ++k) {
        const Vector position = hn::Add(best_at[k], hn::Iota(d, static_cast<V>(k * lanes<V>)));
        first = hn::Min(first, hn::IfThenElse(hn::Eq(best[k], largest), position, first));
    }
    return static_cast<Index>(hn::GetLane(hn::MinOfLanes(d, first)));
}

template <typename V>
void violators(const V* rising, const V* falling, const V* waiting, const Extremes& found, Index count,
               V* violation, Index* at) {
    using Vector = VectorOf<V>;
    const Values<V> d;
    constexpr Index vectors = smo_padding<V> / lanes<V>;
    const Vector highest = hn::Set(d, static_cast<V>(found.highest));
    const Vector lowest = hn::Set(d, static_cast<V>(found.lowest));
    Vector worst[vectors];
    Vector worst_at[vectors];  // where the group begins
#pragma GCC unroll 8
    for (Index k = 0; k < vectors; ++k) {
        worst[k] = hn::Zero(d);
        worst_at[k] = hn::Set(d, V{-1});
    }
    for (Index begin = 0; begin < count; begin += smo_padding<V>) {
        const Vector group = hn::Set(d, static_cast<V>(begin));
#pragma GCC unroll 8
        for (Index k = 0; k < vectors; ++k) {
            const Index t = begin + k * lanes<V>;
            const Vector above = hn::Sub(load<V>(rising + t), lowest);
            const Vector below = hn::Sub(highest, load<V>(falling + t));
            const Vector own = hn::Add(load<V>(waiting + t), hn::Max(above, below));
            const auto worse = hn::Gt(own, worst[k]);
            worst[k] = hn::IfThenElse(worse, own, worst[k]);
            worst_at[k] = hn::IfThenElse(worse, group, worst_at[k]);
        }
    }
    HWY_ALIGN V groups[smo_padding<V>];
#pragma GCC unroll 8
    for (Index k = 0; k < vectors; ++k) {
        hn::StoreU(worst[k], d, violation + k * lanes<V>);
        hn::Store(worst_at[k], d, groups + k * lanes<V>);
    }
    for (Index lane = 0; lane < smo_padding<V>; ++lane)
        at[lane] = groups[lane] < 0 ? -1 : static_cast<Index>(groups[lane]) + lane;
}

const SmoSteps<double, double>& steps_double() {
    static constexpr SmoSteps<double, double> steps{extremes<double>, step<double, double>,
                                                    partner<double, double>, violators<double>};
    return steps;
}
const SmoSteps<float, double>& steps_single() {
    static constexpr SmoSteps<float, double> steps{extremes<double>, step<float, double>,
                                                   partner<float, double>, violators<double>};
    return steps;
}
const SmoSteps<float, float>& steps_rough() {
    static constexpr SmoSteps<float, float> steps{extremes<float>, step<float, float>, partner<float, float>,
                                                  violators<float>};
    return steps;
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

template <>
const SmoSteps<double, double>& smo_steps() {
    return DK_CHOSEN(steps_double)();
}
template <>
const SmoSteps<float, double>& smo_steps() {
    return DK_CHOSEN(steps_single)();
}
template <>
const SmoSteps<float, float>& smo_steps() {
    return DK_CHOSEN(steps_rough)();
}

}  // namespace dk
#endif
