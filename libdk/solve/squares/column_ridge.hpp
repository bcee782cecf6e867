// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"
#include "solve/squares/centred_columns.hpp"

namespace dk {

/// Ridge regression in the weights of columns, for several functions at once. One decomposition serves every
/// ridge. The program stands at the top of column_ridge.cpp.
class ColumnRidge {
  public:
    struct Solution {
        Matrix beta = {};      // the weights, columns x functions
        Vector offsets = {};   // b, one for each function
        Matrix left_out = {};  // what a row's target is above the prediction of all others, rows x functions
    };

    /// Takes memory for three matrices of columns x columns and one of rows x columns beside the given
    /// columns, for which the caller asks. `centred` must outlive the object.
    ColumnRidge(const CentredColumns& centred, Control& control);

    /// Gives the largest squared singular value of the columns, beside which a ridge is large or small.
    double largest_square() const { return squares_.size() > 0 ? squares_[squares_.size() - 1] : 0; }

    /// Solves it for a ridge lambda > 0. Rows of weight 0 are in left_out as 0.
    Solution solve(double lambda, Control& control) const;

  private:
    const CentredColumns& centred_;
    Vector squares_;       // the squares of the singular values, ascending
    LargeMatrix vectors_;  // V', whose rows are right singular vectors
    LargeMatrix scores_;   // Sigma U' = V' S', columns x rows
    Matrix products_;      // Sigma U' y, columns x functions
};

}  // namespace dk
