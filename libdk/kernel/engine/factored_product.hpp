// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "base/types.hpp"
#include "data/dataset.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// The rows of a factor of a kernel matrix, which are features, row-major without gaps.
struct Factor {
    const double* values;
    Index rows;
};

/// Computes out = L (R' v) for two factors of the same dimension and row-major v (right rows x v_cols). This
/// is the product of the kernel matrix L R' with v, and takes no kernel value of any pair.
void factored_product(const Factor& left, const Factor& right, Index dimension, const double* v, Index v_cols,
                      double* out, Control& control);
void factored_product(const SparseMatrix& left, const Factor& right, Index dimension, const double* v,
                      Index v_cols, double* out, Control& control);
void factored_product(const SparseMatrix& left, const SparseMatrix& right, const double* v, Index v_cols,
                      double* out, Control& control);

/// Combinations of dense or of sparse rows, such as the functions of a linear kernel, for products with rows
/// of the same kind.
class CombinedRows {
  public:
    CombinedRows() = default;
    /// `by_rows` has a combination in each row.
    CombinedRows(DataKind kind, Matrix by_rows);

    bool empty() const { return weights_.size() == 0; }
    /// Writes the products of rows and combinations, rows x combinations. Sparse rows may have columns that
    /// the combinations lack. Throws Error(dimension) for rows of another kind.
    void multiply(const Dataset& rows, MatrixView out, Control& control) const;

  private:
    DataKind kind_ = DataKind::dense;
    Matrix weights_;  // combinations x features for dense rows, features x combinations for sparse ones
};

}  // namespace dk
