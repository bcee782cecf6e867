// SPDX-License-Identifier: Apache-2.0
//
// A = V' diag(lambda) V for a symmetric A: Q' A Q = T is tridiagonal, T = U' diag(lambda) U, and V = U Q'.
//
//   A = matrix, which is scaled to elements near 1 and replaced by the reflections of Q
//   T = tridiagonal
//   U, V = vectors, by rows
//   lambda = values
//
// Golub, Van Loan: Matrix computations, sections 8.3 and 8.4.
#include "matrix/eigen/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/eigen/divide_and_conquer.hpp"
#include "matrix/eigen/tridiagonal.hpp"

namespace dk {

namespace {

/// Divides by a power of two near the largest element, and returns it.
double scale_to_one(MatrixRef matrix, Control& control) {
    const Index n = matrix.rows();
    const ProgressHold hold(control);
    Vector largest(n);
    parallel_for_rows(n, n, control, [&](Index i) { largest(i) = matrix.row(i).cwiseAbs().maxCoeff(); });
    const double largest_element = n > 0 ? largest.maxCoeff() : 0;
    if (largest_element == 0) return 1;
    if (!std::isfinite(largest_element))
        fail(Status::numerical, "a symmetric matrix has an element that is not finite");
    const double unit = std::ldexp(1.0, std::clamp(std::ilogb(largest_element), -1020, 1020));
    parallel_for_rows(n, n, control, [&](Index i) { matrix.row(i) *= 1 / unit; });
    return unit;
}

}  // namespace

SymmetricEigen symmetric_eigen(LargeMatrix matrix, Control& control) {
    const Index n = matrix.rows();
    const double unit = scale_to_one(matrix.view(), control);
    Tridiagonal tridiagonal = tridiagonalise(matrix.view(), control);
    if (!tridiagonal.diagonal.allFinite() || !tridiagonal.below.allFinite())
        fail(Status::numerical, "a symmetric matrix has an element that is not a number");
    SymmetricEigen out{std::move(tridiagonal.diagonal), LargeMatrix(n, n)};
    {
        LargeMatrix work(n, n);
        divide_and_conquer(out.values, tridiagonal.below, out.vectors.view(), work.view(), control);
    }
    const ProgressHold hold(control);
    apply_reflections(matrix.view(), tridiagonal.factors, out.vectors.view(), control);
    out.values *= unit;
    return out;
}

}  // namespace dk
