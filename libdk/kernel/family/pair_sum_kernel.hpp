// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernel/kernel.hpp"

namespace dk {

/// Kernels that are a sum over columns, or its exponential: Laplacian, chi-square, intersection.
struct PairSumFunction {
    std::string name;  // of the family
    PairSum sum;
    double gamma = 0;  // k = exp(-gamma sum); 0: k = sum
};

KernelPointer make_pair_sum_kernel(Columns columns, PairSumFunction function);

}  // namespace dk
