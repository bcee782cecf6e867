// SPDX-License-Identifier: Apache-2.0
#include "solve/cholesky.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "base/parallel.hpp"

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

/// c (rows x cols) = beta c + alpha a b', all row-major; dgemm sees the transposes.
void multiply_transposed(const double* a, Index a_stride, Index rows, const double* b, Index b_stride,
                         Index cols, Index depth, double alpha, double beta, double* c, Index c_stride) {
    const int m = blas_size(cols);
    const int n = blas_size(rows);
    const int k = blas_size(depth);
    const int ldb = blas_size(b_stride);
    const int lda = blas_size(a_stride);
    const int ldc = blas_size(c_stride);
    dgemm_("T", "N", &m, &n, &k, &alpha, b, &ldb, a, &lda, &beta, c, &ldc);
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
