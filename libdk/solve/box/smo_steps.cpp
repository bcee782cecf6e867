// SPDX-License-Identifier: Apache-2.0
#include "solve/box/smo_steps.hpp"

#include <algorithm>

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
using Doubles = hn::CappedTag<double, smo_padding>;
using Vector = hn::Vec<Doubles>;
constexpr Index lanes = hn::MaxLanes(Doubles());

Vector load(const double* from) {
    return hn::LoadU(Doubles(), from);
}
Vector load(const float* from) {
    return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), from));
}
/// Loads a vector of the last `count` elements of a row of values, with zeros for what stands behind them.
template <typename T>
Vector load_last(const T* from, Index count) {
    T last[lanes] = {};
    std::copy_n(from, std::min(count, lanes), last);
    return load(last);
}

/// Finds the extremes of `rising` and `falling`, which visit(t, up, down) gives from position t on. Only the
/// chunk that has the largest is kept in mind, and is looked through in the end, since positions of all would
/// take as long as the rest. The first of equal ones wins.
template <typename Visit>
Extremes extremes_of(const double* rising, Index count, Visit visit) {
    constexpr Index chunk = 128;
    const Doubles d;
    Vector highest = hn::Set(d, -infinity);
    Vector highest_chunk = hn::Zero(d);
    Vector lowest = hn::Set(d, infinity);
    for (Index begin = 0; begin < count; begin += chunk) {
        const Index end = std::min(begin + chunk, count);
        Vector of_chunk = hn::Set(d, -infinity);
        for (Index t = begin; t < end; t += lanes) {
            Vector up;
            Vector down;
            visit(t, up, down);
            of_chunk = hn::Max(up, of_chunk);
            lowest = hn::Min(down, lowest);
        }
        const auto higher = hn::Gt(of_chunk, highest);
        highest = hn::IfThenElse(higher, of_chunk, highest);
        highest_chunk = hn::IfThenElse(higher, hn::Set(d, static_cast<double>(begin)), highest_chunk);
    }
    Extremes found{hn::GetLane(hn::MaxOfLanes(d, highest)), hn::GetLane(hn::MinOfLanes(d, lowest)), -1};
    if (!(found.highest > -infinity)) return found;
    const Vector top = hn::Set(d, found.highest);
    const auto first = hn::IfThenElse(hn::Eq(highest, top), highest_chunk, hn::Set(d, infinity));
    for (auto t = static_cast<Index>(hn::GetLane(hn::MinOfLanes(d, first))); t < count; t += lanes) {
        const auto at = hn::FindFirstTrue(d, hn::Eq(load(rising + t), top));
        if (at < 0) continue;
        found.highest_at = t + at;
        break;
    }
    return found;
}

Extremes extremes(const double* rising, const double* falling, Index count) {
    return extremes_of(rising, count, [&](Index t, Vector& up, Vector& down) {
        up = load(rising + t);
        down = load(falling + t);
    });
}

template <typename T>
Extremes step(const T* row_i, const T* row_j, double move, double* rising, double* falling, Index count) {
    const Doubles d;
    const Vector length = hn::Set(d, move);
    const auto renew = [&](Index t, Vector of_i, Vector of_j, Vector& up, Vector& down) {
        const Vector difference = hn::Sub(of_i, of_j);
        up = hn::NegMulAdd(length, difference, load(rising + t));
        down = hn::NegMulAdd(length, difference, load(falling + t));
        hn::StoreU(up, d, rising + t);
        hn::StoreU(down, d, falling + t);
    };
    // What stands behind the last value of a row may be no number.
    const Index whole = count - count % lanes;
    Vector last_up = hn::Zero(d);
    Vector last_down = hn::Zero(d);
    if (whole < count)
        renew(whole, load_last(row_i + whole, count - whole), load_last(row_j + whole, count - whole),
              last_up, last_down);
    return extremes_of(rising, count, [&](Index t, Vector& up, Vector& down) {
        if (t < whole) return renew(t, load(row_i + t), load(row_j + t), up, down);
        up = last_up;
        down = last_down;
    });
}

/// Gives the partner of variable i, as SmoSteps::partner documents it. Gains are fractions square /
/// curvature, which are compared crosswise, because divisions would take most of the time. The rounding of
/// such a comparison makes the choice depend on which gains meet, so sixteen of them run side by side on
/// every processor, in two vectors or in more. Fewer would wait for each other's comparisons.
template <typename T>
Index partner(const T* row_i, double own, const double* diagonal, const double* falling, double highest,
              Index count) {
    const Doubles d;
    constexpr Index vectors = smo_padding / lanes;
    const Vector own_curvature = hn::Set(d, own);
    const Vector least = hn::Set(d, smallest_curvature);
    const Vector top = hn::Set(d, highest);
    const Vector zero = hn::Zero(d);
    const Vector two = hn::Set(d, 2.0);
    Vector best[vectors];
    Vector best_curvature[vectors];
    Vector best_at[vectors];  // where the group of sixteen begins
#pragma GCC unroll 8
    for (Index k = 0; k < vectors; ++k) {
        best[k] = zero;
        best_curvature[k] = hn::Set(d, 1.0);
        best_at[k] = hn::Set(d, -1.0);
    }
    const auto compare = [&](Index k, Index t, Vector at, Vector values) {
        const Vector violation = hn::Max(hn::Sub(top, load(falling + t)), zero);
        const Vector sum = hn::Add(own_curvature, load(diagonal + t));
        const Vector curvature = hn::Max(hn::NegMulAdd(two, values, sum), least);
        const Vector square = hn::Mul(violation, violation);
        const auto better = hn::Gt(hn::Mul(square, best_curvature[k]), hn::Mul(best[k], curvature));
        best[k] = hn::IfThenElse(better, square, best[k]);
        best_curvature[k] = hn::IfThenElse(better, curvature, best_curvature[k]);
        best_at[k] = hn::IfThenElse(better, at, best_at[k]);
    };
    const Index whole = count - count % smo_padding;
    for (Index begin = 0; begin < whole; begin += smo_padding) {
        const Vector at = hn::Set(d, static_cast<double>(begin));
#pragma GCC unroll 8
        for (Index k = 0; k < vectors; ++k)
            compare(k, begin + k * lanes, at, load(row_i + begin + k * lanes));
    }
    for (Index k = 0; whole + k * lanes < count; ++k) {
        const Index t = whole + k * lanes;
        compare(k, t, hn::Set(d, static_cast<double>(whole)), load_last(row_i + t, count - t));
    }
    HWY_ALIGN double squares[smo_padding];
    HWY_ALIGN double curvatures[smo_padding];
    HWY_ALIGN double positions[smo_padding];
#pragma GCC unroll 8
    for (Index k = 0; k < vectors; ++k) {
        hn::Store(best[k], d, squares + k * lanes);
        hn::Store(best_curvature[k], d, curvatures + k * lanes);
        hn::Store(best_at[k], d, positions + k * lanes);
    }
    double gain = 0;
    Index found = -1;
    for (Index lane = 0; lane < smo_padding; ++lane) {
        const Index position = static_cast<Index>(positions[lane]) + lane;
        const double lane_gain = squares[lane] / curvatures[lane];
        if (positions[lane] < 0 || lane_gain < gain || (lane_gain == gain && found >= 0 && position > found))
            continue;
        gain = lane_gain;
        found = position;
    }
    return found;
}

const SmoSteps<double>& steps_double() {
    static constexpr SmoSteps<double> steps{extremes, step<double>, partner<double>};
    return steps;
}
const SmoSteps<float>& steps_single() {
    static constexpr SmoSteps<float> steps{extremes, step<float>, partner<float>};
    return steps;
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

template <>
const SmoSteps<double>& smo_steps() {
    return DK_CHOSEN(steps_double)();
}
template <>
const SmoSteps<float>& smo_steps() {
    return DK_CHOSEN(steps_single)();
}

}  // namespace dk
#endif
