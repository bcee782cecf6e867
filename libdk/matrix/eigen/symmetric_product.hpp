// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Computes products y = A x of symmetric matrices that have at most `most_rows` rows. Only the diagonal and
/// the upper half of a matrix are read, which takes half the time of reading all of it. The rows are divided
/// into parts, each of which adds to a vector of its own. The parts depend on the number of rows alone, so
/// that the number of threads does not change the bits. The object keeps the memory of these vectors between
/// products.
class SymmetricProduct {
  public:
    explicit SymmetricProduct(Index most_rows);
    void multiply(const ConstMatrixRef& a, const ConstVectorRef& x, VectorRef y, Control& control);

  private:
    Matrix sums_;  // row t has what part t of the rows adds to y
};

}  // namespace dk
