// SPDX-License-Identifier: Apache-2.0
#include "machine/core_vector/core_vector_tiles.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/gram/dataset_rows.hpp"
#include "machine/core_vector/core_vector_program.hpp"

namespace dk {

Matrix class_vectors(Index classes) {
    if (classes == 2) return Matrix{{-1}, {1}};
    const double t = classes;
    Matrix y = Matrix::Constant(classes, classes, -1 / std::sqrt(t * (t - 1)));
    y.diagonal().setConstant(std::sqrt((t - 1) / t));
    return y;
}

CoreVectorTiles::CoreVectorTiles(const TrainingProblem& problem, const Dataset& data,
                                 std::vector<Index> classes, Matrix vectors, std::span<const double> costs)
    : problem_(problem),
      data_(data),
      classes_(std::move(classes)),
      vectors_(std::move(vectors)),
      constant_(problem.parameters[parameter::offset] ? 1 : 0),
      ridge_(std::ssize(costs)) {
    if (!problem.kernel->positive_semidefinite()) {
        fail(Status::unsupported, "core vector machines need a positive semidefinite kernel, which ",
             problem.kernel->text(), " is not for sure; make it one by spectrum=clip or corrected(...)");
    }
    const GramEngine<double> engine(problem.kernel, data, data, &problem.control);
    diagonal_ = engine.self(Side::left);
    const double largest = std::ranges::max(diagonal_) + constant_;
    for (Index i = 0; i < ridge_.size(); ++i) {
        // A ridge below rounding would leave equal rows of different classes without a solution.
        ridge_[i] = std::max(costs[i] > 0 ? 1 / costs[i] : 0.0, 1e-10 * largest);
        diagonal_[i] += constant_ + ridge_[i];
    }
    has_rough_products_ = problem.parameters[parameter::precision] == parameter::PrecisionChoice::automatic &&
                          problem.kernel->cheap() && fits_single_precision(*problem.kernel, data, diagonal_);
}

template <typename T>
Matrix CoreVectorTiles::values_in(std::span<const Index> left, std::span<const Index> right,
                                  Control& control) {
    const Dataset rows = data_.select(left);
    const Dataset columns = data_.select(right);
    const GramEngine<T> engine(problem_.kernel, rows, columns, &control);
    MatrixOf<T> k(std::ssize(left), std::ssize(right));
    engine.matrices(k.data(), control);
    const Matrix inner = vectors_ * vectors_.transpose();  // <y_a, y_b>
    Matrix out(k.rows(), k.cols());
    for (Index i = 0; i < out.rows(); ++i) {
        const Index own = classes_[left[i]];
        for (Index j = 0; j < out.cols(); ++j)
            out(i, j) = left[i] == right[j] ? diagonal_[left[i]]
                                            : inner(own, classes_[right[j]]) * (k(i, j) + constant_);
    }
    return out;
}

Matrix CoreVectorTiles::values(std::span<const Index> left, std::span<const Index> right, Control& control) {
    const ProgressHold hold(control);
    if (problem_.precision == Precision::real32) return values_in<float>(left, right, control);
    return values_in<double>(left, right, control);
}

/// Computes (K~ alpha)_i = <y_i, sum_s alpha_s y_s (k(x_s, x_i) + 1)> + alpha_i / C_i
template <typename T>
Vector CoreVectorTiles::products_in(std::span<const Index> core, const ConstVectorRef& alpha,
                                    Control& control) {
    const ProgressHold hold(control);
    control.memory().require(8.0 * static_cast<double>(size()) * static_cast<double>(vectors_.cols()),
                             text("products of ", size(), " rows in ", vectors_.cols(), " functions"));
    Matrix weights(std::ssize(core), vectors_.cols());  // alpha_s y_s
    for (Index s = 0; s < weights.rows(); ++s) weights.row(s) = alpha[s] * vectors_.row(classes_[core[s]]);
    const Eigen::RowVectorXd sum = weights.colwise().sum();
    const Dataset columns = data_.select(core);
    const GramEngine<T> engine(problem_.kernel, data_, columns, &control);
    Matrix projections(size(), vectors_.cols());
    engine.product(weights.data(), weights.cols(), projections.data(), control);
    Vector out(size());
    parallel_for_rows(size(), vectors_.cols(), control, [&](Index i) {
        out[i] = vectors_.row(classes_[i]).dot(projections.row(i) + constant_ * sum);
    });
    for (Index s = 0; s < std::ssize(core); ++s) out[core[s]] += ridge_[core[s]] * alpha[s];
    return out;
}

Vector CoreVectorTiles::products(std::span<const Index> core, const ConstVectorRef& alpha, Control& control) {
    if (problem_.precision == Precision::real32) return products_in<float>(core, alpha, control);
    return products_in<double>(core, alpha, control);
}

Vector CoreVectorTiles::rough_products(std::span<const Index> core, const ConstVectorRef& alpha,
                                       Control& control) {
    return products_in<float>(core, alpha, control);
}

}  // namespace dk
