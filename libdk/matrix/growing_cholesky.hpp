// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "matrix/matrix.hpp"

namespace dk {

/// GrowingCholesky is the Cholesky factor L of a matrix of few rows, which grows by one row at a time.
class GrowingCholesky {
    auto factor() const { return factor_.topLeftCorner(rows_, rows_).triangularView<Eigen::Lower>(); }

    Matrix factor_;
    Index rows_ = 0;

  public:
    void clear() { rows_ = 0; }

    /// Takes the next row of the matrix, as its elements with the rows before and its diagonal element. What
    /// the rows before leave of the diagonal is the square of the new diagonal element of L. Where that does
    /// not exceed `least`, the row is refused and the result is false.
    bool append(const Vector& row, double diagonal, double least) {
        const Vector l = factor().solve(row);
        const double left = diagonal - l.squaredNorm();
        if (!(left > least)) return false;
        if (rows_ == factor_.rows()) factor_.conservativeResize(2 * rows_ + 8, 2 * rows_ + 8);
        factor_.row(rows_).head(rows_) = l.transpose();
        factor_(rows_, rows_) = std::sqrt(left);
        ++rows_;
        return true;
    }

    /// Solves L L' x = b.
    Vector solve(const Vector& b) const {
        const auto lower = factor();
        const Vector z = lower.solve(b);
        return lower.transpose().solve(z);
    }
};

}  // namespace dk
