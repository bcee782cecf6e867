// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/factored_product.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index rows_of_a_piece = 144;
constexpr Index rows_in_a_sum = 8 * rows_of_a_piece;  // rows of a partial sum, whatever the number of threads

/// Computes v' R (columns of v x dimension). It skips blocks of rows whose weights are all zero.
Matrix right_weights(const Factor& right, Index dimension, const ConstMatrixView& v, Control& control) {
    std::vector<Matrix> partial((right.rows + rows_in_a_sum - 1) / rows_in_a_sum);
    parallel_for(
        std::ssize(partial), values_of_product(right.rows, v.cols(), dimension), control, [&](Index b) {
            const Index first = b * rows_in_a_sum;
            const Index count = std::min(rows_in_a_sum, right.rows - first);
            const auto own = v.middleRows(first, count);
            if ((own.array() == 0).all()) return;
            partial[b].resize(v.cols(), dimension);
            transposed_multiply(own, view(right.values + first * dimension, count, dimension), partial[b]);
        });
    Matrix weights = Matrix::Zero(v.cols(), dimension);
    for (const Matrix& part : partial) {
        if (part.size() > 0) weights += part;
    }
    return weights;
}

/// Computes R' v (columns of R x columns of v) for sparse R.
Matrix right_weights(const SparseMatrix& right, const ConstMatrixView& v) {
    Matrix weights = Matrix::Zero(right.cols, v.cols());
    for (Index i = 0; i < right.rows; ++i) {
        for (Index e = right.row_offsets[i]; e < right.row_offsets[i + 1]; ++e)
            weights.row(right.columns[e]) += right.values[e] * v.row(i);
    }
    return weights;
}

/// Computes out = L W for sparse L. L may have columns for which W has no row, because right rows lack them.
void multiply_sparse(const SparseMatrix& left, const Matrix& weights, MatrixView out, Control& control) {
    const double values = 1.0 * left.row_offsets.back() * out.cols();
    parallel_for((left.rows + rows_of_a_piece - 1) / rows_of_a_piece, values, control, [&](Index b) {
        for (Index i = b * rows_of_a_piece; i < std::min(left.rows, (b + 1) * rows_of_a_piece); ++i) {
            out.row(i).setZero();
            for (Index e = left.row_offsets[i]; e < left.row_offsets[i + 1]; ++e) {
                if (left.columns[e] < weights.rows())
                    out.row(i) += left.values[e] * weights.row(left.columns[e]);
            }
        }
    });
}

/// Computes out = L W' for dense L and W' that is given by rows.
void multiply_dense(const Factor& left, const Matrix& weights, MatrixView out, Control& control) {
    const double values = values_of_product(left.rows, weights.rows(), weights.cols());
    parallel_for((left.rows + rows_of_a_piece - 1) / rows_of_a_piece, values, control, [&](Index b) {
        const Index first = b * rows_of_a_piece;
        const Index count = std::min(rows_of_a_piece, left.rows - first);
        multiply_transposed(view(left.values + first * weights.cols(), count, weights.cols()), weights,
                            out.middleRows(first, count));
    });
}

}  // namespace

void factored_product(const Factor& left, const Factor& right, Index dimension, const double* v, Index v_cols,
                      double* out, Control& control) {
    const Matrix weights = right_weights(right, dimension, view(v, right.rows, v_cols), control);
    multiply_dense(left, weights, view(out, left.rows, v_cols), control);
}

void factored_product(const SparseMatrix& left, const Factor& right, Index dimension, const double* v,
                      Index v_cols, double* out, Control& control) {
    const Matrix weights = right_weights(right, dimension, view(v, right.rows, v_cols), control).transpose();
    multiply_sparse(left, weights, view(out, left.rows, v_cols), control);
}

void factored_product(const SparseMatrix& left, const SparseMatrix& right, const double* v, Index v_cols,
                      double* out, Control& control) {
    multiply_sparse(left, right_weights(right, view(v, right.rows, v_cols)), view(out, left.rows, v_cols),
                    control);
}

CombinedRows::CombinedRows(DataKind kind, Matrix by_rows) : kind_(kind) {
    if (kind == DataKind::sparse) {
        weights_ = by_rows.transpose();
    } else {
        weights_ = std::move(by_rows);
    }
}

void CombinedRows::multiply(const Dataset& rows, MatrixView out, Control& control) const {
    if (rows.kind() != kind_)
        fail(Status::dimension, "the datasets are of ", name_of(rows.kind()), " and ", name_of(kind_));
    if (kind_ == DataKind::sparse) return multiply_sparse(rows.sparse(), weights_, out, control);
    if (rows.cols() != weights_.cols())
        fail(Status::dimension, "the datasets have ", rows.cols(), " and ", weights_.cols(), " columns");
    multiply_dense({rows.dense().values.data(), rows.dense().rows}, weights_, out, control);
}

}  // namespace dk
