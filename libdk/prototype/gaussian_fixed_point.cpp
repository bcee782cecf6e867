// SPDX-License-Identifier: Apache-2.0
#include "prototype/gaussian_fixed_point.hpp"

#include <cmath>

#include "kernel/engine/gram_engine.hpp"
#include "matrix/product.hpp"
#include "prototype/dense_points.hpp"

namespace dk {

bool is_gaussian(const Kernel& kernel) {
    const std::string text = kernel.text();
    return text.starts_with("rbf(") && text.find(')') + 1 == text.size();
}

std::optional<Vector> gaussian_fixed_point(const KernelPointer& kernel, const PreparedRows<double>& a,
                                           const Vector& c, Vector z, const FixedPointLimits& limits,
                                           Control& control) {
    const DenseMatrix& rows = a.data().dense();
    const ConstMatrixView A = view(rows.values.data(), rows.rows, rows.cols);
    const double least = 1e-10 * c.lpNorm<1>();
    Vector weights(c.size());
    for (int step = 0; step < limits.most_steps; ++step) {
        control.check();
        const Dataset point = dense_points(z.transpose());
        GramEngine<double>(kernel, point, a, &control).matrices(weights.data(), control);
        weights = weights.cwiseProduct(c);
        const double sum = weights.sum();
        if (!(std::abs(sum) >= least)) return std::nullopt;
        Vector moved = Vector::Zero(z.size());
        add_transposed_product(A, weights, moved);
        moved /= sum;
        const double change = (moved - z).norm();
        z = std::move(moved);
        if (change <= limits.tolerance * (1 + z.norm())) break;
    }
    return z;
}

}  // namespace dk
