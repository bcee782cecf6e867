// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernel/engine/kernel.hpp"

namespace dk {

/// A kernel that is a sum over columns, or its exponential, such as chi-square, Laplacian and intersection.
struct PairSumFunction {
    std::string name;  // the name of the kernel
    PairSum sum;
    double gamma = 0;  // k = exp(-gamma sum), or k = sum where gamma is 0
};

/// Makes the kernel for some columns; no columns mean all of them.
KernelPointer make_pair_sum_kernel(Columns columns, PairSumFunction function);

}  // namespace dk
