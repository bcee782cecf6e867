// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "reference_kernels.hpp"
#include "support.hpp"

namespace dk::test {

/// A Case is a kernel of the language, and the reference that it should equal.
struct Case {
    std::string text;
    ReferenceKernel reference;
};

/// Gives the largest error relative to max(|k(x, z)|, sqrt(k(x, x) k(z, z))).
template <typename T>
long double worst_error(const std::vector<T>& matrix, const ReferenceKernel& reference, const Dataset& left,
                        const Dataset& right) {
    const auto self = [&](const Dataset& data) {
        std::vector<long double> values;
        for (Index i = 0; i < data.rows(); ++i) {
            values.push_back(std::abs(reference(data.dense().row(i), data.dense().row(i))));
        }
        return values;
    };
    const auto left_self = self(left);
    const auto right_self = self(right);
    long double worst = 0;
    for (Index i = 0; i < left.rows(); ++i) {
        for (Index j = 0; j < right.rows(); ++j) {
            const long double expected = reference(left.dense().row(i), right.dense().row(j));
            const long double scale = std::max(std::abs(expected), std::sqrt(left_self[i] * right_self[j]));
            const long double error = std::abs(matrix[i * right.rows() + j] - expected);
            if (!(error <= worst * scale)) worst = scale > 0 ? error / scale : error * 1e300L;
        }
    }
    return worst;
}

inline void expect_accurate(const Case& kernel, const Dataset& left, const Dataset& right,
                            long double bound = 1e-12L) {
    const bool symmetric = &left == &right;
    const auto made = make_kernel(kernel.text, left);
    EXPECT_LE(worst_error(gram_matrix(made, left, right), kernel.reference, left, right), bound)
        << kernel.text << ", dense " << left.rows() << " x " << right.rows() << ", " << left.cols()
        << " columns";
    if (!made->works_on(DataKind::sparse)) return;
    const Dataset sparse_left = to_sparse(left);
    const Dataset sparse_right = to_sparse(right);
    const auto matrix = gram_matrix(made, sparse_left, symmetric ? sparse_left : sparse_right);
    EXPECT_LE(worst_error(matrix, kernel.reference, left, right), bound)
        << kernel.text << ", sparse " << left.rows() << " x " << right.rows() << ", " << left.cols()
        << " columns";
}

}  // namespace dk::test
