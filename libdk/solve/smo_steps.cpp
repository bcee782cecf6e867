// SPDX-License-Identifier: Apache-2.0
#include "solve/smo_steps.hpp"

#include <limits>

// Highway compiles this file once for every instruction set and dispatches at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solve/smo_steps.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Never more lanes than arrays are padded to.
using Doubles = hn::CappedTag<double, static_cast<std::size_t>(smo_padding)>;
using Vector = hn::Vec<Doubles>;

constexpr double infinity = std::numeric_limits<double>::infinity();

Vector load(const double* from) {
    return hn::LoadU(Doubles(), from);
}
Vector load(const float* from) {
    return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), from));
}

/// Keeps the extremes of each lane; the first of equal ones wins.
class LaneExtremes {
  public:
    // written out, because what the compiler adds itself is not compiled for the instruction set
    LaneExtremes()
        : highest_(hn::Set(d, -infinity)), highest_at_(hn::Set(d, -1.0)), lowest_(hn::Set(d, infinity)) {}

    void see(Vector v, const double* rise, const double* fall, Vector at) {
        const Vector up = hn::Add(v, load(rise));
        const auto higher = hn::Gt(up, highest_);
        highest_ = hn::IfThenElse(higher, up, highest_);
        highest_at_ = hn::IfThenElse(higher, at, highest_at_);
        // not Min: what stands behind the last variable may be no number, which a comparison ignores
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
        for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
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
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    LaneExtremes found;
    Vector at = hn::Iota(d, 0.0);
    const Vector next = hn::Set(d, static_cast<double>(lanes));
    for (Index t = 0; t < count; t += lanes, at = hn::Add(at, next))
        found.see(load(v + t), rise + t, fall + t, at);
    return found.reduce();
}

template <typename T>
Extremes step(const T* row_i, const T* row_j, double move, double* v, const double* rise, const double* fall,
              Index count) {
    const Doubles d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    LaneExtremes found;
    Vector at = hn::Iota(d, 0.0);
    const Vector next = hn::Set(d, static_cast<double>(lanes));
    const Vector length = hn::Set(d, move);
    for (Index t = 0; t < count; t += lanes, at = hn::Add(at, next)) {
        const Vector moved = hn::NegMulAdd(length, hn::Sub(load(row_i + t), load(row_j + t)), load(v + t));
        hn::StoreU(moved, d, v + t);
        found.see(moved, rise + t, fall + t, at);
    }
    return found.reduce();
}

template <typename T>
Index partner(const T* row_i, double own, const double* diagonal, const double* v, const double* fall,
              double highest, Index count) {
    const Doubles d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    const Vector own_curvature = hn::Set(d, own);
    const Vector least = hn::Set(d, smallest_curvature);
    const Vector top = hn::Set(d, highest);
    const Vector zero = hn::Zero(d);
    const Vector two = hn::Set(d, 2.0);
    const Vector next = hn::Set(d, static_cast<double>(lanes));
    Vector at = hn::Iota(d, 0.0);
    // gains as fractions, compared crosswise: divisions would take most of the time
    Vector best = zero;
    Vector best_curvature = hn::Set(d, 1.0);
    Vector best_at = hn::Set(d, -1.0);
    for (Index t = 0; t < count; t += lanes, at = hn::Add(at, next)) {
        const Vector violation = hn::Sub(top, hn::Add(load(v + t), load(fall + t)));
        const Vector sum = hn::Add(own_curvature, load(diagonal + t));
        const Vector curvature = hn::Max(hn::NegMulAdd(two, load(row_i + t), sum), least);
        const Vector square = hn::Mul(violation, violation);
        const auto better = hn::And(hn::Gt(violation, zero),
                                    hn::Gt(hn::Mul(square, best_curvature), hn::Mul(best, curvature)));
        best = hn::IfThenElse(better, square, best);
        best_curvature = hn::IfThenElse(better, curvature, best_curvature);
        best_at = hn::IfThenElse(better, at, best_at);
    }
    HWY_ALIGN double squares[smo_padding];
    HWY_ALIGN double curvatures[smo_padding];
    HWY_ALIGN double positions[smo_padding];
    hn::Store(best, d, squares);
    hn::Store(best_curvature, d, curvatures);
    hn::Store(best_at, d, positions);
    double gain = 0;
    Index found = -1;
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
        const auto position = static_cast<Index>(positions[lane]);
        const double lane_gain = squares[lane] / curvatures[lane];
        if (position < 0 || lane_gain < gain || (lane_gain == gain && found >= 0 && position > found))
            continue;
        gain = lane_gain;
        found = position;
    }
    return found;
}

template <typename T>
void accumulate(const T* const* rows, const double* weights, Index count, Index begin, Index end,
                double* out) {
    const Doubles d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    Index r = 0;
    for (; r + 4 <= count; r += 4) {  // four rows a pass, so that `out` is read and written less
        const Vector w0 = hn::Set(d, weights[r]);
        const Vector w1 = hn::Set(d, weights[r + 1]);
        const Vector w2 = hn::Set(d, weights[r + 2]);
        const Vector w3 = hn::Set(d, weights[r + 3]);
        Index j = begin;
        for (; j + lanes <= end; j += lanes) {
            Vector sum = load(out + j);
            sum = hn::MulAdd(w0, load(rows[r] + j), sum);
            sum = hn::MulAdd(w1, load(rows[r + 1] + j), sum);
            sum = hn::MulAdd(w2, load(rows[r + 2] + j), sum);
            sum = hn::MulAdd(w3, load(rows[r + 3] + j), sum);
            hn::StoreU(sum, d, out + j);
        }
        for (; j < end; ++j) {
            for (Index k = r; k < r + 4; ++k) out[j] += weights[k] * static_cast<double>(rows[k][j]);
        }
    }
    for (; r < count; ++r) {
        for (Index j = begin; j < end; ++j) out[j] += weights[r] * static_cast<double>(rows[r][j]);
    }
}

const SmoSteps<double>& steps_double() {
    static constexpr SmoSteps<double> steps{extremes, step<double>, partner<double>, accumulate<double>};
    return steps;
}
const SmoSteps<float>& steps_single() {
    static constexpr SmoSteps<float> steps{extremes, step<float>, partner<float>, accumulate<float>};
    return steps;
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

HWY_EXPORT(steps_double);
HWY_EXPORT(steps_single);

template <>
const SmoSteps<double>& smo_steps() {
    return HWY_DYNAMIC_DISPATCH(steps_double)();
}
template <>
const SmoSteps<float>& smo_steps() {
    return HWY_DYNAMIC_DISPATCH(steps_single)();
}

}  // namespace dk
#endif
