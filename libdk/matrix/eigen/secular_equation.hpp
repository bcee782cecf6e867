// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/matrix.hpp"

namespace dk {

/// A root lambda = d(pole) + offset. The offset is exact to its last digits, even where lambda is so close to
/// the pole that the sum loses them.
struct SecularRoot {
    Index pole;
    double offset;
};

/// Finds the j-th root of 1 / rho + sum_i z_i^2 / (d_i - lambda) = 0, which lies between the poles j and j +
/// 1; the last root lies behind all poles. The poles d ascend strictly, no z_i is zero, and rho is positive.
/// The function throws Error(numerical) when it does not find the root.
SecularRoot secular_root(const ConstVectorRef& poles, const ConstVectorRef& z, double rho, Index j);

}  // namespace dk
