// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "base/large_array.hpp"
#include "base/types.hpp"
#include "matrix/safe_resize.hpp"

namespace dk {

// The matrices and vectors of libdk are Eigen's, and its matrices are row-major. The build defines
// EIGEN_DONT_VECTORIZE, because Eigen's vectorised sums begin where the memory is aligned, and a row's sum
// would depend on where the row lies. Hot loops do without Eigen, in matrix/product.hpp and beside it.

template <typename T>
using MatrixOf = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Matrix = MatrixOf<double>;
using Vector = Eigen::VectorXd;

/// A matrix in memory that somebody else owns. Its rows are `stride` elements apart, which may be more than
/// it has columns.
template <typename T>
using MatrixViewOf = Eigen::Map<MatrixOf<T>, Eigen::Unaligned, Eigen::OuterStride<>>;
template <typename T>
using ConstMatrixViewOf = Eigen::Map<const MatrixOf<T>, Eigen::Unaligned, Eigen::OuterStride<>>;
using MatrixView = MatrixViewOf<double>;
using ConstMatrixView = ConstMatrixViewOf<double>;
using VectorView = Eigen::Map<Vector>;
using ConstVectorView = Eigen::Map<const Vector>;

/// Functions have parameters of these types, which take a matrix, a view or a block of one without a copy.
template <typename T>
using MatrixRefOf = Eigen::Ref<MatrixOf<T>>;
template <typename T>
using ConstMatrixRefOf = Eigen::Ref<const MatrixOf<T>>;
using MatrixRef = MatrixRefOf<double>;
using ConstMatrixRef = ConstMatrixRefOf<double>;
using VectorRef = Eigen::Ref<Vector>;
using ConstVectorRef = Eigen::Ref<const Vector>;

/// Gives a view of memory as a matrix, whose rows have no gaps unless there is a stride.
template <typename T>
MatrixViewOf<T> view(T* values, Index rows, Index cols, Index stride) {
    return {values, rows, cols, Eigen::OuterStride<>(stride)};
}
template <typename T>
ConstMatrixViewOf<T> view(const T* values, Index rows, Index cols, Index stride) {
    return {values, rows, cols, Eigen::OuterStride<>(stride)};
}
template <typename T>
auto view(T* values, Index rows, Index cols) {
    return view(values, rows, cols, cols);
}

/// Gives a container's elements as a vector, without a copy.
inline VectorView as_vector(std::vector<double>& values) {
    return {values.data(), std::ssize(values)};
}
inline ConstVectorView as_vector(const std::vector<double>& values) {
    return {values.data(), std::ssize(values)};
}
inline VectorView as_vector(std::span<double> values) {
    return {values.data(), std::ssize(values)};
}
inline ConstVectorView as_vector(std::span<const double> values) {
    return {values.data(), std::ssize(values)};
}

/// Gives a vector's elements as a span, which interfaces without Eigen take.
inline std::span<double> as_span(Vector& values) {
    return {values.data(), static_cast<std::size_t>(values.size())};
}
inline std::span<const double> as_span(const Vector& values) {
    return {values.data(), static_cast<std::size_t>(values.size())};
}

/// A large matrix whose elements are not set. The system finds memory for them when the threads that compute
/// them first write them, which a cancel can interrupt. Whoever makes such a matrix asks the memory budget
/// before.
template <typename T>
class LargeMatrixOf {
  public:
    LargeMatrixOf() = default;
    LargeMatrixOf(Index rows, Index cols) : values_(rows * cols), rows_(rows), cols_(cols) {}

    Index rows() const { return rows_; }
    Index cols() const { return cols_; }
    bool empty() const { return values_.empty(); }
    T* data() { return values_.data(); }
    const T* data() const { return values_.data(); }
    T* row(Index i) { return values_.data() + i * cols_; }
    const T* row(Index i) const { return values_.data() + i * cols_; }
    T& operator()(Index i, Index j) { return row(i)[j]; }
    T operator()(Index i, Index j) const { return row(i)[j]; }
    MatrixViewOf<T> view() { return dk::view(data(), rows_, cols_); }
    ConstMatrixViewOf<T> view() const { return dk::view(data(), rows_, cols_); }

  private:
    LargeArray<T> values_;
    Index rows_ = 0;
    Index cols_ = 0;
};
using LargeMatrix = LargeMatrixOf<double>;

}  // namespace dk
