// SPDX-License-Identifier: Apache-2.0
//
// Forward and back substitution for a small lower triangle L solve L x = b and L' x = b for vectors of
// right-hand sides, one in each lane:
//
//     x_j = (b_j - sum over k < j of L(j, k) x_k) / L(j, j)     for j = 0, 1, ...
//     x_j = (b_j - sum over k > j of L(k, j) x_k) / L(j, j)     for j = size - 1, size - 2, ...
//
// G. Golub, C. Van Loan, Matrix computations, section 3.1.
#include "matrix/triangular_loops.hpp"

#include <algorithm>

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "matrix/triangular_loops.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "matrix/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<double>;
constexpr Index lanes = static_cast<Index>(HWY_LANES(double));

/// Solves L x = b, where x_j is a vector of neighbouring right-hand sides at x + j * step.
template <class D>
HWY_INLINE void substitute(D d, const double* lower, Index stride, Index size, double* x, Index step) {
    for (Index j = 0; j < size; ++j) {
        auto value = hn::LoadU(d, x + j * step);
        for (Index k = 0; k < j; ++k)
            value = hn::NegMulAdd(hn::Set(d, lower[j * stride + k]), hn::LoadU(d, x + k * step), value);
        hn::StoreU(hn::Div(value, hn::Set(d, lower[j * stride + j])), d, x + j * step);
    }
}

/// Solves L' x = b for x_j at the same places. The sum over k begins with the last term.
template <class D>
HWY_INLINE void substitute_back(D d, const double* lower, Index stride, Index size, double* x, Index step) {
    for (Index j = size - 1; j >= 0; --j) {
        auto value = hn::LoadU(d, x + j * step);
        for (Index k = size - 1; k > j; --k)
            value = hn::NegMulAdd(hn::Set(d, lower[k * stride + j]), hn::LoadU(d, x + k * step), value);
        hn::StoreU(hn::Div(value, hn::Set(d, lower[j * stride + j])), d, x + j * step);
    }
}

/// Solves X L' = B, where the rows of B are interleaved in a copy, so that a vector has one element of each
/// row. Four vectors at a time are solved, because their chains of operations overlap.
void solve_rows(const double* lower, Index stride, Index size, double* b, Index b_stride, Index rows) {
    constexpr Index at_once = 4 * lanes;
    alignas(64) double x[small_triangle * at_once];
    for (Index row = 0; row < rows; row += at_once) {
        const Index some = std::min(at_once, rows - row);
        double* from = b + row * b_stride;
        for (Index j = 0; j < size; ++j) {
            for (Index r = 0; r < some; ++r) x[j * at_once + r] = from[r * b_stride + j];
            for (Index r = some; r < at_once; ++r) x[j * at_once + r] = 0;
        }
        const Lanes d;
        for (Index j = 0; j < size; ++j) {
            double* own = x + j * at_once;
            auto value0 = hn::Load(d, own);
            auto value1 = hn::Load(d, own + lanes);
            auto value2 = hn::Load(d, own + 2 * lanes);
            auto value3 = hn::Load(d, own + 3 * lanes);
            for (Index k = 0; k < j; ++k) {
                const auto factor = hn::Set(d, lower[j * stride + k]);
                const double* solved = x + k * at_once;
                value0 = hn::NegMulAdd(factor, hn::Load(d, solved), value0);
                value1 = hn::NegMulAdd(factor, hn::Load(d, solved + lanes), value1);
                value2 = hn::NegMulAdd(factor, hn::Load(d, solved + 2 * lanes), value2);
                value3 = hn::NegMulAdd(factor, hn::Load(d, solved + 3 * lanes), value3);
            }
            const auto pivot = hn::Set(d, lower[j * stride + j]);
            hn::Store(hn::Div(value0, pivot), d, own);
            hn::Store(hn::Div(value1, pivot), d, own + lanes);
            hn::Store(hn::Div(value2, pivot), d, own + 2 * lanes);
            hn::Store(hn::Div(value3, pivot), d, own + 3 * lanes);
        }
        for (Index r = 0; r < some; ++r) {
            for (Index j = 0; j < size; ++j) from[r * b_stride + j] = x[j * at_once + r];
        }
    }
}

void solve_columns(const double* lower, Index stride, Index size, double* b, Index b_stride, Index cols) {
    Index c = 0;
    for (; c + lanes <= cols; c += lanes) substitute(Lanes(), lower, stride, size, b + c, b_stride);
    for (; c < cols; ++c) substitute(hn::CappedTag<double, 1>(), lower, stride, size, b + c, b_stride);
}

void solve_columns_transposed(const double* lower, Index stride, Index size, double* b, Index b_stride,
                              Index cols) {
    Index c = 0;
    for (; c + lanes <= cols; c += lanes) substitute_back(Lanes(), lower, stride, size, b + c, b_stride);
    for (; c < cols; ++c) substitute_back(hn::CappedTag<double, 1>(), lower, stride, size, b + c, b_stride);
}

constexpr TriangularLoops loops{solve_rows, solve_columns, solve_columns_transposed};

const TriangularLoops* loops_of_target() {
    return &loops;
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

const TriangularLoops& triangular_loops() {
    static const TriangularLoops& chosen_loops = *DK_CHOSEN(loops_of_target)();
    return chosen_loops;
}

}  // namespace dk
#endif  // HWY_ONCE
