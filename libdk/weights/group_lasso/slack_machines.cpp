// SPDX-License-Identifier: Apache-2.0
#include "weights/group_lasso/slack_machines.hpp"

#include "base/error.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/feature_products.hpp"

namespace dk {

void SlackSquares::add(const Matrix& features, std::span<const double> signs, std::span<const double> costs,
                       std::span<const double> slack, Control& control) {
    if (signs.empty()) return;
    const FeatureProducts products({features.data(), std::ssize(signs), features.cols()}, control);
    const Vector signed_costs = as_vector(costs).cwiseProduct(as_vector(signs));
    const std::vector<double> square = products.weighted_square(costs);
    G += view(square.data(), G.rows(), G.cols());
    sums += as_vector(products.transposed_times(costs));
    r += as_vector(products.transposed_times(as_span(signed_costs)));
    const Vector v = signed_costs.cwiseProduct(as_vector(slack));
    gradient += as_vector(products.transposed_times(as_span(v)));
    duals += as_vector(costs).dot(as_vector(slack));
    cost += as_vector(costs).sum();
    signed_cost += signed_costs.sum();
}

void SlackSquares::centre() {
    if (!(cost > 0)) return;
    G.noalias() -= sums * (sums / cost).transpose();
    r -= signed_cost / cost * sums;
    s = cost - signed_cost * (signed_cost / cost);
}

void SlackMachines::solve(const Vector& weights, double /*tolerance*/) {
    const Index d = features_.dimension();
    const Vector roots = features_.for_features(weights.cwiseSqrt());
    w_.resize(d, std::ssize(squares_));
    gradients_.resize(d, w_.cols());
    errors_ = 0;
    linear_ = 0;
    for (Index m = 0; m < w_.cols(); ++m) {
        const SlackSquares& own = squares_[m];
        // w = M^(1/2) z with M = diag(mu), so that kernels of weight 0 do no harm.
        Matrix A = roots.asDiagonal() * own.G * roots.asDiagonal();
        A.diagonal().array() += 1;
        Vector z = roots.cwiseProduct(own.r);
        if (!cholesky_factor(A, control_))
            fail(Status::numerical, "weights=mklgl: features of the kernels overflow; scale the data");
        cholesky_solve(A, z, control_);
        w_.col(m) = roots.cwiseProduct(z);
        const Vector Gw = own.G * w_.col(m);
        gradients_.col(m) = own.r - Gw;
        const double fitted = own.r.dot(w_.col(m));
        const double errors = 0.5 * std::max(0.0, own.s - 2 * fitted + Gw.dot(w_.col(m)));
        errors_ += errors;
        linear_ += own.s - fitted - errors;
    }
}

}  // namespace dk
