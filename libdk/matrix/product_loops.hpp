// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/types.hpp"

namespace dk {

enum class Into;

/// Each block of so many terms has a sum of its own. The number is the same on every processor, because it
/// decides the bits of a result.
inline constexpr Index terms_a_block = 256;

/// The operands A and C of a product C = A B'. Element (i, k) of A is a[rows[i] * a_row_step + k *
/// a_term_step], or has i in place of rows[i] where `rows` is null. With both steps exchanged, A is a
/// transposed matrix.
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
    // The rows of A from a_first on where they are packed rows too, which spares packing strips of them; else
    // null.
    const T* a_panels = nullptr;
    Index a_padded_rows = 0;
    Index a_first = 0;
};

/// The operand B as packed rows, of which the product takes those from `first` to first + cols - 1.
template <typename T>
struct PackedPanels {
    const T* values;
    Index padded_rows;
    Index first;
    Index cols;
};

/// The operand B as rows that are not packed, whose element (j, k) is b[j * row_step + k * term_step]. The
/// product packs some at a time into `buffer`.
template <typename T>
struct PlainRows {
    const T* b;
    Index row_step;
    Index term_step;
    Index cols;
    T* buffer;
};

/// The loops of products, compiled for one set of instructions. They run on the calling thread.
template <typename T>
struct ProductLoops {
    /// The number of rows of B that a panel of packed rows interleaves.
    Index panel_width;
    /// Strips of so many rows of A may be read from packed rows where they begin at a multiple of it; 0 where
    /// they do not fit a panel.
    Index strip_rows;
    /// Packs rows whose element (j, k) is b[j * row_step + k * term_step]. `out` takes padded(rows) * depth
    /// elements: block by block of terms, in each block panel by panel, and in each panel term by term.
    void (*pack)(const T* b, Index row_step, Index term_step, Index rows, Index depth, T* out);
    /// Computes C = A B' for packed rows of B.
    void (*multiply_packed)(const ProductOperands<T>& product, const PackedPanels<T>& b);
    /// Computes C = A B' for rows of B that are not packed. Their buffer takes buffer_size(cols, depth)
    /// elements.
    void (*multiply_plain)(const ProductOperands<T>& product, const PlainRows<T>& b);
    /// Computes y[i] = sum_k a[i * stride + k] x[k] by sixteen partial sums, which are added in a fixed tree.
    void (*matrix_vector)(const T* a, Index stride, Index rows, const T* x, Index depth, T* y);
    /// Adds y[k] += sum_i a[i * stride + k] x[i], row by row.
    void (*add_vector_matrix)(const T* a, Index stride, Index rows, const T* x, Index cols, T* y);

    Index buffer_size(Index cols, Index depth) const {
        return std::min(padded(cols), panels_at_once(std::min(depth, terms_a_block)) * panel_width) *
               std::min(depth, terms_a_block);
    }
    /// Gives the number of panels of so many terms that stay in the second-level cache while all rows of A
    /// are multiplied with them.
    Index panels_at_once(Index terms) const {
        constexpr Index cached = Index{3} << 18;  // bytes
        return std::max<Index>(4, cached / (terms * panel_width * Index{sizeof(T)}));
    }
    /// Gives `rows` and the rows of zeros that fill up the last panel.
    Index padded(Index rows) const { return (rows + panel_width - 1) / panel_width * panel_width; }
};

/// Gives the loops for the best instructions of this processor.
template <typename T>
const ProductLoops<T>& product_loops();
template <>
const ProductLoops<double>& product_loops();
template <>
const ProductLoops<float>& product_loops();

}  // namespace dk
