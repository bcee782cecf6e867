// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/types.hpp"

namespace dk {

enum class Into;

/// Sums of products are taken over blocks of so many terms, on every processor.
inline constexpr Index terms_a_block = 256;

/// C = A B' on the calling thread. Element (i, k) of A is a[rows[i] * a_row_step + k * a_term_step], with i
/// in place of rows[i] where `rows` is null; steps other than these make rows of columns.
template <typename T>
struct ProductOperands {
    const T* a;
    Index a_row_step;
    Index a_term_step;
    const Index* rows;
    Index row_count;
    Index depth;
    T* c;
    Index c_stride;
    Into into;
};

/// Rows of B that lie packed, of which the product takes `first` to first + cols.
template <typename T>
struct PackedPanels {
    const T* values;
    Index padded_rows;
    Index first;
    Index cols;
};

/// Rows of B as they are: element (j, k) is b[j * row_step + k * term_step]. They are packed into `buffer`,
/// some at a time.
template <typename T>
struct PlainRows {
    const T* b;
    Index row_step;
    Index term_step;
    Index cols;
    T* buffer;
};

/// The loops of a product, compiled for one set of instructions.
template <typename T>
struct ProductLoops {
    /// So many rows of B lie interleaved in a panel of packed rows.
    Index panel_width;
    /// Element (j, k) of B is b[j * row_step + k * term_step]. `out` takes padded(rows) * depth elements: for
    /// every block of terms the panels, of each panel term by term its rows.
    void (*pack)(const T* b, Index row_step, Index term_step, Index rows, Index depth, T* out);
    void (*multiply_packed)(const ProductOperands<T>& product, const PackedPanels<T>& b);
    /// The buffer takes buffer_size(cols, depth) elements.
    void (*multiply_plain)(const ProductOperands<T>& product, const PlainRows<T>& b);
    /// y[i] = sum_k a[i * stride + k] x[k], each in sixteen partial sums that are added in a fixed tree.
    void (*matrix_vector)(const T* a, Index stride, Index rows, const T* x, Index depth, T* y);
    /// y[k] += sum_i a[i * stride + k] x[i], row by row.
    void (*add_vector_matrix)(const T* a, Index stride, Index rows, const T* x, Index cols, T* y);

    Index buffer_size(Index cols, Index depth) const {
        return std::min(padded(cols), panels_at_once(std::min(depth, terms_a_block)) * panel_width) *
               std::min(depth, terms_a_block);
    }
    /// As many panels of so many terms as stay in the second-level cache while all rows of A pass by.
    Index panels_at_once(Index terms) const {
        constexpr Index cached = Index{3} << 18;  // bytes
        return std::max<Index>(4, cached / (terms * panel_width * Index{sizeof(T)}));
    }
    /// `rows` and the rows of zeros that fill the last panel.
    Index padded(Index rows) const { return (rows + panel_width - 1) / panel_width * panel_width; }
};

template <typename T>
const ProductLoops<T>& product_loops();
template <>
const ProductLoops<double>& product_loops();
template <>
const ProductLoops<float>& product_loops();

}  // namespace dk
