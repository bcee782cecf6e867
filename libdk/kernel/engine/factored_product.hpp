// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "base/types.hpp"
#include "data/dataset.hpp"

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

}  // namespace dk
