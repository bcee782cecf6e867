// SPDX-License-Identifier: Apache-2.0
#include "matrix/eigen/symmetric_product.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

// This file computes y = A x for a symmetric A of which only the diagonal and the upper half are read: each
// element a_ij of the upper half is read once, and adds a_ij x_j to y_i and a_ij x_i to y_j.
//
// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "matrix/eigen/symmetric_product.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "matrix/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A sum has eight lanes, whatever the processor has: they are one, two or four registers. The lanes are added
// in a fixed order at the end, so that the result does not depend on the processor.
using Doubles = hn::CappedTag<double, 8>;
using Lanes = hn::Vec<Doubles>;
constexpr Index sum_lanes = 8;
constexpr Index register_lanes = sizeof(Lanes) / sizeof(double);
constexpr Index registers = sum_lanes / register_lanes;

/// Adds the products of some rows and eight columns of the upper half: a_ij x_j to the sums of the rows, and
/// a_ij x_i to y_j.
template <Index Rows>
HWY_INLINE void add_columns(const double* const* a, const double* x, const Lanes* row_x,
                            Lanes (*sums)[registers], double* y) {
    const Doubles d;
    HWY_UNROLL(4)
    for (Index p = 0; p < registers; ++p) {
        const Index at = p * register_lanes;
        const Lanes column_x = hn::LoadU(d, x + at);
        Lanes column_y = hn::LoadU(d, y + at);
        HWY_UNROLL(4)
        for (Index r = 0; r < Rows; ++r) {
            const Lanes values = hn::LoadU(d, a[r] + at);
            sums[r][p] = hn::MulAdd(values, column_x, sums[r][p]);
            column_y = hn::MulAdd(values, row_x[r], column_y);
        }
        hn::StoreU(column_y, d, y + at);
    }
}

double sum_of(const Lanes* sums) {
    const Doubles d;
    double lane[sum_lanes];
    for (Index p = 0; p < registers; ++p) hn::StoreU(sums[p], d, lane + p * register_lanes);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/// Adds to y what the rows from `first` to `first` + Rows - 1 of the upper half contribute, from the diagonal
/// to the last of the n columns: the product of these rows and x, and that of their transpose and x.
template <Index Rows>
void add_rows(const double* matrix, Index stride, Index first, Index n, const double* x, double* y) {
    const Doubles d;
    const double* rows[Rows];
    double row_sums[Rows];
    Lanes sums[Rows][registers];
    Lanes row_x[Rows];
    HWY_UNROLL(4)
    for (Index r = 0; r < Rows; ++r) {
        rows[r] = matrix + (first + r) * stride;
        row_sums[r] = rows[r][first + r] * x[first + r];
        row_x[r] = hn::Set(d, x[first + r]);
        HWY_UNROLL(4)
        for (Index p = 0; p < registers; ++p) sums[r][p] = hn::Zero(d);
    }
    for (Index r = 0; r < Rows; ++r) {
        for (Index c = r + 1; c < Rows; ++c) {
            row_sums[r] += rows[r][first + c] * x[first + c];
            row_sums[c] += rows[r][first + c] * x[first + r];
        }
    }
    Index j = first + Rows;
    const double* at[Rows];
    for (; j + sum_lanes <= n; j += sum_lanes) {
        HWY_UNROLL(4)
        for (Index r = 0; r < Rows; ++r) at[r] = rows[r] + j;
        add_columns<Rows>(at, x + j, row_x, sums, y + j);
    }
    if (j < n) {  // the last columns, with zeros behind them
        double last[Rows + 2][sum_lanes] = {};
        for (Index c = j; c < n; ++c) {
            for (Index r = 0; r < Rows; ++r) last[r][c - j] = rows[r][c];
            last[Rows][c - j] = x[c];
            last[Rows + 1][c - j] = y[c];
        }
        for (Index r = 0; r < Rows; ++r) at[r] = last[r];
        add_columns<Rows>(at, last[Rows], row_x, sums, last[Rows + 1]);
        for (Index c = j; c < n; ++c) y[c] = last[Rows + 1][c - j];
    }
    for (Index r = 0; r < Rows; ++r) y[first + r] += row_sums[r] + sum_of(sums[r]);
}

/// Adds to y what the rows from `first` to `last` - 1 of the upper half contribute, four rows at a time.
void add_upper_rows(const double* matrix, Index stride, Index first, Index last, Index n, const double* x,
                    double* y) {
    for (; first + 4 <= last; first += 4) add_rows<4>(matrix, stride, first, n, x, y);
    for (; first < last; ++first) add_rows<1>(matrix, stride, first, n, x, y);
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

namespace {

constexpr Index most_parts = 32;
constexpr Index rows_a_part = 128;
constexpr Index least_parallel = 384;  // with fewer rows, starting threads costs more time than it saves

Index parts_of(Index n) {
    return std::clamp<Index>(n / rows_a_part, 1, most_parts);
}

/// The first row of a part. The parts have about as many elements of the upper half each.
Index first_row(Index part, Index parts, Index n) {
    const Index groups = n / 4;  // rows are taken four at a time
    const double share = 1.0 * part / parts;
    return part == parts ? n : 4 * std::lround(groups * (1 - std::sqrt(1 - share)));
}

}  // namespace

SymmetricProduct::SymmetricProduct(Index most_rows) : sums_(parts_of(most_rows), most_rows) {}

void SymmetricProduct::multiply(const ConstMatrixRef& a, const ConstVectorRef& x, VectorRef y,
                                Control& control) {
    const Index n = a.rows();
    const Index parts = parts_of(n);
    const auto add_part = [&](Index t) {
        const Index first = first_row(t, parts, n);
        sums_.row(t).segment(first, n - first).setZero();
        DK_CHOSEN(add_upper_rows)
        (a.data(), a.outerStride(), first, first_row(t + 1, parts, n), n, x.data(), sums_.row(t).data());
    };
    if (n < least_parallel) {
        if (control.stopping()) control.check();
        for (Index t = 0; t < parts; ++t) add_part(t);
    } else {
        const ProgressHold hold(control);
        parallel_for(parts, 1.0 * n * n, control, add_part);
    }
    y = sums_.row(0).head(n).transpose();
    for (Index t = 1; t < parts; ++t) {
        const Index first = first_row(t, parts, n);
        y.tail(n - first) += sums_.row(t).segment(first, n - first).transpose();
    }
}

}  // namespace dk
#endif  // HWY_ONCE
