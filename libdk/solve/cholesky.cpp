// SPDX-License-Identifier: Apache-2.0
#include "solve/cholesky.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "solve/multiply.hpp"

namespace dk {

namespace {

constexpr Index block_size = 192;

int blas_size(Index n) {
    return static_cast<int>(n);
}

/// The tile (row, col) of the lower triangle with running number t: row r holds tiles r (r + 1) / 2 ...
std::pair<Index, Index> lower_tile(Index t) {
    Index row = 0;
    while ((row + 1) * (row + 2) / 2 <= t) ++row;
    return {row, t - row * (row + 1) / 2};
}

}  // namespace

bool cholesky_factor(double* matrix, Index n, Control& control) {
    for (Index begin = 0; begin < n; begin += block_size) {
        control.check(static_cast<double>(begin) / static_cast<double>(n));
        const ProgressHold hold(control);
        const Index width = std::min(block_size, n - begin);
        const Index next = begin + width;
        double* pivot = matrix + begin * n + begin;
        const int order = blas_size(width);
        const int stride = blas_size(n);
        int info = 0;
        dpotrf_("U", &order, pivot, &stride,
                &info);  // the upper triangle in columns is the lower one in rows
        if (info != 0) return false;
        const Index below = n - next;
        const Index tiles = (below + block_size - 1) / block_size;
        parallel_for(tiles, control, [&](Index t) {
            const int rows = blas_size(std::min(block_size, below - t * block_size));
            const double one = 1;
            double* panel = matrix + (next + t * block_size) * n + begin;
            dtrsm_("L", "U", "T", "N", &order, &rows, &one, pivot, &stride, panel, &stride);
        });
        parallel_for(tiles * (tiles + 1) / 2, control, [&](Index t) {
            const auto [tile_row, tile_col] = lower_tile(t);
            const Index row = next + tile_row * block_size;
            const Index col = next + tile_col * block_size;
            multiply_transposed(matrix + row * n + begin, n, std::min(block_size, n - row),
                                matrix + col * n + begin, n, std::min(block_size, n - col), width, -1, 1,
                                matrix + row * n + col, n);
        });
    }
    return true;
}

void cholesky_solve(const double* factor, Index n, double* b, Control& control) {
    for (Index i = 0; i < n; ++i) {
        if (i % block_size == 0) control.check();
        double sum = b[i];
        for (Index j = 0; j < i; ++j) sum -= factor[i * n + j] * b[j];
        b[i] = sum / factor[i * n + i];
    }
    for (Index i = n - 1; i >= 0; --i) {
        if (i % block_size == 0) control.check();
        b[i] /= factor[i * n + i];
        for (Index j = 0; j < i; ++j) b[j] -= factor[i * n + j] * b[i];
    }
}

namespace {

/// The block of b that the factor's diagonal block `block` belongs to. As dgemm and dtrsm see them, b is
/// columns x n, and the factor the upper triangle of L'.
void solve_diagonal_block(const double* factor, Index n, double* b, Index columns, Index block,
                          const char* transposed) {
    const double one = 1;
    const int m = blas_size(columns);
    const int stride = blas_size(n);
    const Index begin = block * block_size;
    const int width = blas_size(std::min(block_size, n - begin));
    dtrsm_("R", "U", transposed, "N", &m, &width, &one, factor + begin * n + begin, &stride,
           b + begin * columns, &m);
}

}  // namespace

void solve_lower(const double* factor, Index n, double* b, Index columns, Control& control) {
    const Index blocks = (n + block_size - 1) / block_size;
    for (Index block = 0; block < blocks; ++block) {
        control.check();
        const ProgressHold hold(control);
        solve_diagonal_block(factor, n, b, columns, block, "N");
        const Index from = block * block_size;
        parallel_for(blocks - block - 1, control, [&](Index t) {
            const Index to = (block + 1 + t) * block_size;
            multiply(factor + to * n + from, n, std::min(block_size, n - to), b + from * columns, columns,
                     columns, block_size, -1, 1, b + to * columns, columns);
        });
    }
}

void solve_lower_transposed(const double* factor, Index n, double* b, Index columns, Control& control) {
    const Index blocks = (n + block_size - 1) / block_size;
    const double one = 1;
    const double minus_one = -1;
    const int m = blas_size(columns);
    const int stride = blas_size(n);
    for (Index block = blocks - 1; block >= 0; --block) {
        control.check();
        const ProgressHold hold(control);
        solve_diagonal_block(factor, n, b, columns, block, "T");
        const Index from = block * block_size;
        const int depth = blas_size(std::min(block_size, n - from));
        parallel_for(block, control, [&](Index t) {
            const Index to = t * block_size;
            const int rows = blas_size(block_size);
            dgemm_("N", "T", &m, &rows, &depth, &minus_one, b + from * columns, &m, factor + from * n + to,
                   &stride, &one, b + to * columns, &m);
        });
    }
}

void cholesky_solve_all(const double* factor, Index n, double* b, Index columns, Control& control) {
    solve_lower(factor, n, b, columns, control);
    solve_lower_transposed(factor, n, b, columns, control);
}

std::vector<double> cholesky_inverse_diagonal(const double* factor, Index n, Control& control) {
    std::vector<double> diagonal(unsigned_of(n));
    const Index blocks = (n + block_size - 1) / block_size;
    const auto new_panel = [&] { return std::vector<double>(unsigned_of(n * std::min(block_size, n))); };
    // Columns of L^-1, whose squared lengths they are; above the diagonal they are zero.
    parallel_for_with(blocks, control, new_panel, [&](std::vector<double>& panel, Index block) {
        const Index begin = block * block_size;
        const Index width = std::min(block_size, n - begin);
        const Index rows = n - begin;
        std::fill_n(panel.begin(), rows * width, 0.0);
        for (Index j = 0; j < width; ++j) panel[unsigned_of(j * width + j)] = 1;
        const double one = 1;
        const double minus_one = -1;
        const int m = blas_size(width);
        const int stride = blas_size(n);
        for (Index at = 0; at < rows && !control.stopping(); at += block_size) {
            const int height = blas_size(std::min(block_size, rows - at));
            const int depth = blas_size(at);
            double* solved = panel.data() + at * width;
            const double* row = factor + (begin + at) * n + begin;
            if (at > 0)
                dgemm_("N", "N", &m, &height, &depth, &minus_one, panel.data(), &m, row, &stride, &one,
                       solved, &m);
            dtrsm_("R", "U", "N", "N", &m, &height, &one, row + at, &stride, solved, &m);
        }
        for (Index i = 0; i < rows; ++i) {
            for (Index j = 0; j < width; ++j) {
                const double value = panel[unsigned_of(i * width + j)];
                diagonal[unsigned_of(begin + j)] += value * value;
            }
        }
    });
    return diagonal;
}

void outer_product(const double* a, Index n, Index depth, double* out, Control& control) {
    const Index tiles = (n + block_size - 1) / block_size;
    parallel_for(tiles * (tiles + 1) / 2, control, [&](Index t) {
        const auto [tile_row, tile_col] = lower_tile(t);
        const Index row = tile_row * block_size;
        const Index col = tile_col * block_size;
        const Index height = std::min(block_size, n - row);
        const Index width = std::min(block_size, n - col);
        multiply_transposed(a + row * depth, depth, height, a + col * depth, depth, width, depth, 1, 0,
                            out + row * n + col, n);
        for (Index i = row; i < row + height; ++i) {
            for (Index j = col; j < std::min(i, col + width); ++j) out[j * n + i] = out[i * n + j];
        }
    });
}

}  // namespace dk
