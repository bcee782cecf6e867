// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/sparse_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dk {

template <typename T>
void sparse_product(const SparseMatrix& left, const Index* left_rows, Index rows, const SparseMatrix& right,
                    Index right_row, Index cols, std::vector<double>& spread, T* out, Index out_stride) {
    // Each left row is written with its zeros to `spread`, where all right rows find its values by columns.
    const auto columns = std::max(left.cols, right.cols);
    if (std::ssize(spread) < columns) spread.resize(columns);
    for (Index r = 0; r < rows; ++r) {
        const Index begin = left.row_offsets[left_rows[r]];
        const Index end = left.row_offsets[left_rows[r] + 1];
        for (Index e = begin; e < end; ++e) {
            spread[left.columns[e]] = left.values[e];
        }
        for (Index c = 0; c < cols; ++c) {
            double sum = 0;
            for (Index e = right.row_offsets[right_row + c]; e < right.row_offsets[right_row + c + 1]; ++e) {
                sum += spread[right.columns[e]] * right.values[e];
            }
            out[r * out_stride + c] = static_cast<T>(sum);
        }
        for (Index e = begin; e < end; ++e) spread[left.columns[e]] = 0;
    }
}

template void sparse_product(const SparseMatrix&, const Index*, Index, const SparseMatrix&, Index, Index,
                             std::vector<double>&, double*, Index);
template void sparse_product(const SparseMatrix&, const Index*, Index, const SparseMatrix&, Index, Index,
                             std::vector<double>&, float*, Index);

namespace {

/// Runs term(x, z) for the values x and z of two sparse rows in every column where at least one has an entry.
template <typename Term>
void for_columns_of(const SparseMatrix& left, Index i, const SparseMatrix& right, Index j, Term term) {
    constexpr Index exhausted = std::numeric_limits<Index>::max();
    Index e = left.row_offsets[i];
    Index f = right.row_offsets[j];
    const Index e_end = left.row_offsets[i + 1];
    const Index f_end = right.row_offsets[j + 1];
    while (e < e_end || f < f_end) {
        const Index left_column = e < e_end ? left.columns[e] : exhausted;
        const Index right_column = f < f_end ? right.columns[f] : exhausted;
        const double x = left_column <= right_column ? left.values[e++] : 0;
        const double z = right_column <= left_column ? right.values[f++] : 0;
        term(x, z);
    }
}

double value_of(const PairTerm& term, double x, double z) {
    const double total = x + z;
    switch (term.sum) {
        case PairSum::absolute:
            return std::abs(x - z);
        case PairSum::squared:
            return (x - z) * (x - z);
        case PairSum::unlikeness:
            return 1 - std::exp(-term.gamma * (x - z) * (x - z));
        case PairSum::chi_square:
            return total > 0 ? (x - z) * ((x - z) / total) : 0;
        case PairSum::harmonic:
            return total > 0 ? 2 * x * (z / total) : 0;
        case PairSum::minimum:
            return std::min(x, z);
        case PairSum::spline:
            break;
    }
    const double lesser = std::min(std::abs(x), std::abs(z));
    const double greater = std::max(std::abs(x), std::abs(z));
    return x * z + (x * z > 0 ? lesser * lesser * (3 * greater - lesser) / 6 : 0);
}

}  // namespace

template <typename T>
void sparse_pair_sums(PairTerm term, const SparseMatrix& left, std::span<const Index> left_rows,
                      const SparseMatrix& right, Index right_row, Index cols, T* out) {
    for (const Index i : left_rows) {
        for (Index j = right_row; j < right_row + cols; ++j) {
            double total = 0;
            for_columns_of(left, i, right, j, [&](double x, double z) {
                const double value = value_of(term, x, z);
                total += term.sum == PairSum::spline ? value * (total + 1) : value;
            });
            *out++ = static_cast<T>(total);
        }
    }
}

template void sparse_pair_sums(PairTerm, const SparseMatrix&, std::span<const Index>, const SparseMatrix&,
                               Index, Index, double*);
template void sparse_pair_sums(PairTerm, const SparseMatrix&, std::span<const Index>, const SparseMatrix&,
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

}  // namespace dk
