// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "base/types.hpp"
#include "data/dataset.hpp"

namespace dk {

/// Rows of features, row-major without gaps.
struct Factor {
    const double* values;
    Index rows;
};

/// out = L (R' v) for factors of one dimension and row-major v (right rows x v_cols): the product with the
/// matrix L R' that never sees a pair.
void factored_product(const Factor& left, const Factor& right, Index dimension, const double* v, Index v_cols,
                      double* out, Control& control);
void factored_product(const SparseMatrix& left, const Factor& right, Index dimension, const double* v,
                      Index v_cols, double* out, Control& control);
void factored_product(const SparseMatrix& left, const SparseMatrix& right, const double* v, Index v_cols,
                      double* out, Control& control);

}  // namespace dk
