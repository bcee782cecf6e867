// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/control.hpp"
#include "matrix/matrix.hpp"
#include "matrix/product.hpp"

namespace dk {

/// The rows of a matrix B in the order in which products read them, which is in panels of neighbouring rows,
/// term by term. Packing costs about as much as copying, and once is enough for all products with B.
template <typename T>
class PackedRows {
  public:
    PackedRows() = default;
    explicit PackedRows(const ConstMatrixRefOf<T>& rows);
    /// Packs by the threads of the call.
    PackedRows(const ConstMatrixRefOf<T>& rows, Control& control);
    /// Packs the columns of a matrix as rows, likewise.
    static PackedRows of_columns(const ConstMatrixRefOf<T>& columns, Control& control);

    Index rows() const { return rows_; }
    Index depth() const { return depth_; }
    const T* data() const { return values_.data(); }
    /// Gives the number of rows with the rows of zeros that fill up the last panel.
    Index padded_rows() const;

  private:
    PackedRows(const T* values, Index row_step, Index term_step, Index rows, Index depth, Control& control);

    LargeArray<T> values_;
    Index rows_ = 0;
    Index depth_ = 0;
};

/// Computes C = A B' on the calling thread. B are the packed rows from `first` on, as many as C has columns.
void multiply_transposed(const ConstMatrixRef& a, const PackedRows<double>& b, Index first, MatrixRef c,
                         Into into = Into::assign);
void multiply_transposed(const ConstMatrixRefOf<float>& a, const PackedRows<float>& b, Index first,
                         MatrixRefOf<float> c, Into into = Into::assign);

/// Computes the product likewise, but of the rows a_rows of A, in any order: row i of C belongs to row
/// a_rows[i].
void multiply_transposed(const ConstMatrixRef& a, std::span<const Index> a_rows, const PackedRows<double>& b,
                         Index first, MatrixRef c);
void multiply_transposed(const ConstMatrixRefOf<float>& a, std::span<const Index> a_rows,
                         const PackedRows<float>& b, Index first, MatrixRefOf<float> c);

/// Computes C = A B' where the rows of A are those of `a` from a_first on, as many as C has rows, and
/// `a_packed` has all rows of `a` packed. Tiles of a symmetric matrix need no strips of A packed for each of
/// them.
void multiply_transposed(const ConstMatrixRef& a, const PackedRows<double>& a_packed, Index a_first,
                         const PackedRows<double>& b, Index first, MatrixRef c, Into into = Into::assign);
void multiply_transposed(const ConstMatrixRefOf<float>& a, const PackedRows<float>& a_packed, Index a_first,
                         const PackedRows<float>& b, Index first, MatrixRefOf<float> c,
                         Into into = Into::assign);

/// Computes C = A' B' where the rows of A' are columns of `a` from a_first on, and `a_packed` has all columns
/// of `a` packed.
void transposed_multiply(const ConstMatrixRef& a, const PackedRows<double>& a_packed, Index a_first,
                         const PackedRows<double>& b, Index first, MatrixRef c, Into into);

extern template class PackedRows<double>;
extern template class PackedRows<float>;

}  // namespace dk
