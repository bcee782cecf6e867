// SPDX-License-Identifier: Apache-2.0
#include "kernel/product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/blas.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

int blas_size(Index n) {
    return static_cast<int>(n);
}

/// A row-major matrix is the transpose of the column-major one with the same memory, so X Z' in rows is
/// Z X' in columns.
template <typename T, typename MatrixProduct, typename VectorProduct>
void product_by(MatrixProduct gemm, VectorProduct gemv, const T* x, Index x_stride, Index rows, const T* z,
                Index z_stride, Index cols, Index depth, T* out, Index out_stride) {
    const int m = blas_size(cols);
    const int n = blas_size(rows);
    const int k = blas_size(depth);
    const int lda = blas_size(z_stride);
    const int ldb = blas_size(x_stride);
    const int ldc = blas_size(out_stride);
    const T one = 1;
    const T zero = 0;
    const int step = 1;
    if (rows == 1) {
        gemv("T", &k, &m, &one, z, &lda, x, &step, &zero, out, &step);
    } else {
        gemm("T", "N", &m, &n, &k, &one, z, &lda, x, &ldb, &zero, out, &ldc);
    }
}

}  // namespace

void dense_product(const double* x, Index x_stride, Index rows, const double* z, Index z_stride, Index cols,
                   Index depth, double* out, Index out_stride) {
    product_by(dgemm_, dgemv_, x, x_stride, rows, z, z_stride, cols, depth, out, out_stride);
}

void dense_product(const float* x, Index x_stride, Index rows, const float* z, Index z_stride, Index cols,
                   Index depth, float* out, Index out_stride) {
    product_by(sgemm_, sgemv_, x, x_stride, rows, z, z_stride, cols, depth, out, out_stride);
}

void accumulate_transposed_product(const double* a, Index a_stride, Index rows, Index inner, const double* b,
                                   Index b_stride, Index cols, double* out, Index out_stride) {
    const int m = blas_size(cols);
    const int n = blas_size(rows);
    const int k = blas_size(inner);
    const int lda = blas_size(b_stride);
    const int ldb = blas_size(a_stride);
    const int ldc = blas_size(out_stride);
    const double one = 1;
    dgemm_("N", "T", &m, &n, &k, &one, b, &lda, a, &ldb, &one, out, &ldc);
}

template <typename T>
void sparse_product(const SparseMatrix& left, const Index* left_rows, Index rows, const SparseMatrix& right,
                    Index right_row, Index cols, std::vector<double>& spread, T* out, Index out_stride) {
    // The left row is spread out once; then each right row gathers from it.
    const auto columns = unsigned_of(std::max(left.cols, right.cols));
    if (spread.size() < columns) spread.resize(columns);
    for (Index r = 0; r < rows; ++r) {
        const Index begin = left.row_offsets[unsigned_of(left_rows[r])];
        const Index end = left.row_offsets[unsigned_of(left_rows[r] + 1)];
        for (Index e = begin; e < end; ++e) {
            spread[unsigned_of(left.columns[unsigned_of(e)])] = left.values[unsigned_of(e)];
        }
        for (Index c = 0; c < cols; ++c) {
            double sum = 0;
            for (Index e = right.row_offsets[unsigned_of(right_row + c)];
                 e < right.row_offsets[unsigned_of(right_row + c + 1)]; ++e) {
                sum += spread[unsigned_of(right.columns[unsigned_of(e)])] * right.values[unsigned_of(e)];
            }
            out[r * out_stride + c] = static_cast<T>(sum);
        }
        for (Index e = begin; e < end; ++e) spread[unsigned_of(left.columns[unsigned_of(e)])] = 0;
    }
}

template void sparse_product(const SparseMatrix&, const Index*, Index, const SparseMatrix&, Index, Index,
                             std::vector<double>&, double*, Index);
template void sparse_product(const SparseMatrix&, const Index*, Index, const SparseMatrix&, Index, Index,
                             std::vector<double>&, float*, Index);

namespace {

/// Runs term(x, z) for every column where one of two sparse rows has an entry.
template <typename Term>
void for_columns_of(const SparseMatrix& left, Index i, const SparseMatrix& right, Index j, Term term) {
    constexpr Index exhausted = std::numeric_limits<Index>::max();
    Index e = left.row_offsets[unsigned_of(i)];
    Index f = right.row_offsets[unsigned_of(j)];
    const Index e_end = left.row_offsets[unsigned_of(i + 1)];
    const Index f_end = right.row_offsets[unsigned_of(j + 1)];
    while (e < e_end || f < f_end) {
        const Index left_column = e < e_end ? left.columns[unsigned_of(e)] : exhausted;
        const Index right_column = f < f_end ? right.columns[unsigned_of(f)] : exhausted;
        const double x = left_column <= right_column ? left.values[unsigned_of(e++)] : 0;
        const double z = right_column <= left_column ? right.values[unsigned_of(f++)] : 0;
        term(x, z);
    }
}

double pair_term(PairSum sum, double x, double z) {
    const double total = x + z;
    switch (sum) {
        case PairSum::absolute:
            return std::abs(x - z);
        case PairSum::squared:
            return (x - z) * (x - z);
        case PairSum::chi_square:
            return total > 0 ? (x - z) * ((x - z) / total) : 0;
        case PairSum::harmonic:
            return total > 0 ? 2 * x * (z / total) : 0;
        case PairSum::minimum:
            break;
    }
    return std::min(x, z);
}

}  // namespace

template <typename T>
void sparse_pair_sums(PairSum sum, const SparseMatrix& left, std::span<const Index> left_rows,
                      const SparseMatrix& right, Index right_row, Index cols, T* out) {
    for (const Index i : left_rows) {
        for (Index j = right_row; j < right_row + cols; ++j) {
            double total = 0;
            for_columns_of(left, i, right, j, [&](double x, double z) { total += pair_term(sum, x, z); });
            *out++ = static_cast<T>(total);
        }
    }
}

template void sparse_pair_sums(PairSum, const SparseMatrix&, std::span<const Index>, const SparseMatrix&,
                               Index, Index, double*);
template void sparse_pair_sums(PairSum, const SparseMatrix&, std::span<const Index>, const SparseMatrix&,
                               Index, Index, float*);

double sparse_squared_distance(const SparseMatrix& left, Index i, const SparseMatrix& right, Index j,
                               double left_factor, double right_factor) {
    double total = 0;
    for_columns_of(left, i, right, j, [&](double x, double z) {
        const double difference = x * left_factor - z * right_factor;
        total += difference * difference;
    });
    return total;
}

std::string blas_description() {
    return text("OpenBLAS (", openblas_get_corename(), ")");
}

}  // namespace dk
