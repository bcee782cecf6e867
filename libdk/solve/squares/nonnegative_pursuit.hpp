// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "matrix/matrix.hpp"

namespace dk {

struct PursuitSolution {
    std::vector<Index> support = {};  // the variables that are not zero, in the order of their choice
    std::vector<double> values = {};  // the values of the support, which are positive
    double objective = 0;
};

/// Minimises 1/2 x'Hx + c'x over x >= 0 with at most `most` non-zeros, for a symmetric positive semidefinite
/// H. The method is greedy: the result is the best one of its support, which need not be the best support,
/// and it is no worse than with fewer non-zeros. With `most` = size it is non-negative least squares. It
/// takes O(size most^2 + most^4) operations.
PursuitSolution nonnegative_pursuit(const ConstMatrixRef& h, const ConstVectorRef& c, Index most);

}  // namespace dk
