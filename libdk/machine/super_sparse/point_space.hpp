// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "kernel/engine/kernel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// How the gradients of a similarity in its points are found. The formulas stand at the top of
/// point_space.cpp.
enum class PointGradient { automatic, kernel, directional, scaled_difference, central };

/// The space in which prototypes of dense rows move. It tells how similar the rows are to a point, how that
/// changes as the point moves, and where it may go.
class PointSpace {
  public:
    /// Kernel and data must outlive the space. A `step` of 0 stands for the usual length of finite
    /// differences. Throws Error(unsupported) where the kernel has not the gradient that is asked for.
    PointSpace(const KernelPointer& kernel, const Dataset& data, PointGradient rule, double step,
               Control& control);

    /// Gives the standard deviation of each column of the data, 1 where it is constant.
    const Vector& spreads() const { return spreads_; }

    /// Computes S, the similarities of rows to points.
    Matrix similarities(const Matrix& points, Control& control) const;

    /// Computes sum_i P(j, i) grad s(x_i, z_j) for each point z_j.
    Matrix gradients(const Matrix& points, const Matrix& P, Control& control) const;

    /// Computes sum_k P(j, k) grad s(y_k, z_j) for other points y_k by the kernel's own gradient.
    Matrix gradients_towards(const Matrix& others, const Matrix& points, const Matrix& P,
                             Control& control) const;

    /// Puts points that have left the range of the data back to its edge, where the caller computes the
    /// similarities: of what lies outside the caller may know nothing. For other kernels no place is barred.
    Matrix allowed(Matrix points) const;

  private:
    Matrix directional(const Matrix& points, const Matrix& P, Control& control) const;
    Matrix scaled_differences(const Matrix& points, const Matrix& P, Control& control) const;
    Matrix central(const Matrix& points, const Matrix& P, Control& control) const;

    const KernelPointer& kernel_;
    const Dataset& data_;
    ConstMatrixView x_;
    PointGradient rule_;
    double step_;
    Vector spreads_;
    Eigen::RowVectorXd least_;  // the range of each column, empty where no place is barred
    Eigen::RowVectorXd largest_;
};

}  // namespace dk
