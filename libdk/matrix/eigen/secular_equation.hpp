// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/matrix.hpp"

namespace dk {

/// A root lambda = d(pole) + offset; the offset has all its digits, lambda need not.
struct SecularRoot {
    Index pole;
    double offset;
};

/// The j-th root of 1 / rho + sum_i z_i^2 / (d_i - lambda) = 0, which lies between poles j and j + 1, the
/// last one behind all poles. The poles d ascend strictly, no z_i is zero and rho is positive. Throws
/// Error(numerical) when the root is not found.
SecularRoot secular_root(const ConstVectorRef& poles, const ConstVectorRef& z, double rho, Index j);

}  // namespace dk
