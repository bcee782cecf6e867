// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"

namespace dk {

struct PursuitSolution {
    std::vector<Index> support = {};  // in the order of their choice
    std::vector<double> values = {};  // of the support, positive
    double objective = 0;
};

/// min 1/2 x'Hx + c'x over x >= 0 with at most so many non-zeros, H symmetric and positive semidefinite (size
/// x size, row-major): non-negative quadratic pursuit (Hosseini, Hammer, IMKPL, CIKM 2019). Greedy: each
/// turn the variable of steepest descent joins, and the program of those chosen is solved exactly (Lawson and
/// Hanson's loop); a turn that does not lower the objective is undone. With `most` = size it is non-negative
/// least squares. O(size most^2 + most^4).
PursuitSolution nonnegative_pursuit(const double* matrix, Index size, std::span<const double> linear,
                                    Index most);

}  // namespace dk
