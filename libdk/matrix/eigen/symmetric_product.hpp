// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// y = A x for symmetric matrices of at most so many rows, of which only the upper half and the diagonal are
/// read: the time is that of reading half of the matrix. Each part of the rows adds to a vector of its own;
/// the parts depend on the number of rows alone, so the threads don't change the bits. The object keeps the
/// memory of these vectors between products.
class SymmetricProduct {
  public:
    explicit SymmetricProduct(Index most_rows);
    void multiply(const ConstMatrixRef& a, const ConstVectorRef& x, VectorRef y, Control& control);

  private:
    Matrix sums_;  // row t is what part t of the rows adds
};

}  // namespace dk
