// SPDX-License-Identifier: Apache-2.0
// These are Eigen's product and a loop that only reads, compiled for this machine. They have a file of their
// own, because its flags are not those of the others.
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

namespace {

/// Sums of 512 bytes hide the latency of additions and fit the registers.
template <typename T>
T sum_of(const T* values, long count) {
    constexpr int parts = 512 / sizeof(T);
    T sums[parts] = {};
    for (long i = 0; i + parts <= count; i += parts) {
        for (int j = 0; j < parts; ++j) sums[j] += values[i + j];
    }
    T total = 0;
    for (const T sum : sums) total += sum;
    return total;
}

}  // namespace

__attribute__((visibility("default"))) double read_all(const double* values, long count) {
    return sum_of(values, count);
}
__attribute__((visibility("default"))) float read_all(const float* values, long count) {
    return sum_of(values, count);
}

}  // namespace dk_bench
