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

/// The combinations W = R' v of dense or sparse rows R with weights v. They are kept for products of W with
/// other rows of the same kind, L W = (L R') v, which have the same bits as factored_product().
class CombinedRows {
  public:
    CombinedRows() = default;
    CombinedRows(const Dataset& rows, const ConstMatrixView& v, Control& control);

    bool empty() const { return weights_.size() == 0; }
    /// Writes L W, rows of L x columns of v. Sparse rows may have columns that R lacks.
    void multiply(const Dataset& left, MatrixView out, Control& control) const;

  private:
    Matrix weights_;  // columns of v x features of dense rows, or features x columns of v of sparse ones
};

}  // namespace dk
