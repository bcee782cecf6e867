// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/similarity_weights.hpp"

#include "data/deviations.hpp"

namespace dk {

Matrix similarities(const KernelPointer& kernel, const Dataset& data, const Dataset& points,
                    Control& control) {
    Matrix S(data.rows(), points.rows());
    const ProgressHold hold(control);
    GramEngine<double>(kernel, data, points, &control).matrices(S.data(), control);
    return S;
}

PenalisedSolution best_weights(const Matrix& S, const SuperSparseTargets& targets,
                               const SuperSparseOptions& options, const Matrix& start, Control& control) {
    return solve_penalised_squares({.features = view(S.data(), S.rows(), S.cols()),
                                    .targets = targets.Y(),
                                    .weights = as_vector(targets.row_weights),
                                    .lambda = options.lambda,
                                    .lasso = options.lasso},
                                   start, control);
}

Dataset dataset_of(const Matrix& points) {
    return Dataset(DenseMatrix{points.rows(), points.cols(), {points.data(), points.data() + points.size()}});
}

Matrix central_differences(const KernelPointer& kernel, const Dataset& data, const Matrix& points,
                           const Matrix& P, const Vector& spreads, Control& control) {
    Matrix gradient = Matrix::Zero(points.rows(), points.cols());
    for (Index column = 0; column < points.cols(); ++column) {
        const double h = 1e-5 * spreads(column);
        for (const double side : {1.0, -1.0}) {
            Matrix moved = points;
            moved.col(column).array() += side * h;
            const Matrix S = similarities(kernel, data, dataset_of(moved), control);
            for (Index j = 0; j < points.rows(); ++j)
                gradient(j, column) += side * P.row(j).dot(S.col(j)) / (2 * h);
        }
    }
    return gradient;
}

Matrix point_gradients(const KernelPointer& kernel, const Dataset& data, const Matrix& points,
                       const Matrix& P, const Vector& spreads, Control& control) {
    const ProgressHold hold(control);
    if (!kernel->differentiable()) return central_differences(kernel, data, points, P, spreads, control);
    Matrix gradient(points.rows(), points.cols());
    const Dataset rows = dataset_of(points);
    GramEngine<double>(kernel, rows, data, &control).gradient(P.data(), gradient.data(), control);
    return gradient;
}

Vector column_spreads(const Dataset& data, Control& control) {
    const std::vector<double> deviations = column_deviations(data.dense(), control);
    Vector spreads = as_vector(deviations);
    return (spreads.array() > 0).select(spreads, 1.0);
}

}  // namespace dk
