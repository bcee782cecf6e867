// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/engine/kernel.hpp"

namespace dk {

/// A kernel that knows its cosine-normalised form by itself, so that nothing need be divided by the diagonal.
class Normalisable {
  public:
    Normalisable() = default;
    virtual ~Normalisable() = default;
    Normalisable(const Normalisable&) = delete;
    Normalisable& operator=(const Normalisable&) = delete;
    virtual KernelPointer normalised() const = 0;
};

/// Makes the kernel sum_m weight_m k_m(x, z) + offset.
KernelPointer linear_combination(std::vector<WeightedKernel> terms, double offset);

/// Makes the product of two or more kernels.
KernelPointer product_of(std::vector<KernelPointer> factors);

/// Makes the kernel k(x, z)^exponent for an exponent of at least 1.
KernelPointer power_of(KernelPointer kernel, int exponent);

/// Makes the kernel exp(k(x, z)).
KernelPointer exponential_of(KernelPointer kernel);

/// Makes the cosine-normalised kernel k(x, z) / sqrt(k(x, x) k(z, z)). Rows with k(x, x) <= 0 share a
/// direction of their own: the kernel is 1 between two of them, and 0 between one of them and any other row.
KernelPointer normalised(const KernelPointer& kernel);

/// Makes one kernel of a bank, the sum of its kernels under weights; kernels of weight 0 are left out.
KernelPointer combine(const Bank& bank, const std::vector<double>& weights);

}  // namespace dk
