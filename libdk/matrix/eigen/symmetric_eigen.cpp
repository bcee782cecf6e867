// SPDX-License-Identifier: Apache-2.0
//
// This file decomposes a symmetric A = V' diag(lambda) V in three steps: an orthogonal Q makes Q' A Q = T
// tridiagonal, T = U' diag(lambda) U is decomposed by divide and conquer, and V = U Q'.
//
//   formula     code
//   A           matrix, which is scaled so that its elements are near 1, and then replaced by the reflections
//               that Q is a product of
//   T           tridiagonal
//   U, V        vectors, which has the eigenvectors in its rows: first U, then V
//   lambda      values
//
// Golub, Van Loan: Matrix computations, 4th edition, 2013, sections 8.3.1 (the tridiagonal form) and 8.4.4
// (divide and conquer).
#include "matrix/eigen/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/eigen/divide_and_conquer.hpp"
#include "matrix/eigen/tridiagonal.hpp"

namespace dk {

namespace {

/// Divides the matrix by a power of two that is near its largest element, and returns that power.
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
