// SPDX-License-Identifier: Apache-2.0
#include "prototype/dense_points.hpp"

#include "data/scaling/deviations.hpp"
#include "kernel/engine/gram_engine.hpp"

namespace dk {

Dataset dense_points(const Matrix& points) {
    return Dataset(DenseMatrix{points.rows(), points.cols(), {points.data(), points.data() + points.size()}});
}

Matrix kernel_values(const KernelPointer& kernel, const Dataset& left, const Dataset& right,
                     Control& control) {
    Matrix K(left.rows(), right.rows());
    const ProgressHold hold(control);
    GramEngine<double>(kernel, left, right, &control).matrices(K.data(), control);
    return K;
}

Vector column_spreads(const Dataset& data, Control& control) {
    const std::vector<double> deviations = column_deviations(data.dense(), control);
    Vector spreads = as_vector(deviations);
    return (spreads.array() > 0).select(spreads, 1.0);
}

}  // namespace dk
