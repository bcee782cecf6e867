// SPDX-License-Identifier: Apache-2.0
//
// These functions solve systems with a lower triangular matrix L by blocks J of its rows and columns. The
// system L X = B takes two steps for each block, from the first to the last:
//
//     X(J)   <- L(J, J)^-1 B(J)               by smaller blocks, and for these by triangular_loops.cpp
//     B(i)   <- B(i) - L(i, J) X(J)           for the rows i below J
//
// Nearly all of the work is in the second step, whose products are fast. Some functions subtract all terms of
// a row i at once instead, just before its own block is solved. L' X = B goes from the last block to the
// first, and subtracts from the rows above J. X L' = B is L X = B with rows in place of columns.
//
//     letter      name
//     L           lower
//     B, X        b
//     J           the rows `begin` to `begin` + `width` - 1
//
// G. Golub, C. Van Loan, Matrix computations, section 3.1.
#include "matrix/triangular.hpp"

#include "base/parallel.hpp"
#include "matrix/product.hpp"
#include "matrix/triangular_loops.hpp"

namespace dk {

namespace {

constexpr Index block_size = 192;  // rows of a block J

/// Runs body(begin, width) for the blocks of `size` rows, which have `block` rows each or what is left, from
/// the first one to the last.
template <typename Body>
void for_blocks(Index size, Index block, Body body) {
    for (Index begin = 0; begin < size; begin += block) body(begin, std::min(block, size - begin));
}

/// Runs body(begin, width) for the same blocks from the last one to the first.
template <typename Body>
void for_blocks_back(Index size, Index block, Body body) {
    for (Index begin = (size - 1) / block * block; begin >= 0; begin -= block)
        body(begin, std::min(block, size - begin));
}

/// Solves L X = B for L of one block.
void solve_block(const ConstMatrixRef& lower, MatrixRef b) {
    for_blocks(lower.rows(), small_triangle, [&](Index begin, Index width) {
        auto own = b.middleRows(begin, width);
        if (begin > 0) multiply(lower.block(begin, 0, width, begin), b.topRows(begin), own, Into::subtract);
        triangular_loops().solve_columns(lower.block(begin, begin, width, width).data(), lower.outerStride(),
                                         width, &b(begin, 0), b.outerStride(), b.cols());
    });
}

/// Solves L' X = B for L of one block.
void solve_block_transposed(const ConstMatrixRef& lower, MatrixRef b) {
    for_blocks_back(lower.rows(), small_triangle, [&](Index begin, Index width) {
        const Index end = begin + width;
        const Index below = lower.rows() - end;
        if (below > 0)
            transposed_multiply(lower.block(end, begin, below, width), b.bottomRows(below),
                                b.middleRows(begin, width), Into::subtract);
        triangular_loops().solve_columns_transposed(lower.block(begin, begin, width, width).data(),
                                                    lower.outerStride(), width, &b(begin, 0), b.outerStride(),
                                                    b.cols());
    });
}

}  // namespace

void solve_rows(const ConstMatrixRef& lower, MatrixRef b) {
    for_blocks(lower.rows(), small_triangle, [&](Index begin, Index width) {
        if (begin > 0)
            multiply_transposed(b.leftCols(begin), lower.block(begin, 0, width, begin),
                                b.middleCols(begin, width), Into::subtract);
        triangular_loops().solve_rows(lower.block(begin, begin, width, width).data(), lower.outerStride(),
                                      width, &b(0, begin), b.outerStride(), b.rows());
    });
}

void solve_lower(const ConstMatrixRef& lower, MatrixRef b, Control& control) {
    if (b.size() == 0) return;
    const Index n = lower.rows();
    for_blocks(n, block_size, [&](Index begin, Index width) {
        control.check();
        const Index end = begin + width;
        solve_block(lower.block(begin, begin, width, width), b.middleRows(begin, width));
        if (end < n)
            multiply(lower.block(end, begin, n - end, width), b.middleRows(begin, width),
                     b.bottomRows(n - end), Into::subtract, control);
    });
}

void solve_lower_transposed(const ConstMatrixRef& lower, MatrixRef b, Control& control) {
    if (b.size() == 0) return;
    for_blocks_back(lower.rows(), block_size, [&](Index begin, Index width) {
        control.check();
        solve_block_transposed(lower.block(begin, begin, width, width), b.middleRows(begin, width));
        if (begin > 0)
            transposed_multiply(lower.block(begin, 0, width, begin), b.middleRows(begin, width),
                                b.topRows(begin), Into::subtract, control);
    });
}

void forward_substitution(const ConstMatrixRef& lower, VectorRef b, Control& control) {
    for_blocks(lower.rows(), block_size, [&](Index begin, Index width) {
        control.check();
        Vector known(width);
        multiply_vector(lower.block(begin, 0, width, begin), b.head(begin), known);
        b.segment(begin, width) -= known;
        for (Index i = 0; i < width; ++i) {
            const auto row = lower.row(begin + i).segment(begin, i);
            b(begin + i) = (b(begin + i) - row.dot(b.segment(begin, i))) / lower(begin + i, begin + i);
        }
    });
}

void back_substitution(const ConstMatrixRef& lower, VectorRef b, Control& control) {
    for_blocks_back(lower.rows(), block_size, [&](Index begin, Index width) {
        control.check();
        for (Index i = begin + width - 1; i >= begin; --i) {
            b(i) /= lower(i, i);
            b.segment(begin, i - begin) -= b(i) * lower.row(i).segment(begin, i - begin).transpose();
        }
        const Vector solved = -b.segment(begin, width);
        add_transposed_product(lower.block(begin, 0, width, begin), solved, b.head(begin));
    });
}

}  // namespace dk
