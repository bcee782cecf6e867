// SPDX-License-Identifier: Apache-2.0
#include "solve/box/smo_steps.hpp"

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

/// LaneExtremes keeps the extremes that each lane has seen. The first of equal ones wins, so that the result
/// does not depend on the number of lanes.
class LaneExtremes {
  public:
    // This constructor is written out, because one that the compiler adds is not compiled for the instruction
    // set.
    LaneExtremes()
        : highest_(hn::Set(d, -infinity)), highest_at_(hn::Set(d, -1.0)), lowest_(hn::Set(d, infinity)) {}

    void see(Vector v, const double* rise, const double* fall, Vector at) {
        const Vector up = hn::Add(v, load(rise));
        const auto higher = hn::Gt(up, highest_);
        highest_ = hn::IfThenElse(higher, up, highest_);
        highest_at_ = hn::IfThenElse(higher, at, highest_at_);
        // What stands behind the last variable may be no number. A comparison ignores such a value, where Min
        // might not.
        const Vector down = hn::Add(v, load(fall));
        lowest_ = hn::IfThenElse(hn::Lt(down, lowest_), down, lowest_);
    }

    Extremes reduce() const {
        HWY_ALIGN double highest[smo_padding];
        HWY_ALIGN double at[smo_padding];
        HWY_ALIGN double lowest[smo_padding];
        hn::Store(highest_, d, highest);
        hn::Store(highest_at_, d, at);
        hn::Store(lowest_, d, lowest);
        Extremes found{-infinity, infinity, -1};
        for (Index lane = 0; lane < lanes; ++lane) {
            const auto position = static_cast<Index>(at[lane]);
            if (highest[lane] > found.highest ||
                (highest[lane] == found.highest && position < found.highest_at)) {
                found.highest = highest[lane];
                found.highest_at = position;
            }
            if (lowest[lane] < found.lowest) found.lowest = lowest[lane];
        }
        return found;
    }

  private:
    static constexpr Doubles d{};
    Vector highest_;
    Vector highest_at_;
    Vector lowest_;
};

Extremes extremes(const double* v, const double* rise, const double* fall, Index count) {
    const Doubles d;
    LaneExtremes found;
    Vector at = hn::Iota(d, 0.0);
    const Vector next = hn::Set(d, lanes);
    for (Index t = 0; t < count; t += lanes, at = hn::Add(at, next))
        found.see(load(v + t), rise + t, fall + t, at);
    return found.reduce();
}

template <typename T>
Extremes step(const T* row_i, const T* row_j, double move, double* v, const double* rise, const double* fall,
              Index count) {
    const Doubles d;
    LaneExtremes found;
    Vector at = hn::Iota(d, 0.0);
    const Vector next = hn::Set(d, lanes);
    const Vector length = hn::Set(d, move);
    for (Index t = 0; t < count; t += lanes, at = hn::Add(at, next)) {
        const Vector moved = hn::NegMulAdd(length, hn::Sub(load(row_i + t), load(row_j + t)), load(v + t));
        hn::StoreU(moved, d, v + t);
        found.see(moved, rise + t, fall + t, at);
    }
    return found.reduce();
}

/// Gives the partner of variable i, as SmoSteps::partner documents it. Gains are fractions square /
/// curvature, which are compared crosswise, because divisions would take most of the time. The rounding of
/// such a comparison makes the choice depend on which gains meet, so eight of them run side by side on every
/// processor, in one vector or in several.
template <typename T>
Index partner(const T* row_i, double own, const double* diagonal, const double* v, const double* fall,
              double highest, Index count) {
    const Doubles d;
    constexpr Index vectors = smo_padding / lanes;
    const Vector own_curvature = hn::Set(d, own);
    const Vector least = hn::Set(d, smallest_curvature);
    const Vector top = hn::Set(d, highest);
    const Vector zero = hn::Zero(d);
    const Vector two = hn::Set(d, 2.0);
    const Vector next = hn::Set(d, lanes);
    Vector at = hn::Iota(d, 0.0);
    Vector best[vectors];
    Vector best_curvature[vectors];
    Vector best_at[vectors];
#pragma GCC unroll 8
    for (Index k = 0; k < vectors; ++k) {
        best[k] = zero;
        best_curvature[k] = hn::Set(d, 1.0);
        best_at[k] = hn::Set(d, -1.0);
    }
    for (Index begin = 0; begin < count; begin += smo_padding) {
#pragma GCC unroll 8
        for (Index k = 0; k < vectors; ++k) {
            const Index t = begin + k * lanes;
            const Vector violation = hn::Sub(top, hn::Add(load(v + t), load(fall + t)));
            const Vector sum = hn::Add(own_curvature, load(diagonal + t));
            const Vector curvature = hn::Max(hn::NegMulAdd(two, load(row_i + t), sum), least);
            const Vector square = hn::Mul(violation, violation);
            const auto better = hn::And(hn::Gt(violation, zero), hn::Gt(hn::Mul(square, best_curvature[k]),
                                                                        hn::Mul(best[k], curvature)));
            best[k] = hn::IfThenElse(better, square, best[k]);
            best_curvature[k] = hn::IfThenElse(better, curvature, best_curvature[k]);
            best_at[k] = hn::IfThenElse(better, at, best_at[k]);
            at = hn::Add(at, next);
        }
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
        const auto position = static_cast<Index>(positions[lane]);
        const double lane_gain = squares[lane] / curvatures[lane];
        if (position < 0 || lane_gain < gain || (lane_gain == gain && found >= 0 && position > found))
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
