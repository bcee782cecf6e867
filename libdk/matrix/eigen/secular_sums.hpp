// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/matrix.hpp"

namespace dk {

/// sum_i z_i^2 / (d_i - lambda) and its derivative by lambda.
struct SecularSum {
    double value;
    double slope;
};

// The loops over the poles d_i that the divide-and-conquer method spends its time in, vectorised. lambda is
// `origin` + `offset` for an origin that is a pole: d_i - lambda is computed as (d_i - origin) - offset,
// which keeps all digits however near lambda is to its pole.

/// The sum over some poles, in a fixed order.
SecularSum secular_sum(const ConstVectorRef& poles, const ConstVectorRef& z, double origin, double offset);

/// For every i from `first` on, as many as `out` has, the square of the z_i that makes the roots exact:
/// prod_j (lambda_j - d_i) / prod_{j != i} (d_j - d_i), but for a factor that all have.
void squared_weights(const ConstVectorRef& poles, const ConstVectorRef& origins,
                     const ConstVectorRef& offsets, Index first, VectorRef out);

/// out_i = z_i / (d_i - lambda), to unit length: an eigenvector.
void secular_vector(const ConstVectorRef& poles, const ConstVectorRef& z, double origin, double offset,
                    VectorRef out);

}  // namespace dk
