// SPDX-License-Identifier: Apache-2.0
//
// The implicit QL method for T v = lambda v: rotations chase the elements of T below the diagonal to zero.
//
//   d_i = d(i)     the diagonal, which becomes the eigenvalues
//   e_i = e(i)     couples i and i + 1
//   c, s           cosine and sine of a rotation of rows i and i + 1 of the eigenvectors
//
// Golub, Van Loan: Matrix computations, section 8.3. Dubrulle, Martin, Wilkinson: The implicit QL algorithm,
// Numerische Mathematik 12, 1968.
#include "matrix/eigen/tridiagonal_ql.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace dk {

namespace {

constexpr int most_steps = 60;  // for one eigenvalue; two are usual

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

/// One step on the rows first .. last, none of whose couplings is zero.
void ql_step(VectorRef d, VectorRef e, Index first, Index last, MatrixRef vectors) {
    double g = (d(first + 1) - d(first)) / (2 * e(first));
    double r = std::hypot(g, 1.0);
    g = d(last) - d(first) + e(first) / (g + std::copysign(r, g));
    double s = 1;
    double c = 1;
    double p = 0;
    for (Index i = last - 1; i >= first; --i) {
        const double f = s * e(i);
        const double b = c * e(i);
        r = std::hypot(f, g);
        if (i + 1 < last) e(i + 1) = r;
        if (r == 0) {  // the rows split behind i
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
    // The matrix is known to its rounding. Couplings that are smaller count as zero: beside eigenvalues that
    // are themselves rounding they would not become so.
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
