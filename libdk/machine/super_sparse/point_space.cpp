// SPDX-License-Identifier: Apache-2.0
// The gradient of a similarity s(x_i, z) in the point z is the kernel's own where it has one. Of others, and
// of a function that only the caller knows, it is approximated:
//
//     directional   (s(x_i, z + h d_i) - s(x_i, z)) / h d_i,   d_i = (x_i - z) / |x_i - z|,   h = e |x_i -
//     z|,
//
// which is the gradient's part along x_i - z, all of it where s depends on |x - z| alone, at the cost of one
// value a row (e = 1e-3, and larger for a similarity that changes in steps);
//
//     scaled_difference   s(x_i, z) (x_i - z),
//
// equation 7 of the paper, which costs nothing and is the gradient of the Gaussian kernel with gamma = 1/2;
//
//     central   (s(x_i, z + h e_c) - s(x_i, z - h e_c)) / (2 h) in each column c,   h = e spread_c,   e =
//     1e-5,
//
// which is right for every smooth similarity, at the cost of two values a row and column.
//
//     letter    name
//     x, z      x_, points
//     e         step_
//
// A. Demontis, M. Melis, B. Biggio, G. Fumera, F. Roli, Super-sparse learning in similarity spaces, IEEE
// Computational Intelligence Magazine 11, 2016.
#include "machine/super_sparse/point_space.hpp"

#include "base/error.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "prototype/dense_points.hpp"

namespace dk {

namespace {

PointGradient chosen(PointGradient rule, const Kernel& kernel) {
    if (rule == PointGradient::kernel && !kernel.differentiable())
        fail(Status::unsupported, "gradient=kernel: kernel ", kernel.text(),
             " has no gradient of its own; use directional, scaled_difference or central");
    if (rule != PointGradient::automatic) return rule;
    if (kernel.differentiable()) return PointGradient::kernel;
    return kernel.asks_caller() ? PointGradient::directional : PointGradient::central;
}

constexpr double usual_step(PointGradient rule) {
    return rule == PointGradient::directional ? 1e-3 : 1e-5;
}

}  // namespace

PointSpace::PointSpace(const KernelPointer& kernel, const Dataset& data, PointGradient rule, double step,
                       Control& control)
    : kernel_(kernel),
      data_(data),
      x_(view(data.dense().values.data(), data.rows(), data.cols())),
      rule_(chosen(rule, *kernel)),
      step_(step > 0 ? step : usual_step(rule_)),
      spreads_(column_spreads(data, control)) {
    if (!kernel->asks_caller()) return;
    least_ = x_.colwise().minCoeff();
    largest_ = x_.colwise().maxCoeff();
}

Matrix PointSpace::similarities(const Matrix& points, Control& control) const {
    return kernel_values(kernel_, data_, dense_points(points), control);
}

Matrix PointSpace::gradients(const Matrix& points, const Matrix& P, Control& control) const {
    const ProgressHold hold(control);
    switch (rule_) {
        case PointGradient::directional:
            return directional(points, P, control);
        case PointGradient::scaled_difference:
            return scaled_differences(points, P, control);
        case PointGradient::central:
            return central(points, P, control);
        default:
            break;
    }
    Matrix gradient(points.rows(), points.cols());
    const Dataset rows = dense_points(points);
    GramEngine<double>(kernel_, rows, data_, &control).gradient(P.data(), gradient.data(), control);
    return gradient;
}

Matrix PointSpace::gradients_towards(const Matrix& others, const Matrix& points, const Matrix& P,
                                     Control& control) const {
    const ProgressHold hold(control);
    Matrix gradient(points.rows(), points.cols());
    const Dataset rows = dense_points(points);
    const Dataset right = dense_points(others);
    GramEngine<double>(kernel_, rows, right, &control).gradient(P.data(), gradient.data(), control);
    return gradient;
}

Matrix PointSpace::allowed(Matrix points) const {
    if (least_.size() == 0) return points;
    for (Index j = 0; j < points.rows(); ++j)
        points.row(j) = points.row(j).cwiseMax(least_).cwiseMin(largest_);
    return points;
}

Matrix PointSpace::directional(const Matrix& points, const Matrix& P, Control& control) const {
    const Matrix S = similarities(points, control);
    Matrix gradient = Matrix::Zero(points.rows(), points.cols());
    for (Index j = 0; j < points.rows(); ++j) {
        // Towards row i the point moves by e (x_i - z), and only row i is asked how similar it has become.
        const Matrix differences = x_.rowwise() - points.row(j);
        const Dataset moved = dense_points((step_ * differences).rowwise() + points.row(j));
        const GramEngine<double> engine(kernel_, data_, moved, &control);
        for (Index i = 0; i < x_.rows(); ++i) {
            const double squared = differences.row(i).squaredNorm();
            if (!(squared > 0)) continue;  // The direction to a row in the same place is not known.
            double nearer = 0;
            engine.rows_of({&i, 1}, i, 1, &nearer, 1, control);
            gradient.row(j) += P(j, i) * (nearer - S(i, j)) / (step_ * squared) * differences.row(i);
        }
    }
    return gradient;
}

Matrix PointSpace::scaled_differences(const Matrix& points, const Matrix& P, Control& control) const {
    const Matrix weights = P.cwiseProduct(similarities(points, control).transpose());
    Matrix gradient(points.rows(), points.cols());
    for (Index j = 0; j < points.rows(); ++j)
        gradient.row(j) = weights.row(j) * (x_.rowwise() - points.row(j));
    return gradient;
}

Matrix PointSpace::central(const Matrix& points, const Matrix& P, Control& control) const {
    Matrix gradient = Matrix::Zero(points.rows(), points.cols());
    for (Index column = 0; column < points.cols(); ++column) {  // All points move together.
        const double h = step_ * spreads_(column);
        for (const double side : {1.0, -1.0}) {
            Matrix moved = points;
            moved.col(column).array() += side * h;
            const Matrix S = similarities(moved, control);
            for (Index j = 0; j < points.rows(); ++j)
                gradient(j, column) += side * P.row(j).dot(S.col(j)) / (2 * h);
        }
    }
    return gradient;
}

}  // namespace dk
