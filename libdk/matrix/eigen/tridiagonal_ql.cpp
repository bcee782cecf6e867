// SPDX-License-Identifier: Apache-2.0
//
// The implicit QL method solves T v = lambda v for a symmetric tridiagonal T. Each step chooses a shift sigma
// near an eigenvalue and, without forming T - sigma I = Q L, turns T into Q' T Q by rotations of neighbouring
// rows and columns, from the last ones to the first. The elements beside the diagonal converge to zero, those
// at the first row fastest.
//
//   paper    code
//   d_i      d(i), the diagonal, which becomes the eigenvalues
//   e_i      e(i), the element that couples i and i + 1
//   c, s     c, s, the cosine and the sine of a rotation of the rows i and i + 1 of the eigenvectors
//   sigma    the shift, of which the first g of ql_step() is d(last) - sigma
//
// Martin, Wilkinson: The implicit QL algorithm, Numerische Mathematik 12, 1968. Dubrulle: A short note on the
// implicit QL algorithm for symmetric tridiagonal matrices, Numerische Mathematik 15, 1970.
#include "matrix/eigen/tridiagonal_ql.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace dk {

namespace {

constexpr int most_steps = 60;  // the limit for one eigenvalue, which usually takes two steps

/// Rotates the rows i and i + 1.
void rotate(MatrixRef vectors, Index i, double c, double s) {
    double* lower = &vectors(i, 0);
    double* upper = &vectors(i + 1, 0);
    for (Index j = 0; j < vectors.cols(); ++j) {
        const double low = lower[j];
        const double high = upper[j];
        upper[j] = s * low + c * high;
        lower[j] = c * low - s * high;
    }
}

/// Takes one step on the rows from `first` to `last`, where no coupling e_i is zero. Lengths are Eigen's,
/// because the last bit of std::hypot depends on the processor.
void ql_step(VectorRef d, VectorRef e, Index first, Index last, MatrixRef vectors) {
    double g = (d(first + 1) - d(first)) / (2 * e(first));
    double r = Eigen::numext::hypot(g, 1.0);
    g = d(last) - d(first) + e(first) / (g + std::copysign(r, g));
    double s = 1;
    double c = 1;
    double p = 0;
    for (Index i = last - 1; i >= first; --i) {
        const double f = s * e(i);
        const double b = c * e(i);
        r = Eigen::numext::hypot(f, g);
        if (i + 1 < last) e(i + 1) = r;
        if (r == 0) {  // the matrix falls apart behind row i
            d(i + 1) -= p;
            return;
        }
        s = f / r;
        c = g / r;
        g = d(i + 1) - p;
        r = (d(i) - g) * s + 2 * c * b;
        p = s * r;
        d(i + 1) = g + p;
        g = c * r - b;
        rotate(vectors, i, c, s);
    }
    d(first) -= p;
    e(first) = g;
}

/// Sorts the eigenvalues in ascending order, with their eigenvectors.
void sort(VectorRef values, MatrixRef vectors) {
    for (Index i = 0; i < values.size(); ++i) {
        Index least = i;
        for (Index j = i + 1; j < values.size(); ++j) {
            if (values(j) < values(least)) least = j;
        }
        if (least == i) continue;
        std::swap(values(i), values(least));
        vectors.row(i).swap(vectors.row(least));
    }
}

}  // namespace

void tridiagonal_ql(VectorRef diagonal, VectorRef below, MatrixRef vectors) {
    const Index n = diagonal.size();
    vectors.setIdentity();
    if (n == 0) return;
    // The elements of the matrix have errors of one rounding of the largest one. A coupling smaller than that
    // counts as zero. A test against the neighbouring diagonal elements alone would never end where these
    // are rounding errors themselves.
    const double largest = diagonal.cwiseAbs().maxCoeff() + (n > 1 ? below.cwiseAbs().maxCoeff() : 0);
    const double rounding = std::numeric_limits<double>::epsilon() * largest;
    for (Index first = 0; first < n; ++first) {
        for (int step = 0;; ++step) {
            Index last = first;
            while (last + 1 < n && std::abs(below(last)) > rounding) ++last;
            if (last == first) break;
            if (step == most_steps)
                fail(Status::numerical, "an eigenvalue did not converge in ", most_steps, " steps");
            ql_step(diagonal, below, first, last, vectors);
        }
    }
    sort(diagonal, vectors);
}

}  // namespace dk
