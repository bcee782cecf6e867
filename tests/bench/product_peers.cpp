// SPDX-License-Identifier: Apache-2.0
// This is Eigen's product, compiled for this machine. It has a file of its own, because its flags are not
// those of the others.
#include "product_peers.hpp"

#include <Eigen/Core>

namespace dk_bench {
namespace {

template <typename T>
void multiply(const T* a, const T* b, T* c, Shape shape) {
    using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const Rows> left(a, shape.rows, shape.depth);
    const Eigen::Map<const Rows> right(b, shape.cols, shape.depth);
    Eigen::Map<Rows>(c, shape.rows, shape.cols).noalias() = left * right.transpose();
}

}  // namespace

__attribute__((visibility("default"))) void multiply_by_eigen(const double* a, const double* b, double* c,
                                                              Shape shape) {
    multiply(a, b, c, shape);
}
__attribute__((visibility("default"))) void multiply_by_eigen(const float* a, const float* b, float* c,
                                                              Shape shape) {
    multiply(a, b, c, shape);
}

}  // namespace dk_bench
