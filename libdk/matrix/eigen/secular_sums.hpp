// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/matrix.hpp"

namespace dk {

/// The sum_i z_i^2 / (d_i - lambda) over some poles d_i, and its derivative with respect to lambda.
struct SecularSum {
    double value;
    double slope;
};

// The divide-and-conquer method spends its time in these loops over the poles d_i, which are vectorised. They
// are given lambda as `origin` + `offset`, where the origin is a pole. They compute d_i - lambda as
// (d_i - origin) - offset, which keeps all digits, however near lambda is to that pole.
//
// Gu, Eisenstat: A divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem, SIAM J. Matrix
// Anal. Appl. 16, 1995.

/// Adds up the terms of all given poles, in an order that does not depend on the processor.
SecularSum secular_sum(const ConstVectorRef& poles, const ConstVectorRef& z, double origin, double offset);

/// Computes, for as many i from `first` on as `out` has elements, the square of the z_i for which the
/// computed roots lambda_j = origin_j + offset_j are the exact eigenvalues of D + rho z z' (Loewner's
/// formula): rho z_i^2 = prod_j (lambda_j - d_i) / prod_{j != i} (d_j - d_i). The factor rho is left in,
/// because the eigenvectors do not depend on it.
void squared_weights(const ConstVectorRef& poles, const ConstVectorRef& origins,
                     const ConstVectorRef& offsets, Index first, VectorRef out);

/// Computes the unit eigenvector of D + rho z z' that belongs to lambda, whose elements are proportional to
/// z_i / (d_i - lambda).
void secular_vector(const ConstVectorRef& poles, const ConstVectorRef& z, double origin, double offset,
                    VectorRef out);

}  // namespace dk
