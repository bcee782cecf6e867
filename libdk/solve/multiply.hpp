// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/blas.hpp"
#include "base/types.hpp"

namespace dk {

/// c (rows x cols) = beta c + alpha a b', all row-major, on this thread; dgemm sees the transposes.
inline void multiply_transposed(const double* a, Index a_stride, Index rows, const double* b, Index b_stride,
                                Index cols, Index depth, double alpha, double beta, double* c,
                                Index c_stride) {
    const auto m = static_cast<int>(cols);
    const auto n = static_cast<int>(rows);
    const auto k = static_cast<int>(depth);
    const auto ldb = static_cast<int>(b_stride);
    const auto lda = static_cast<int>(a_stride);
    const auto ldc = static_cast<int>(c_stride);
    dgemm_("T", "N", &m, &n, &k, &alpha, b, &ldb, a, &lda, &beta, c, &ldc);
}

/// c (rows x cols) = beta c + alpha a b, all row-major, on this thread.
inline void multiply(const double* a, Index a_stride, Index rows, const double* b, Index b_stride, Index cols,
                     Index depth, double alpha, double beta, double* c, Index c_stride) {
    const auto m = static_cast<int>(cols);
    const auto n = static_cast<int>(rows);
    const auto k = static_cast<int>(depth);
    const auto ldb = static_cast<int>(b_stride);
    const auto lda = static_cast<int>(a_stride);
    const auto ldc = static_cast<int>(c_stride);
    dgemm_("N", "N", &m, &n, &k, &alpha, b, &ldb, a, &lda, &beta, c, &ldc);
}

}  // namespace dk
