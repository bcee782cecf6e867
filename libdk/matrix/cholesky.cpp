// SPDX-License-Identifier: Apache-2.0
//
// This file finds the lower triangular L with A = L L' for symmetric positive definite A. It takes one block
// J of columns after the other, from the left:
//
//     A(J.., J) <- A(J.., J) - L(J.., ..J) L(J, ..J)'      subtracts what the columns before J explain
//     L(J, J)   <- the factor of A(J, J)
//     L(i, J)   <- A(i, J) L(J, J)^-T                      for the rows i below J
//
//     letter      name
//     A, L        matrix, of which L takes the place
//     J           the columns `begin` to `begin` + `width` - 1
//     J..         the rows of J and below; ..J are the columns before J
//
// Nearly all of the work is in the first step, whose products are fast. The columns after J stay as they are
// until their turn, so that they are written once and not for every block.
//
// G. Golub, C. Van Loan, Matrix computations, section 4.2.
#include "matrix/cholesky.hpp"

#include "base/parallel.hpp"
#include "matrix/packed_rows.hpp"
#include "matrix/triangular_loops.hpp"

namespace dk {

namespace {

constexpr Index panel_width = 192;          // columns of a block J
constexpr Index rows_a_task = 96;           // rows below J that a thread takes at once
constexpr Index diagonal_rows_a_task = 24;  // rows of J that a thread takes at once

/// Factors a triangle row by row, which is too small for products to pay.
bool factor_small(MatrixRef a) {
    for (Index i = 0; i < a.rows(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            const double rest = a(i, j) - a.row(i).head(j).dot(a.row(j).head(j));
            if (j == i && !(rest > 0)) return false;
            a(i, j) = j == i ? std::sqrt(rest) : rest / a(j, j);
        }
    }
    return true;
}

/// Factors a diagonal block in the same steps by blocks of small_triangle columns, on the calling thread.
bool factor_diagonal_block(MatrixRef a) {
    const Index n = a.rows();
    for (Index begin = 0; begin < n; begin += small_triangle) {
        const Index width = std::min(small_triangle, n - begin);
        const Index below = n - begin - width;
        auto columns = a.block(begin, begin, n - begin, width);
        if (begin > 0)
            multiply_transposed(a.block(begin, 0, n - begin, begin), a.block(begin, 0, width, begin), columns,
                                Into::subtract);
        if (!factor_small(columns.topRows(width))) return false;
        if (below > 0) solve_rows(columns.topRows(width), columns.bottomRows(below));
    }
    return true;
}

/// Shares the rows from `begin` to `end` - 1 of a panel, whose elements are products of so many terms, among
/// threads: runs body(first, count) for tasks of `rows` rows.
template <typename Body>
void for_rows(Index begin, Index end, Index rows, Index terms, Control& control, Body body) {
    const double values = (end - begin) * panel_width * (1 + terms / 16.0);
    parallel_for((end - begin + rows - 1) / rows, values, control, [&](Index t) {
        const Index row = begin + t * rows;
        body(row, std::min(rows, end - row));
    });
}

}  // namespace

bool cholesky_factor(MatrixRef matrix, Control& control) {
    const Index n = matrix.rows();
    for (Index begin = 0; begin < n; begin += panel_width) {
        control.check(1.0 * begin / n);
        const ProgressHold hold(control);
        const Index width = std::min(panel_width, n - begin);
        const Index next = begin + width;
        const PackedRows<double> before(matrix.block(begin, 0, width, begin));
        const auto subtract_before = [&](Index row, Index rows) {
            if (begin > 0)
                multiply_transposed(matrix.block(row, 0, rows, begin), before, 0,
                                    matrix.block(row, begin, rows, width), Into::subtract);
        };
        for_rows(begin, next, diagonal_rows_a_task, begin, control, subtract_before);
        if (!factor_diagonal_block(matrix.block(begin, begin, width, width))) return false;
        for_rows(next, n, rows_a_task, begin + width, control, [&](Index row, Index rows) {
            subtract_before(row, rows);
            solve_rows(matrix.block(begin, begin, width, width), matrix.block(row, begin, rows, width));
        });
    }
    return true;
}

void cholesky_solve(const ConstMatrixRef& factor, VectorRef b, Control& control) {
    forward_substitution(factor, b, control);
    back_substitution(factor, b, control);
}

void cholesky_solve_all(const ConstMatrixRef& factor, MatrixRef b, Control& control) {
    solve_lower(factor, b, control);
    solve_lower_transposed(factor, b, control);
}

Vector cholesky_inverse_diagonal(const ConstMatrixRef& factor, Control& control) {
    const Index n = factor.rows();
    Vector diagonal(n);
    // Since (L L')^-1 = L^-T L^-1, its diagonal has the squared lengths of the columns of L^-1. These are
    // zero above the diagonal, so that the rows from `begin` on are enough.
    const auto new_panel = [&] { return LargeMatrix(n, std::min(panel_width, n)); };
    parallel_for_with((n + panel_width - 1) / panel_width, control, new_panel,
                      [&](LargeMatrix& panel, Index block) {
                          Control part(Control::Part{}, control);
                          const Index begin = block * panel_width;
                          const Index width = std::min(panel_width, n - begin);
                          auto columns = view(panel.data(), n - begin, width);
                          columns.setIdentity();
                          solve_lower(factor.bottomRightCorner(n - begin, n - begin), columns, part);
                          diagonal.segment(begin, width) = columns.colwise().squaredNorm().transpose();
                      });
    return diagonal;
}

}  // namespace dk
